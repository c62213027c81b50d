import { type AggregateSpec, aggregateName, type Result } from "@hadal/sdk";
import type { Spread } from "../../query/group/bins.js";
import type { NumbersQuery } from "../../query/number/askedNumbers.js";
import type { ViewOption } from "./viewSpec.js";

/** Aggregates for the range of a column's numbers and for where most of them are. */
export const spreadAggregates = (column: string): AggregateSpec[] => [
  { fn: "min", column },
  { fn: "max", column },
  ...[0.5, 50, 99.5].map((p): AggregateSpec => ({ fn: "percentile", column, p })),
];

/** The query for the spread of these columns, on both sides of a comparison. */
export const spreadProbe = (counted: NumbersQuery, columns: readonly string[]): NumbersQuery => ({
  ...counted,
  aggregates: [{ fn: "count.raw" }, ...columns.flatMap(spreadAggregates)],
});

/** The spread of a column over all rows of a probe and both sides; null where there are no numbers. */
export function spreadOf(result: Result | null, column: string): Spread | null {
  if (result === null) return null;
  const [min, max, low, middle, high] = spreadAggregates(column).map((spec) =>
    numbersOf(result, aggregateName(spec)),
  );
  if (min === undefined || max === undefined || min.length === 0 || max.length === 0) return null;
  const least = smallest(min);
  const most = largest(max);
  return {
    min: least,
    max: most,
    low: smallest([...(low ?? []), most]),
    middle: largest([...(middle ?? []), least]),
    high: largest([...(high ?? []), least]),
  };
}

/** Integers beyond 2^53 are BigInts, which Math does not take. */
type Amounts = readonly (number | bigint)[];
const smallest = (amounts: Amounts): number | bigint => ordered(amounts)[0] ?? 0;
const largest = (amounts: Amounts): number | bigint => ordered(amounts).at(-1) ?? 0;
const ordered = (amounts: Amounts) => [...amounts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** The first of these columns without numbers in the probe; null: each has some, or there was no probe. */
export const columnWithoutNumbers = (
  probed: Result | null,
  columns: readonly string[],
): string | null =>
  probed === null ? null : (columns.find((column) => spreadOf(probed, column) === null) ?? null);

/** Even or logarithmic bins; by default as the numbers suggest. */
export const scaleOption: ViewOption = {
  name: "scale",
  label: "Scale",
  choices: () => [
    { value: "auto", label: "by the values" },
    { value: "linear", label: "linear" },
    { value: "log", label: "logarithmic" },
  ],
};

function numbersOf(result: Result, name: string): (number | bigint)[] {
  const indexes = result.columns.flatMap((column, i) =>
    column.name === name || column.name === `${name}.compare` ? [i] : [],
  );
  return result.rows.flatMap((row) =>
    indexes.flatMap((index) => {
      const value = row[index];
      if (value === null || value === undefined) return [];
      return [typeof value === "bigint" ? value : Number(value)];
    }),
  );
}
