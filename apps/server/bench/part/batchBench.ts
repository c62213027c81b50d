import { median } from "../../src/base/number/median.js";
import { batchRowsMax } from "../../src/base/row/rowBatch.js";
import { decodeRowBatch, encodeRowBatch } from "../../src/base/row/rowBatchCodec.js";
import { createColumnReader } from "../../src/column/readColumn.js";
import type { LeafMemory } from "../../src/memory/leafMemory.js";
import { rescaleBatch } from "../../src/store/columns/rescaleBatch.js";
import { TableColumns } from "../../src/store/columns/tableColumns.js";
import { OpenSegment } from "../../src/store/open/openSegment.js";
import { segmentRowsMax } from "../../src/store/segment/segmentView.js";
import { OpenFacts } from "../../src/store/table/openFacts.js";
import { TableSummary } from "../../src/store/table/tableSummary.js";
import type { BenchResult } from "../report/benchReport.js";
import { sampledEvents } from "../table/eventTables.js";
import { createBenchLeaf } from "./benchLeaf.js";

const memoryBytes = 256 * 2 ** 20;
const rowsOfKernel = 50_000_000;
const batchesPerSegment = segmentRowsMax / batchRowsMax;
const warmUpRuns = 20;
const runs = 40;

/** KERNEL's columns as columnar batches, taken in by a table's open segment on one core: decoded, checked, made visible and booked. Nothing is sent, logged or sealed. */
export async function benchBatches(name: string): Promise<BenchResult> {
  const { leaf, kernel } = await createBenchLeaf(memoryBytes);
  const bodies = Array.from({ length: batchesPerSegment }, (_, batch) =>
    encodeRowBatch(sampledEvents.rows(batch * batchRowsMax, batchRowsMax, rowsOfKernel)),
  );
  const columns = new TableColumns();
  const times: number[] = [];
  let isRight = true;
  for (let run = -warmUpRuns; run < runs; run++) {
    const open = new OpenSegment(leaf, kernel);
    const startedMs = performance.now();
    takeIn(bodies, open, columns, new TableSummary());
    if (run >= 0) times.push(performance.now() - startedMs);
    isRight &&= latenciesOf(open, leaf) === latenciesSent(bodies);
    open.retire();
  }
  const hadalMs = median(times);
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  return {
    ...{ query: name, hadalMs, peers: {}, ratio: null },
    ...{ bytesScanned: bytes, checked: isRight },
    rowsPerSecond: segmentRowsMax / (hadalMs / 1000),
    note: `${Math.round(bytes / segmentRowsMax)} bytes a row in batches of ${batchRowsMax}, strings that are known, one core`,
  };
}

function takeIn(
  bodies: readonly Uint8Array[],
  open: OpenSegment,
  columns: TableColumns,
  books: TableSummary,
): void {
  const layoutOf = (name: string) => columns.layoutOf(name);
  const facts = new OpenFacts();
  for (const [index, bytes] of bodies.entries()) {
    const batch = decodeRowBatch(bytes);
    columns.take(batch);
    const ready = rescaleBatch(batch, layoutOf);
    open.reserve(ready, layoutOf);
    open.append(ready);
    books.append({ batch, batchId: `batch ${index}`, contentHash: `${index}`, bytes }, facts);
  }
}

function latenciesOf(open: OpenSegment, { memory }: LeafMemory): bigint {
  const { rowCount, columns } = open.view();
  const column = columns.get("latency_us");
  if (column?.kind !== "int") throw new Error("latencies are integers");
  const reader = createColumnReader(memory);
  let sum = 0n;
  for (let row = 0; row < rowCount; row++) sum += reader.int(column, row);
  return sum;
}

function latenciesSent(bodies: readonly Uint8Array[]): bigint {
  return bodies.reduce((sum, bytes) => {
    const column = decodeRowBatch(bytes).columns.find(({ name }) => name === "latency_us");
    if (column?.type !== "int") throw new Error("latencies are integers");
    return sum + column.values.reduce((total, value) => total + value, 0n);
  }, 0n);
}
