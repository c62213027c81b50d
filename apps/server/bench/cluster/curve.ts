import type { HadalClient, Query } from "@hadal/sdk";
import { median } from "../../src/base/number/median.js";
import { count, sum, timeoutMs } from "../query/benchQuery.js";
import type { CurvePoint } from "../report/benchReport.js";
import { say } from "../report/say.js";
import { rangeMs, startMs } from "../table/benchTable.js";
import { warmUp } from "./warmUp.js";

/** Shares of the rows at which costs are measured: 5, 10, 20 and 50 M of 50 M. */
export const curveShares = [0.1, 0.2, 0.4, 1] as const;
const runs = 51;

/** Costs while the table holds `share` of its rows, in the order of their time. */
export async function measureCurve(
  client: HadalClient,
  share: number,
  total: number,
): Promise<CurvePoint> {
  const rows = Math.floor(total * share);
  say(`costs at ${rows.toLocaleString("en")} rows …`);
  const aggregates = [count, sum("bytes"), sum("latency_us")];
  const soFar = { table: "events", from: startMs, to: startMs + rangeMs * share };
  const fixedSlice = { ...soFar, to: startMs + rangeMs * curveShares[0] };
  // No zone map and no aggregate of a segment can answer this.
  const filter = [{ column: "bytes", op: ">=", value: 1 }] as const;
  const overall = { ...soFar, aggregates, timeoutMs };
  const scanned = { ...overall, filter };
  const slice = { ...fixedSlice, aggregates, filter, timeoutMs };
  // Or the first point would pay for what the later ones find compiled.
  await warmUp(client, [overall, scanned, slice], share > curveShares[0]);
  return {
    rows,
    aggregatesMs: await serverMs(client, overall),
    scanMs: await serverMs(client, scanned),
    sliceMs: await serverMs(client, slice),
  };
}

async function serverMs(client: HadalClient, query: Query): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push((await client.query(query)).stats.elapsedMs);
  return median(times);
}
