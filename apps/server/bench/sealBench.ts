import { conformBatch } from "../src/store/conformBatch.js";
import { OpenSegment } from "../src/store/openSegment.js";
import { sealSegment } from "../src/store/sealSegment.js";
import { segmentRowsMax } from "../src/store/segmentView.js";
import { TableColumns } from "../src/store/tableColumns.js";
import { createBenchLeaf } from "./benchLeaf.js";
import { median } from "./benchReport.js";
import { sampledEvents } from "./eventTables.js";

const memoryBytes = 512 * 2 ** 20;
/** As dense as in 50 M rows: what a segment spans decides how its times are sorted. */
const rowsOfKernel = 50_000_000;
const segmentCount = 200;
/** The first ones run in the baseline compiler. */
const warmUpCount = 150;

/** Nanoseconds a row to seal segments of KERNEL's columns: sort, narrow, zone maps, aggregates. */
export async function measureSealNs(): Promise<number> {
  const { leaf, kernel } = await createBenchLeaf(memoryBytes);
  const columns = new TableColumns();
  const layoutOf = (name: string) => columns.layoutOf(name);
  const times: number[] = [];
  for (let segment = 0; segment < segmentCount; segment++) {
    const first = segment * segmentRowsMax;
    const batch = sampledEvents.rows(first, segmentRowsMax, rowsOfKernel);
    for (const column of batch.columns) columns.widen(column);
    const ready = conformBatch(batch, layoutOf);
    const open = new OpenSegment(leaf, kernel);
    open.reserve(ready, layoutOf);
    open.append(ready);
    const startedMs = performance.now();
    sealSegment(open.view(), segment + 1, leaf, kernel);
    times.push(((performance.now() - startedMs) * 1e6) / segmentRowsMax);
    open.retire();
  }
  return median(times.slice(warmUpCount));
}
