import { type DerivedColumn, HadalError, type Query } from "@hadal/sdk";
import { readSql } from "@hadal/sdk/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askAll, sendLines } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const max = 2n ** 63n - 1n;
const rows = [
  { n: 1n, big: max, half: 2n ** 62n, name: "top" },
  { n: 2n, big: -max - 1n, half: -(2n ** 62n), name: "bottom" },
  { n: 3n, big: 0n, half: 3_037_000_499n, name: "middle" },
];

/** Sealed at once, and left open: each has its own way to compute what is derived. */
const clusters = new Map<string, Cluster>();
beforeAll(async () => {
  for (const [name, HADAL_SEAL_AFTER] of [
    ["open", "86400"],
    ["sealed", "1"],
  ] as const) {
    const cluster = await startCluster({ leaves: 2, environment: { HADAL_SEAL_AFTER } });
    clusters.set(name, cluster);
    const lines = rows.map(
      ({ n, big, half, name }, i) =>
        `{"time":${i * 1_000},"n":${n},"big":${big},"half":${half},"name":"${name}"}`,
    );
    await sendLines(cluster, "t", lines);
  }
}, 120_000);
afterAll(() => Promise.all([...clusters.values()].map((cluster) => cluster.stop())));

const range = "time >= '1970-01-01T00:00:00Z' AND time < '1970-01-02T00:00:00Z'";

async function problemOf(cluster: Cluster, query: Partial<Query>): Promise<HadalError> {
  const failed = await askAll(cluster, "t", query).catch((error: unknown) => error);
  if (!(failed instanceof HadalError)) throw new Error(`no problem: ${JSON.stringify(failed)}`);
  return failed;
}

async function problemOfSql(cluster: Cluster, sql: string): Promise<unknown> {
  const reply = await fetch(new URL("/api/v1/query", cluster.url), {
    method: "POST",
    body: JSON.stringify({ sql }),
  });
  return { status: reply.status, ...((await reply.json()) as object) };
}

