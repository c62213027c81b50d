import { describe, expect, test } from "vitest";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { finalizeResult } from "../finish/finalizeResult.js";
import { resolveQuery } from "../function/resolveQuery.js";
import { mergePartials } from "../merge/mergePartials.js";
import { partialOfRows } from "../testing/partialOfRows.js";
import { cutGroups } from "./cutGroups.js";

const table = createTableSchema("requests", [
  { name: "user", type: "string", decimals: 0 },
  { name: "bytes", type: "int", decimals: 0 },
]);

/** `users` users; user u has (u mod 17) + 1 rows of u bytes, spread over ten minutes, and half of them an hour before. */
function rowsOf(users: number): OracleRow[] {
  return Array.from({ length: users }, (_, user) => {
    const count = (user % 17) + 1;
    return Array.from({ length: count }, (_, i): OracleRow => {
      const hourBefore = user % 2 === 0 && i % 2 === 0;
      return {
        timeMs: ((user + i) % 10) * 60_000 + (hourBefore ? 0 : 3_600_000),
        values: new Map<string, string | bigint>([
          ["user", `user-${String(user).padStart(5, "0")}`],
          ["bytes", BigInt(user)],
        ]),
      };
    });
  }).flat();
}

const range = { from: 3_600_000, to: 4_200_000 };

function bothWays(
  query: Omit<Parameters<typeof resolveQuery>[0], "table" | "from" | "to">,
  users = 400,
) {
  const split = resolveQuery({ table: "requests", ...range, ...query }, table, 0);
  const whole = partialOfRows(rowsOf(users), split.resolved);
  const cut = cutGroups(whole, split.resolved);
  const finish = (partial: typeof whole) =>
    finalizeResult(mergePartials([partial], split.resolved), split);
  return { whole, cut, full: finish(whole), shown: finish(cut) };
}

describe("a leaf's cut", () => {
  test.each([
    ["the first aggregate", {}],
    ["another one, ascending", { orderBy: [{ by: "avg_bytes" }] }],
    ["a percentile", { orderBy: [{ by: "p90_bytes", desc: true }] }],
    ["a key", { orderBy: [{ by: "user", desc: true }] }],
    ["two", { orderBy: [{ by: "count" }, { by: "max_bytes", desc: true }] }],
  ])("keeps the best by %s", (_, order) => {
    const { cut, full, shown } = bothWays({
      groupBy: ["user"],
      aggregates: [
        { fn: "count" },
        { fn: "avg", column: "bytes" },
        { fn: "max", column: "bytes" },
        { fn: "percentile", column: "bytes", p: 90 },
      ],
      limit: 20,
      ...order,
    });
    expect(cut.sides[0]).toMatchObject({ groupCount: 100 });
    expect(shown.rows).toEqual(full.rows);
    // What the limit left out and what the leaf did are both left out.
    expect(shown.truncated).toEqual(full.truncated);
  });

  test.each([
    ["stddev", false],
    ["stddev", true],
    ["avg", false],
    ["avg", true],
  ] as const)(
    "keeps a group whose %s overflows, descending %s: it ends the query whatever its rank",
    (fn, desc) => {
      const aggregates = [{ fn, column: "bytes" }] as const;
      const orderBy = [{ by: `${fn}_bytes`, desc }];
      const query = {
        table: "requests",
        ...range,
        groupBy: ["user"],
        aggregates,
        orderBy,
        limit: 3,
      };
      const split = resolveQuery(query, table, 0);
      const values = new Map<string, string | bigint>([
        ["user", "huge"],
        ["bytes", 2n ** 62n],
        ["sample_rate", 2n ** 31n - 1n],
      ]);
      const rows = [...rowsOf(400), { timeMs: range.from, values }];
      const cut = cutGroups(partialOfRows(rows, split.resolved), split.resolved);
      expect(() => finalizeResult(mergePartials([cut], split.resolved), split)).toThrow(
        expect.objectContaining({ code: "sum-overflow" }),
      );
    },
  );

  test("leaves alone what is few enough", () => {
    const { whole, cut } = bothWays({ groupBy: ["user"], limit: 20 }, 100);
    expect(cut).toBe(whole);
  });

  test("by series keeps all points of the best", () => {
    const { cut, full, shown } = bothWays({
      groupBy: [{ time: "1m" }, "user"],
      aggregates: [{ fn: "sum", column: "bytes" }],
      series: 10,
    });
    expect(cut.sides[0]?.groupsCut).toBeGreaterThan(0);
    expect(shown.rows).toEqual(full.rows);
    expect(shown.truncated?.series).toBe(full.truncated?.series);
    expect(new Set(shown.rows.map(([, user]) => user)).size).toBe(10);
  });

  test("keeps on both sides what is among the best of one", () => {
    const { cut, full, shown } = bothWays({
      groupBy: ["user"],
      aggregates: [{ fn: "count" }, { fn: "sum", column: "bytes" }],
      compare: { offset: "1h" },
      limit: 20,
    });
    const [main, base] = cut.sides;
    expect(main?.groupsCut).toBeGreaterThan(0);
    expect(base?.groupCount).toBeGreaterThan(0);
    expect(shown.rows).toEqual(full.rows.map((row, i) => withUnknown(row, shown.rows[i]!)));
  });
});

/** A group that a cut side lacks may have had rows: its count there is missing, not 0. */
function withUnknown(full: readonly unknown[], shown: readonly unknown[]): readonly unknown[] {
  return full.map((cell, i) =>
    shown[i] === null && (cell === 0 || shown[3] === null) ? null : cell,
  );
}
