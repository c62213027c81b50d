import type { Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { answerDifference, sampleDifference } from "./compare/compareAnswers.js";
import { answerNaively } from "./naive/naiveEngine.js";
import { type SampleAnswer, sampleNaively } from "./naive/naiveSample.js";
import type { Cell } from "./query/answer.js";
import { shrinkQuery } from "./random/shrinkQuery.js";
import { oracleTables } from "./table/oracleTables.js";

const [table] = oracleTables(4, 300);
if (table === undefined) throw new Error("the oracle has no table");
const query: Query = {
  ...{ table: table.name, from: 0, to: Number.MAX_SAFE_INTEGER, groupBy: ["few", "flag"] },
  aggregates: [{ fn: "count" }, { fn: "avg", column: "small" }],
};
const answer = answerNaively(table, query);
const rows = answer.rows.map((row) => row.map((cell) => cell.value));

type Rows = (readonly Cell["value"][])[];

/** Answers that a judge must not let pass. */
const wrong: [string, (right: Rows) => Rows][] = [
  ["a row is missing", (right) => right.slice(1)],
  ["a row comes twice", (right) => [right[0] ?? [], right[0] ?? [], ...right.slice(2)]],
  ["two rows change places", ([a = [], b = [], ...rest]) => [b, a, ...rest]],
  ["a count is one off", ([a = [], ...rest]) => [a.with(2, Number(a[2]) + 1), ...rest]],
  [
    "an average is slightly off",
    ([a = [], ...rest]) => [a.with(4, Number(a[4]) * 1.000001), ...rest],
  ],
  ["a value is missing", ([a = [], ...rest]) => [a.with(4, null), ...rest]],
  ["a key has another name", ([a = [], ...rest]) => [a.with(0, "unknown"), ...rest]],
];

describe("the judge of answers", () => {
  test("lets the oracle's own answer pass", () => {
    expect(rows.length).toBeGreaterThan(5);
    expect(answerDifference(answer, rows)).toBeNull();
  });

  test.each(wrong)("sees that %s", (_, spoil) => {
    expect(answerDifference(answer, spoil(rows))).not.toBeNull();
  });

  test("allows what a sketch may be off, and no more", () => {
    const p95: Query = {
      ...query,
      aggregates: [{ fn: "percentile", column: "latency_us", p: 95 }],
    };
    const tolerant = answerNaively(table, p95, 0.01);
    const scaled = (by: number) =>
      tolerant.rows.map((row) =>
        row.map(({ value }, index) =>
          index === 2 && value !== null ? BigInt(Math.round(Number(value) * by)) : value,
        ),
      );
    expect(answerDifference(tolerant, scaled(1.009))).toBeNull();
    expect(answerDifference(tolerant, scaled(1.02))).not.toBeNull();
    // Near each other, and so in either order: of the two that the shown values have.
    const two = tolerant.rows.slice(0, 2).map((row) => row.with(2, { value: 1_000n, within: 10 }));
    const near = (...shown: readonly bigint[]) =>
      two.map((row, i) => row.map(({ value }, index) => (index === 2 ? shown[i]! : value)));
    const alike = { ...tolerant, rows: two };
    const firstOnly = { ...alike, limit: 1 };
    expect(answerDifference(firstOnly, near(1_000n, 999n).slice(1))).toBeNull();
    const farApart = two.with(1, two[1]!.with(2, { value: 900n, within: 9 }));
    expect(answerDifference({ ...firstOnly, rows: farApart }, near(1_000n, 900n).slice(1))).toMatch(
      "cut is",
    );
    expect(answerDifference(alike, near(1_002n, 1_001n))).toBeNull();
    expect(answerDifference(alike, near(1_001n, 1_002n))).toMatch("row 1 should stand before");
  });

  test("sees raw rows that are not there, too few, or out of order", () => {
    const asked: Query = { ...query, groupBy: [], sampleView: { columns: ["few"] }, limit: 50 };
    const [expected] = sampleNaively(table, asked) as [SampleAnswer];
    const newest = [...expected.rows].sort((a, b) => b.timeMs - a.timeMs);
    expect(sampleDifference(expected, newest.slice(0, 50))).toBeNull();
    expect(sampleDifference(expected, newest.slice(0, 49))).not.toBeNull();
    expect(sampleDifference(expected, newest.slice(1, 51))).not.toBeNull();
    const [first, ...others] = newest.slice(0, 50);
    const unknown = { timeMs: first?.timeMs ?? 0, values: ["unknown"] };
    expect(sampleDifference(expected, [unknown, ...others])).not.toBeNull();
  });
});

test("a failing query shrinks to what makes it fail", async () => {
  const culprit = { column: "few", op: "contains", value: "x" } as const;
  const large: Query = {
    ...query,
    filter: [
      { column: "small", op: ">", value: 1 },
      { any: [{ not: culprit }, { column: "flag", op: "is present" }] },
    ],
    ...{ limit: 10, orderBy: [{ by: "count" }], compare: { offset: "1d" } },
  };
  const small = await shrinkQuery(large, async (each) =>
    JSON.stringify(each.filter ?? []).includes("contains"),
  );
  const { table: name, from, to } = query;
  expect(small).toMatchObject({ table: name, from, to, groupBy: [], filter: [culprit] });
  expect(Object.keys(small).sort()).toEqual(
    ["aggregates", "filter", "from", "groupBy", "table", "to"].sort(),
  );
});
