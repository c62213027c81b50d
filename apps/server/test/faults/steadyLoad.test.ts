import { expect, test } from "vitest";
import { memoryOf } from "../support/load/memoryOf.js";
import { steadyLoad } from "../support/load/steadyLoad.js";
import { startCluster } from "../support/startCluster.js";

const seconds = 60;
/** Leaves keep rows in memory of their own; what the others take must not grow with the rows. */
const gatewayBytesMax = 600 * 2 ** 20;

test("20,000 rows a second beside queries and live subscribers: no error, no row lost, memory stays", {
  timeout: 150_000,
}, async () => {
  const cluster = await startCluster({ leaves: 2 });
  try {
    const startMs = Date.now() - 60_000;
    const report = await steadyLoad(cluster.client, { seconds, startMs });
    const { rowsSent, sends, queries, seen, live } = report;
    for (const waits of [sends, queries, seen]) expect([...waits.problems]).toEqual([]);
    expect(sends.ms).toHaveLength(rowsSent / 1_000);
    expect(seen.ms.length).toBeGreaterThan(0);
    expect(live.problems).toEqual([]);
    expect(new Set(live.lastCounts)).toEqual(new Set([rowsSent]));
    expect(Math.min(...live.results)).toBeGreaterThan(seconds / 10);
    const { columns, rows, completeness } = await cluster.client.query({
      ...{ table: "steady", from: startMs, to: startMs + 86_400_000, timeoutMs: 10_000 },
      aggregates: [
        { fn: "count", as: "count" },
        { fn: "sum", column: "n", as: "sum_n" },
      ],
    });
    const value = (name: string): unknown =>
      rows[0]?.[columns.findIndex((column) => column.name === name)];
    expect(value("count")).toBe(rowsSent);
    expect(value("sum_n")).toBe((rowsSent * (rowsSent - 1)) / 2);
    expect(completeness.fraction).toBe(1);
    expect(await memoryOf(await cluster.gatewayPid(), "VmRSS")).toBeLessThan(gatewayBytesMax);
  } finally {
    await cluster.stop();
  }
});
