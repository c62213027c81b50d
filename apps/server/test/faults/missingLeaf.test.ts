import type { Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRows } from "../support/allTime.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2025, 2, 1, 10);
const hour = 3_600_000;

describe("the one leaf that holds a small table is stopped", () => {
  let cluster: Cluster;
  let holder = "";
  beforeAll(async () => {
    cluster = await startCluster({ leaves: 3 });
    const rows = Array.from({ length: 100 }, (_, i) => ({ time: startMs + i * 1_000, x: i }));
    await sendRows(cluster, "small", rows);
    holder = await waitUntil("the leaf that holds the rows", async () => {
      const { members } = await cluster.client.status();
      return members.find(({ role, rows }) => role === "leaf" && (rows ?? 0) > 0)?.id ?? null;
    });
    process.kill((await cluster.leafPids()).get(holder) ?? 0, "SIGSTOP");
  }, 60_000);
  afterAll(async () => {
    const pid = (await cluster.leafPids().catch(() => null))?.get(holder);
    if (pid !== undefined) process.kill(pid, "SIGCONT");
    await cluster?.stop();
  });

  const ask = (query: Partial<Query>): Promise<Result> =>
    cluster.client.query({
      ...{ table: "small", from: startMs, to: startMs + hour, timeoutMs: 500 },
      ...query,
    });

  const shapes: readonly (readonly [string, Partial<Query>])[] = [
    ["a count", {}],
    ["a filtered count", { filter: [{ column: "x", op: ">", value: 50 }] }],
    ["groups", { groupBy: [{ time: "1m" }, "x"] }],
    ["raw rows", { sampleView: {} }],
    [
      "a comparison, either side",
      { from: startMs + hour, to: startMs + 2 * hour, compare: { offset: "1h" } },
    ],
  ];
  test.each(shapes)("%s is a problem that names the leaf, never zero rows", async (_, shape) => {
    await expect(ask(shape)).rejects.toMatchObject({
      code: "no-leaves",
      status: 503,
      message: expect.stringContaining(holder) as string,
    });
  });

  test("facets and the values of a column are the same problem", async () => {
    const range = { from: startMs, to: startMs + hour };
    const named = { code: "no-leaves", message: expect.stringContaining(holder) as string };
    await expect(cluster.client.facets({ table: "small", ...range })).rejects.toMatchObject(named);
    await expect(cluster.client.values("small", "x", range)).rejects.toMatchObject(named);
  });

  test("a range without rows answers with zero, whichever leaf is missing", async () => {
    const { rows, completeness } = await ask({ from: startMs + hour, to: startMs + 2 * hour });
    expect(rows).toEqual([[0, 0]]);
    expect(completeness).toMatchObject({ rowsExpected: 0, leaves: { missing: [holder] } });
  });
});