describe.each(["open", "sealed"])("a value beyond 64 bits, of rows that are %s", (which) => {
  const cluster = (): Cluster => clusters.get(which)!;
  const column = (name: string) => ({ column: name });
  const plus = { fn: "+" as const, args: [column("big"), column("n")] };
  const derive = [
    { as: "fits", expression: { fn: "*" as const, args: [column("n"), { value: 2 }] } },
    { as: "sum of both", expression: plus },
  ];

  test.each<[string, Partial<Query>]>([
    ["summed", { aggregates: [{ fn: "sum", column: "sum of both" }] }],
    ["grouped by", { groupBy: ["sum of both"] }],
    ["counted", { aggregates: [{ fn: "count", column: "sum of both" }] }],
    ["filtered by", { filter: [{ column: "sum of both", op: ">", value: 0 }] }],
    ["in raw rows", { sampleView: { columns: ["sum of both"] } }],
    ["compared", { aggregates: [{ fn: "max", column: "sum of both" }], compare: { offset: "1s" } }],
  ])("%s: the problem names the column and its place", async (_, query) => {
    const problem = await problemOf(cluster(), { derive, ...query });
    expect(problem).toMatchObject({
      ...{ code: "value-overflow", status: 422, retry: false },
      errors: [{ path: "derive[1].expression", code: "value-overflow" }],
    });
    expect(problem.message).toContain("A value of sum of both does not fit 64 bits");
  });

  test("rows that the filter leaves out overflow nothing, and neither do columns that no one reads", async () => {
    const filter = [{ column: "name", op: "!=" as const, value: "top" }];
    const summed = { derive, aggregates: [{ fn: "min" as const, column: "sum of both" }] };
    const result = await askAll(cluster(), "t", { ...summed, filter });
    expect(result.rows).toEqual([[-(2n ** 63n) + 2n]]);
    expect((await askAll(cluster(), "t", { derive })).rows[0]?.[0]).toBe(3);
  });

  test.each<[string, number | null]>([
    ["name != 'top' AND big + n > 0", 1],
    ["name = 'top' OR big + n > 0", 2],
    ["NOT (name = 'top' OR big + n > 0)", 1],
    ["(name = 'bottom' AND big + n > 0) OR name = 'middle'", 1],
    ["name != 'top' AND (big + n IS NULL OR big + n > 0)", 1],
    ["big < 9223372036854775807 AND big + n < 0", 1],
    ["name != 'top' AND to_string(big + n) ~ '-'", 1],
    ["name = 'top' OR to_string(big + n) = '3'", 2],
    ["NOT (name = 'top' OR to_string(big + n) = '3')", 1],
    ["name = 'middle' AND upper(to_string(big + n)) = '3'", 1],
    ["to_string(big + n) = '3'", null],
    ["name = 'bottom' OR upper(to_string(big + n)) LIKE '%3'", null],
    ["name != 'bottom' AND big + n > 0", null],
    ["name = 'bottom' OR big + n > 0", null],
    ["NOT (name = 'bottom' OR big + n > 0)", null],
    ["big + n IS NULL", null],
    ["big + n > 0", null],
  ])("a condition on it decides nothing where others do: %s", async (condition, count) => {
    const text = `SELECT count(*) FROM t WHERE ${range} AND (${condition})`;
    if (count === null) {
      expect(await problemOfSql(cluster(), text)).toMatchObject({ code: "value-overflow" });
      return;
    }
    const { query } = readSql(text);
    expect((await cluster().client.query({ ...query, exact: true })).rows[0]?.[0]).toBe(count);
    // What is read of the rows that pass is another matter.
    const summed = text.replace("count(*)", "min(big + n)");
    const isRead = condition.startsWith("name = 'top'");
    const problem = isRead ? { code: "value-overflow" } : { rows: expect.anything() as unknown };
    expect(await problemOfSql(cluster(), summed)).toMatchObject(problem);
  });

  test.each<[string, number | null]>([
    ["g = 2 AND big + n < 0", 1],
    ["g != 1 AND big + n > 0", 1],
    ["g = 1 AND big + n > 0", null],
    ["g = 2 AND to_string(big + n) ~ '-'", 1],
    ["g = 1 AND to_string(big + n) ~ '-'", null],
    ["g = 1 OR big + n > 0", 2],
    ["g = 2 OR big + n > 0", null],
  ])("beside a condition on a function in the sandbox: %s", async (condition, count) => {
    const js = "DERIVE JS '(row) => row.n + Math.cos(0) - 1' AS g";
    // The first sandbox may take longer to start than a query has by default.
    const text = `SELECT count(*) FROM t ${js} WHERE ${range} AND (${condition}) WITH (timeout = '20s')`;
    const problem = count === null ? { code: "value-overflow" } : { rows: [[count, count]] };
    expect(await problemOfSql(cluster(), text)).toMatchObject(problem);
  });

  test.each([
    ["compiled", "(row) => row.big / 3"],
    ["in the sandbox", "(row) => (Math.cos(0) * row.big) / 3"],
  ])("what a function returns that fits no column is no missing value: %s", async (_, source) => {
    const unread = { as: "unread", expression: { column: "name" } };
    const derive = [unread, { as: "third", js: source }];
    const query: Partial<Query> = { derive, aggregates: [{ fn: "count", column: "third" }] };
    const problem = await problemOf(cluster(), query);
    expect(problem).toMatchObject({
      ...{ code: "value-overflow", status: 422, retry: false },
      errors: [{ path: "derive[1]", code: "value-overflow" }],
    });
    const filter = [{ column: "name", op: "=" as const, value: "middle" }];
    expect((await askAll(cluster(), "t", { ...query, filter })).rows[0]?.[0]).toBe(1);
  });

  test.each<[string, string, unknown]>([
    ["-big", "bottom", null],
    ["abs(big)", "bottom", null],
    ["big - 1", "bottom", null],
    ["half * 2", "top", null],
    ["half * 2", "bottom", -(2n ** 63n)],
    ["half * half", "middle", 9223372030926249001n],
    ["half * half", "top", null],
    ["big / -1", "bottom", null],
    ["big / -1", "top", -max],
    ["big % -1", "bottom", 0],
    ["n * 0.5 + big", "top", null],
    ["coalesce(big + 1, 0)", "top", null],
    ["CASE WHEN n = 1 THEN 5 ELSE big - 1 END", "top", 5],
    ["CASE WHEN n = 1 THEN 5 ELSE big - 1 END", "bottom", null],
    ["least(big - n, 0)", "bottom", null],
    ["nullif(big, 0.5)", "top", max],
    ["nullif(n * 0.5, big)", "top", 0.5],
  ])("%s of the %s row", async (expression, name, value) => {
    const text = `SELECT max(${expression}) AS value\nFROM t\nWHERE ${range} AND name = '${name}'`;
    const { query } = readSql(text);
    if (value !== null) {
      const { rows: found } = await cluster().client.query({ ...query, exact: true });
      expect(found).toEqual([[value]]);
      return;
    }
    expect(await problemOfSql(cluster(), text)).toMatchObject({
      ...{ status: 422, code: "value-overflow", detail: expect.stringContaining("64 bits") },
      errors: [{ line: 1, column: 12, code: "value-overflow" }],
    });
  });
});

