import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askAll, sendLines } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

let cluster: Cluster;
const large = ["10000000000000", "9223372036854775807", "-9223372036854775808"];

beforeAll(async () => {
  // Sealed after a second, so that the rows with a fraction come into another segment.
  cluster = await startCluster({ leaves: 1, environment: { HADAL_SEAL_AFTER: "1" } });
  const whole = ["5", ...large].map((x, i) => `{"time":${i},"x":${x}}`);
  await sendLines(cluster, "t", whole);
  await sendLines(cluster, "t", ['{"time":10,"x":1.5}']);
}, 60_000);
afterAll(() => cluster?.stop());

/** With six decimals these integers would not fit 64 bits, and the column has six since the last row. */
describe("integers that came before their column had decimals", () => {
  const count = async (op: string, value: string | readonly string[]): Promise<unknown> => {
    const filter = [{ column: "x", op, value }] as never;
    const { rows } = await askAll(cluster, "t", { filter, aggregates: [{ fn: "count" }] });
    return rows[0]?.[0] ?? 0;
  };

  test.each<readonly [string, string | readonly string[], number]>([
    [">", "0", 4],
    [">=", "10000000000000", 2],
    [">", "10000000000000", 1],
    ["<", "0", 1],
    ["<=", "9223372036854775806", 4],
    ["<", "1e30", 5],
    ["=", "10000000000000", 1],
    ["=", "9223372036854775807", 1],
    ["!=", "10000000000000", 4],
    ["in", ["5", "10000000000000", "1.5"], 3],
    ["not in", ["5", "10000000000000", "1.5"], 2],
  ])("are found by x %s %j", async (op, value, wanted) => {
    expect(await count(op, value)).toBe(wanted);
  });

  test.each([
    ["groups", { groupBy: ["x"], aggregates: [{ fn: "count" as const }] }],
    ["raw rows", { sampleView: { columns: ["x"] } }],
  ])("are refused as %s, and not shown as other numbers", async (_what, query) => {
    const asked = askAll(cluster, "t", query);
    await expect(asked).rejects.toMatchObject({
      code: expect.stringMatching(/^(value-overflow|type-mismatch|sum-overflow)$/) as string,
    });
    const small = [
      { column: "x", op: "<", value: 100 },
      { column: "x", op: ">", value: 0 },
    ] as never;
    const { rows } = await askAll(cluster, "t", { ...query, filter: small });
    expect(rows.length).toBeGreaterThan(0);
  });

  test("have no largest one at this scale", async () => {
    const asked = askAll(cluster, "t", { aggregates: [{ fn: "max", column: "x" }] });
    await expect(asked).rejects.toMatchObject({ code: "type-mismatch" });
  });
});
