import { randomBytes } from "node:crypto";
import { JsonRows, loadJsonModule } from "@hadal/kernel-wasm";
import { median } from "../../src/base/number/median.js";
import type { RowBatch } from "../../src/base/row/rowBatch.js";
import { readRows } from "../../src/ingest/format/readRows.js";
import { createTimeRule } from "../../src/ingest/value/timeRule.js";
import type { BenchResult } from "../report/benchReport.js";
import { timesOf } from "../table/benchTable.js";
import { endpointName, generateEvents, serviceName } from "../table/eventTables.js";

const rowCount = 200_000;
/** What a socket gives at a time. */
const chunkBytes = 65_536;
/** Some two seconds: its code is compiled then, and what else the machine did for a moment is over. */
const warmUpRuns = 50;
const runs = 15;

interface PrintedRow {
  readonly time: number;
  readonly columns: ReturnType<typeof generateEvents>;
  readonly row: number;
}

/** The columns of KERNEL's table as lines of JSON, read into columns on one core: nothing is sent, stored or sealed. */
export const benchParse = (name: string): Promise<BenchResult> => measureParse(name, printFlat);

/** The same as many senders write them: times as text, objects within rows, slashes escaped. */
export const benchParseNested = (name: string): Promise<BenchResult> =>
  measureParse(name, printNested);

async function measureParse(
  name: string,
  print: (row: PrintedRow) => string,
): Promise<BenchResult> {
  const { latencyUs } = generateEvents(0, rowCount);
  const expected = latencyUs.reduce((sum, value) => sum + value, 0);
  const body = printRows(print);
  const json = new JsonRows(await loadJsonModule(new URL("./json.wasm", import.meta.url)), {
    seed: randomBytes(8).readBigInt64LE(),
  });
  const times: number[] = [];
  let isRight = true;
  for (let run = -warmUpRuns; run < runs; run++) {
    const startedMs = performance.now();
    const { batches, accepted } = await readRows(chunksOf(body), {
      contentType: "application/x-ndjson",
      timeName: undefined,
      timeRule: createTimeRule(Date.now(), { unit: null, futureMaxMs: 600_000 }),
      json,
    });
    if (run >= 0) times.push(performance.now() - startedMs);
    isRight &&= accepted === rowCount && sumOf(batches, "latency_us") === expected;
  }
  const hadalMs = median(times);
  const megabytes = body.length / 1000 / hadalMs;
  return {
    ...{ query: name, hadalMs, peers: {}, ratio: null },
    ...{ bytesScanned: body.length, checked: isRight, rowsPerSecond: rowCount / (hadalMs / 1000) },
    note: `${Math.round(body.length / rowCount)} bytes a row, ${Math.round(megabytes)} MB/s, one core`,
  };
}

function printRows(print: (row: PrintedRow) => string): Buffer {
  const columns = generateEvents(0, rowCount);
  const times = timesOf(0, rowCount, rowCount);
  const lines = Array.from(times, (time, row) => print({ time, columns, row }));
  return Buffer.from(`${lines.join("\n")}\n`);
}

function printFlat({ time, columns, row }: PrintedRow): string {
  return JSON.stringify({
    time,
    service: serviceName(columns.service[row]!),
    endpoint: endpointName(columns.endpoint[row]!),
    status: columns.status[row],
    latency_us: columns.latencyUs[row],
    bytes: columns.bytes[row],
    user_id: columns.userId[row],
    sample_rate: columns.sampleRate[row],
  });
}

function printNested({ time, columns, row }: PrintedRow): string {
  const text = JSON.stringify({
    time: new Date(time).toISOString(),
    service: { name: serviceName(columns.service[row]!) },
    http: {
      endpoint: endpointName(columns.endpoint[row]!),
      status: columns.status[row],
      bytes: columns.bytes[row],
      error: null,
    },
    latency_us: columns.latencyUs[row],
    user: { id: columns.userId[row] },
    sample_rate: columns.sampleRate[row],
  });
  return text.replaceAll("/", "\\/");
}

async function* chunksOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += chunkBytes) {
    yield body.subarray(start, start + chunkBytes);
  }
}

function sumOf(batches: readonly RowBatch[], name: string): number {
  let sum = 0n;
  for (const { columns } of batches) {
    const column = columns.find((each) => each.name === name);
    if (column?.type !== "int") return Number.NaN;
    for (const value of column.values) sum += value;
  }
  return Number(sum);
}
