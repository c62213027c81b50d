import type { HadalClient, Query } from "@hadal/sdk";
import { timeoutMs } from "../query/benchQuery.js";
import { chance, endMs, hash32, rangeMs, startMs } from "../table/benchTable.js";

const bodyRows = 10_000;
const serviceCount = 20;

/** Rows of the experiments of the Scuba paper, section 5: requests of 29 hours, each part as the whole. */
export async function sendRequests(
  client: HadalClient,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<void> {
  for (let at = from; at < from + count; at += bodyRows) {
    const lines = Array.from({ length: Math.min(bodyRows, from + count - at) }, (_, i) => {
      const row = at + i;
      return JSON.stringify({
        time: startMs + Math.floor(chance(row, 1) * rangeMs),
        service: `service-${hash32(row) % serviceCount}`,
        bytes: hash32(row + 7) % 100_000,
        latency_us: hash32(row + 13) % 1_000_000,
      });
    });
    const options = { contentType: "application/x-ndjson" } as const;
    await client.ingestBody("requests", lines.join("\n"), options);
  }
}

export const rangesOfHours = [3, 6, 29] as const;

const lastHours = (hours: number) => ({
  ...{ table: "requests", from: endMs - hours * 3_600_000, to: endMs, timeoutMs },
});

/** Query 1 (S114). The filter lets nearly all rows pass, and no index of a segment answers it. */
export const scanQuery = (hours: number): Query => ({
  ...lastHours(hours),
  filter: [{ column: "bytes", op: ">=", value: 1 }],
  aggregates: [
    { fn: "count" },
    { fn: "sum", column: "bytes" },
    { fn: "sum", column: "latency_us" },
  ],
});

/** Query 2 (S114). */
export const seriesQuery = (hours: number): Query => ({
  ...{ ...lastHours(hours), groupBy: [{ time: "1m" }, "service"], limit: 1_800 },
  aggregates: [{ fn: "count" }, { fn: "sum", column: "bytes" }],
  orderBy: [{ by: "sum_bytes", desc: true }],
});
