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

/** With six decimals these integers would not fit 64 bits, and the last row has some: rows of both are read as texts. */
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

  const texts = ["-9223372036854775808", "1.5", "10000000000000", "5", "9223372036854775807"];
  test.each([
    ["groups", { groupBy: ["x"], aggregates: [{ fn: "count" as const }] }],
    ["raw rows", { sampleView: { columns: ["x"] } }],
  ])("are shown digit by digit as %s", async (_what, query) => {
    const { rows, columns } = await askAll(cluster, "t", query);
    const at = columns.findIndex(({ name }) => name === "x");
    expect(rows.map((row) => row[at]).sort()).toEqual(texts);
    const small = [
      { column: "x", op: "<", value: 100 },
      { column: "x", op: ">", value: 0 },
    ] as never;
    const few = await askAll(cluster, "t", { ...query, filter: small });
    expect(few.rows.map((row) => row[at]).sort()).toEqual(["1.5", "5"]);
  });

  test("have no largest one at this scale", async () => {
    const asked = askAll(cluster, "t", { aggregates: [{ fn: "max", column: "x" }] });
    await expect(asked).rejects.toMatchObject({ code: "type-mismatch" });
    const before = { to: 10, aggregates: [{ fn: "max" as const, column: "x" }] };
    const { rows } = await askAll(cluster, "t", before);
    expect(rows[0]).toEqual([9_223_372_036_854_775_807n]);
  });
});
