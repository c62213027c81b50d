import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { HadalClient } from "@hadal/sdk";
import { timeoutMs } from "./benchQuery.js";
import { type BenchResult, median } from "./benchReport.js";
import { endMs, startMs } from "./benchTable.js";

/** What the sending process is to do. */
export interface IngestPlan {
  readonly url: string;
  readonly warmTable: string;
  readonly table: string;
  readonly bodyRows: number;
  readonly bodyCount: number;
  readonly connections: number;
  readonly rounds: number;
}

/** How long each round of all bodies took, told by the sending process. */
export interface IngestTold {
  readonly roundsMs: readonly number[];
  readonly bytesPerRow: number;
}

const sizes = { bodyRows: 5_000, bodyCount: 40, connections: 8, rounds: 5 } as const;
const tables = { warmTable: "ingest_warm", table: "ingested" } as const;
const program = fileURLToPath(new URL("./ingestClient.js", import.meta.url));

/** Rows of 13 columns and some 350 bytes over HTTP, durable, on several connections. */
export async function benchIngest(client: HadalClient, url: string): Promise<BenchResult> {
  const { roundsMs, bytesPerRow } = await runSender({ ...sizes, ...tables, url });
  const roundRows = sizes.bodyCount * sizes.bodyRows;
  const { rows } = await client.query({
    ...{ table: tables.table, from: startMs, to: endMs, timeoutMs },
    aggregates: [{ fn: "count" }],
  });
  const hadalMs = median(roundsMs);
  const perSecond = (ms: number) => Math.round(roundRows / ms).toString();
  const range = `${perSecond(Math.max(...roundsMs))} to ${perSecond(Math.min(...roundsMs))} k rows/s`;
  return {
    ...{ query: "ingest-ndjson", hadalMs, peers: {}, ratio: null },
    bytesScanned: bytesPerRow * roundRows,
    checked: rows[0]?.[0] === roundRows * sizes.rounds,
    rowsPerSecond: roundRows / (hadalMs / 1000),
    note: `${Math.round(bytesPerRow)} bytes a row, ${sizes.connections} connections, durable; ${sizes.rounds} rounds: ${range}`,
  };
}

function runSender(plan: IngestPlan): Promise<IngestTold> {
  const child = fork(program);
  child.send(plan);
  return new Promise((resolve, reject) => {
    let told: IngestTold | null = null;
    child.on("message", (message: IngestTold) => {
      told = message;
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (told !== null) resolve(told);
      else reject(new Error(`the sender of rows ended with code ${code}`));
    });
  });
}