test("a sum beyond 64 bits is reported at its aggregate's place", async () => {
  const cluster = clusters.get("open")!;
  const text = `SELECT count(*),\n  sum(big) AS total\nFROM t WHERE ${range} AND name = 'top'`;
  const doubled = `SELECT count(*),\n  sum(greatest(big, ${max})) AS total\nFROM t WHERE ${range}`;
  expect(await problemOfSql(cluster, text)).toMatchObject({ rows: [[1, 1, String(max)]] });
  expect(await problemOfSql(cluster, doubled)).toMatchObject({
    ...{ status: 422, code: "sum-overflow" },
    errors: [{ line: 2, column: 3, code: "sum-overflow" }],
  });
});

test("what a function's limit refuses is reported at the function's place", async () => {
  const cluster = clusters.get("open")!;
  const endless = "(row) => { var i = 0; for (;;) { i++; } return i + row.n; }";
  const derive = [
    { as: "fine", js: "(row) => row.n + 1" },
    { as: "endless", js: endless },
  ];
  expect(await problemOf(cluster, { derive, groupBy: ["endless"] })).toMatchObject({
    code: "function-limit",
    errors: [{ path: "derive[1]", code: "function-limit" }],
  });
  const many = Array.from({ length: 5 }, (_, i) => ({
    as: `d${i}`,
    js: `(row) => { var x = row.n; return x + ${i}; }`,
  }));
  const problem = await problemOf(cluster, { derive: many, groupBy: many.map(({ as }) => as) });
  expect(problem).toMatchObject({
    code: "function-limit",
    errors: [{ path: "derive[4]", code: "function-limit" }],
  });
});

describe.each(["open", "sealed"])("a function in the sandbox of what is derived, %s", (which) => {
  const twice = { as: "twice", expression: { fn: "*", args: [{ column: "n" }, { value: 2 }] } };
  const shout = {
    as: "shout",
    expression: { fn: "concat", args: [{ column: "name" }, { value: "!" }, { column: "name" }] },
  };
  const both = { as: "both", js: "(row) => { var x = row.shout; return x + row.twice; }" };

  test("reads numbers and texts, and can be read again", async () => {
    const again = {
      as: "again",
      expression: { fn: "concat", args: [{ column: "both" }, { value: "?" }] },
    };
    const last = { as: "last", js: "(row) => { var x = row.again; return x.length; }" };
    const { rows: found } = await askAll(clusters.get(which)!, "t", {
      derive: [twice, shout, both, again, last] as readonly DerivedColumn[],
      groupBy: ["both", "again", "last"],
      orderBy: [{ by: "both" }],
    });
    expect(found.map((row) => row.slice(0, 3))).toEqual([
      ["bottom!bottom4", "bottom!bottom4?", 15],
      ["middle!middle6", "middle!middle6?", 15],
      ["top!top2", "top!top2?", 9],
    ]);
  });

  test("ends with a problem where one of the rows that it is asked of overflows", async () => {
    const over = {
      as: "over",
      expression: { fn: "+", args: [{ column: "big" }, { column: "n" }] },
    };
    const js = { as: "j", js: "(row) => { var x = row.over; return x + 1; }" };
    const query = { derive: [over, js] as readonly DerivedColumn[], groupBy: ["j"] };
    expect(await problemOf(clusters.get(which)!, query)).toMatchObject({
      code: "value-overflow",
      errors: [{ path: "derive[0].expression" }],
    });
    const filter = [{ column: "name", op: "=" as const, value: "middle" }];
    const { rows: found } = await askAll(clusters.get(which)!, "t", { ...query, filter });
    expect(found.map(([j]) => j)).toEqual([4]);
  });
});
