import type { Filter, TableDetail } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valuesQuery, withinLongest } from "./columnValues.js";

const tableWith = (decimals: number): TableDetail =>
  ({
    name: "t",
    columns: [{ name: "n", type: "int", decimals }],
    fromMs: 0,
    toMs: 1,
  }) as unknown as TableDetail;

const filtersFor = (prefix: string): readonly Filter[] =>
  valuesQuery(tableWith(0), { column: "n", prefix, from: undefined, to: undefined, limit: 5 })
    .filter ?? [];

/** Whether an integer passes filters of comparisons. */
function passes(filters: readonly Filter[], value: bigint): boolean {
  return filters.every((filter) => {
    if ("any" in filter) return filter.any.some((part) => passes([part], value));
    if ("all" in filter) return passes(filter.all, value);
    if ("not" in filter) return !passes([filter.not], value);
    const term = BigInt(String(filter.value));
    if (filter.op === "<") return value < term;
    return filter.op === ">=" ? value >= term : value <= term;
  });
}

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -2_000n, max: 2_000n }),
  fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 0n),
);

it("values are those of all rows, however old the description of the table is", () => {
  const { from, to } = valuesQuery(tableWith(0), {
    column: "n",
    prefix: "",
    from: undefined,
    to: undefined,
    limit: 5,
  });
  expect([from, to]).toEqual([
    Date.parse("0001-01-01T00:00Z"),
    Date.parse("9999-12-31") + 86_400_000,
  ]);
});

describe("values of a column of integers that start with some digits", () => {
  it("are asked for before the limit cuts: exactly those", () => {
    fc.assert(
      fc.property(int64, int64, fc.nat(20), (value, other, length) => {
        const prefix = String(other).slice(0, length + 1);
        expect(passes(filtersFor(prefix), value)).toBe(String(value).startsWith(prefix));
        expect(passes(filtersFor(prefix), other)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("are asked for with fractions as often as may be, and cut afterwards", () => {
    const ask = (prefix: string) =>
      valuesQuery(tableWith(6), { column: "n", prefix, from: undefined, to: undefined, limit: 5 });
    expect(ask("3.").limit).toBe(10_000);
    expect(ask("").limit).toBe(5);
  });
});

it("an embed that names no range has the longest that its token allows, up to now", () => {
  const nowMs = 1_000_000;
  const none = { from: undefined, to: undefined };
  expect(withinLongest(none, undefined, nowMs)).toEqual(none);
  expect(withinLongest(none, 60_000, nowMs)).toEqual({ from: nowMs - 60_000, to: nowMs });
  expect(withinLongest({ from: undefined, to: "now-5m" }, 60_000, nowMs)).toEqual({
    ...{ from: nowMs - 360_000, to: "now-5m" },
  });
  expect(withinLongest({ from: 7, to: 9 }, 60_000, nowMs)).toEqual({ from: 7, to: 9 });
});
