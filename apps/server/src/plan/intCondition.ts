import { type FilterValue, HadalError, resolveTime, timeColumn } from "@hadal/sdk";
import { type ExactDecimal, floorScaled, parseExactDecimal } from "./decimalText.js";
import type { ResolvedFilter } from "./resolvedQuery.js";
import { describeColumn, type SchemaColumn, typeMismatch } from "./tableSchema.js";

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A comparison of an integer column, as the range of stored integers in which it holds. */
export function compareInt(
  column: SchemaColumn,
  op: Comparison,
  value: FilterValue,
  place: { readonly path: string; readonly nowMs: number; readonly negated: boolean },
): ResolvedFilter {
  const { floor, exact } = floorScaled(readNumber(column, value, place), column.decimals);
  const negated = op === "!=" ? !place.negated : place.negated;
  const range = (low: bigint, high: bigint): ResolvedFilter => ({
    kind: "range",
    column: column.name,
    decimals: column.decimals,
    ...clampRange(low, high),
    negated,
  });
  switch (op) {
    case "=":
    case "!=":
      return exact ? range(floor, floor) : range(1n, 0n);
    case "<":
      return range(int64Min, exact ? floor - 1n : floor);
    case "<=":
      return range(int64Min, floor);
    case ">":
      return range(floor + 1n, int64Max);
    case ">=":
      return range(exact ? floor : floor + 1n, int64Max);
  }
}

/** `in`: values that no row can hold drop out. */
export function includeInts(
  column: SchemaColumn,
  values: readonly FilterValue[],
  place: { readonly path: string; readonly nowMs: number; readonly negated: boolean },
): ResolvedFilter {
  const texts = new Set<string>();
  for (const [i, value] of values.entries()) {
    const number = readNumber(column, value, { ...place, path: `${place.path}[${i}]` });
    const { floor, exact } = floorScaled(number, column.decimals);
    if (exact && floor >= int64Min && floor <= int64Max) texts.add(floor.toString());
  }
  return {
    kind: "ints",
    column: column.name,
    decimals: column.decimals,
    values: [...texts],
    negated: place.negated,
  };
}

/** A range within int64; (1, 0), the empty one, when nothing of it lies there. */
function clampRange(low: bigint, high: bigint): { readonly low: string; readonly high: string } {
  const clampedLow = low < int64Min ? int64Min : low;
  const clampedHigh = high > int64Max ? int64Max : high;
  if (clampedLow > clampedHigh) return { low: "1", high: "0" };
  return { low: clampedLow.toString(), high: clampedHigh.toString() };
}

function readNumber(
  column: SchemaColumn,
  value: FilterValue,
  place: { readonly path: string; readonly nowMs: number },
): ExactDecimal {
  if (typeof value === "bigint") return { digits: value, scale: 0 };
  if (typeof value === "number" && Number.isInteger(value)) {
    return { digits: BigInt(value), scale: 0 };
  }
  if (typeof value !== "boolean") {
    const number = parseExactDecimal(String(value).trim());
    if (number !== null) return number;
    if (column.name === timeColumn && typeof value === "string") return readTime(value, place);
  }
  throw typeMismatch(
    place.path,
    `Column ${describeColumn(column)} compares with numbers; found ${JSON.stringify(value)}.`,
  );
}

function readTime(text: string, place: { readonly path: string; readonly nowMs: number }) {
  try {
    return { digits: BigInt(resolveTime(text, place.nowMs)), scale: 0 };
  } catch (error) {
    if (error instanceof HadalError) throw typeMismatch(place.path, error.message);
    throw error;
  }
}
