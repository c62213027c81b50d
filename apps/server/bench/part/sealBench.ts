import { median } from "../../src/base/number/median.js";
import { rescaleBatch } from "../../src/store/columns/rescaleBatch.js";
import { TableColumns } from "../../src/store/columns/tableColumns.js";
import { OpenSegment } from "../../src/store/open/openSegment.js";
import { sealSegment } from "../../src/store/seal/sealSegment.js";
import { segmentRowsMax } from "../../src/store/segment/segmentView.js";
import { sampledEvents } from "../table/eventTables.js";
import { createBenchLeaf } from "./benchLeaf.js";

const memoryBytes = 512 * 2 ** 20;
/** As dense as in 50 M rows: what a segment spans decides how its times are sorted. */
const rowsOfKernel = 50_000_000;
const segmentCount = 50;
/** What sealing runs beside the kernel is small functions, once or twice for a column: by then they are compiled by the optimizer, as in a leaf that has taken rows in for a while. */
const warmUpCount = 1_200;

/** Nanoseconds a row to seal segments of KERNEL's columns: sort, narrow, zone maps, aggregates. */
export async function measureSealNs(): Promise<number> {
  const { leaf, kernel } = await createBenchLeaf(memoryBytes);
  const columns = new TableColumns();
  const layoutOf = (name: string) => columns.layoutOf(name);
  const openSegmentOf = (segment: number): OpenSegment => {
    const first = segment * segmentRowsMax;
    const batch = sampledEvents.rows(first, segmentRowsMax, rowsOfKernel);
    columns.take(batch);
    const ready = rescaleBatch(batch, layoutOf);
    const open = new OpenSegment(leaf, kernel);
    open.reserve(ready, layoutOf);
    open.append(ready);
    return open;
  };
  const warm = openSegmentOf(segmentCount);
  for (let run = 0; run < warmUpCount; run++) {
    const { extents } = sealSegment(warm.view(), 1, { memory: leaf, kernel });
    for (const extent of extents) leaf.store.release(extent);
  }
  warm.retire();
  const times: number[] = [];
  for (let segment = 0; segment < segmentCount; segment++) {
    const open = openSegmentOf(segment);
    const startedMs = performance.now();
    sealSegment(open.view(), segment + 1, { memory: leaf, kernel });
    times.push(((performance.now() - startedMs) * 1e6) / segmentRowsMax);
    open.retire();
  }
  return median(times);
}
