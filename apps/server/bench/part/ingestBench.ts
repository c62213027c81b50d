import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { HadalClient } from "@hadal/sdk";
import { median } from "../../src/base/number/median.js";
import { timeoutMs } from "../query/benchQuery.js";
import type { BenchResult } from "../report/benchReport.js";
import { endMs, startMs } from "../table/benchTable.js";

/** Rows as lines of JSON, or as an Arrow stream with dictionaries. */
export type IngestFormat = "ndjson" | "columnar";

/** What the sending process is to do. */
export interface IngestPlan {
  readonly format: IngestFormat;
  readonly url: string;
  readonly warmTable: string;
  readonly table: string;
  readonly bodyRows: number;
  readonly bodyCount: number;
  readonly connections: number;
  readonly rounds: number;
}

/** How long each round of all bodies took, as the sending process measured it. */
export interface IngestTimes {
  readonly roundsMs: readonly number[];
  readonly bytesPerRow: number;
}

const bodies = { bodyRows: 5_000, bodyCount: 40, connections: 8, rounds: 5 } as const;
const formats = {
  ndjson: { sizes: bodies, tables: { warmTable: "ingest_warm", table: "ingested" } },
  // A collector that has columns has many rows of them.
  columnar: {
    sizes: { ...bodies, bodyRows: 20_000, bodyCount: 10 },
    tables: { warmTable: "ingest_warm_columnar", table: "ingested_columnar" },
  },
} as const;
const program = fileURLToPath(new URL("./ingestClient.js", import.meta.url));

/** Rows of 13 columns (some 350 bytes of JSON) over HTTP, durable, on several connections. */
export async function benchIngest(
  client: HadalClient,
  url: string,
  format: IngestFormat,
): Promise<BenchResult> {
  const { sizes, tables } = formats[format];
  const { roundsMs, bytesPerRow } = await runSender({ ...sizes, ...tables, url, format });
  const roundRows = sizes.bodyCount * sizes.bodyRows;
  const { rows } = await client.query({
    ...{ table: tables.table, from: startMs, to: endMs, timeoutMs },
    aggregates: [{ fn: "count" }],
  });
  const hadalMs = median(roundsMs);
  const perSecond = (ms: number) => Math.round(roundRows / ms).toString();
  const range = `${perSecond(Math.max(...roundsMs))} to ${perSecond(Math.min(...roundsMs))} k rows/s`;
  return {
    ...{ query: `ingest-${format}`, hadalMs, peers: {}, ratio: null },
    bytesScanned: bytesPerRow * roundRows,
    checked: rows[0]?.[0] === roundRows * sizes.rounds,
    rowsPerSecond: roundRows / (hadalMs / 1000),
    note: `${Math.round(bytesPerRow)} bytes a row, ${sizes.connections} connections, durable; ${sizes.rounds} rounds: ${range}`,
  };
}

function runSender(plan: IngestPlan): Promise<IngestTimes> {
  const child = fork(program);
  child.send(plan);
  return new Promise((resolve, reject) => {
    let times: IngestTimes | null = null;
    child.on("message", (message: IngestTimes) => {
      times = message;
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (times !== null) resolve(times);
      else reject(new Error(`the sender of rows ended with code ${code}`));
    });
  });
}
