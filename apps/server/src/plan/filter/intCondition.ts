import { type FilterValue, HadalError, resolveTime, timeColumn } from "@hadal/sdk";
import {
  type ExactDecimal,
  floorScaled,
  parseExactDecimal,
} from "../../base/number/decimalText.js";
import type { QueryClock } from "../query/queryClock.js";
import type { ResolvedFilter } from "../query/resolvedQuery.js";
import { describeColumn, type SchemaColumn, typeMismatch } from "../schema/tableSchema.js";

/**
 * Beyond what 64 bits hold at any scale. Rows that came before their column got its decimals may hold larger numbers
 * than it has room for now, so that bounds are not cut to 64 bits here, but where the rows are.
 */
const farthest = 10n ** 60n;

interface TimePlace extends QueryClock {
  readonly path: string;
}

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A comparison of an integer column, as the range of stored integers in which it holds. */
export function compareInt(
  column: SchemaColumn,
  op: Comparison,
  value: FilterValue,
  place: TimePlace & { readonly negated: boolean },
): ResolvedFilter {
  const { floor, exact } = floorScaled(readNumber(column, value, place), column.decimals);
  const negated = op === "!=" ? !place.negated : place.negated;
  const range = (low: bigint, high: bigint): ResolvedFilter => ({
    kind: "range",
    column: column.name,
    decimals: column.decimals,
    low: low.toString(),
    high: high.toString(),
    negated,
  });
  switch (op) {
    case "=":
    case "!=":
      return exact ? range(floor, floor) : range(1n, 0n);
    case "<":
      return range(-farthest, exact ? floor - 1n : floor);
    case "<=":
      return range(-farthest, floor);
    case ">":
      return range(floor + 1n, farthest);
    case ">=":
      return range(exact ? floor : floor + 1n, farthest);
  }
}

/** `in`: values that no row can hold drop out. */
export function includeInts(
  column: SchemaColumn,
  values: readonly FilterValue[],
  place: TimePlace & { readonly negated: boolean },
): ResolvedFilter {
  const texts = new Set<string>();
  for (const [i, value] of values.entries()) {
    const number = readNumber(column, value, { ...place, path: `${place.path}[${i}]` });
    const { floor, exact } = floorScaled(number, column.decimals);
    if (exact) texts.add(floor.toString());
  }
  return {
    kind: "ints",
    column: column.name,
    decimals: column.decimals,
    values: [...texts],
    negated: place.negated,
  };
}

function readNumber(column: SchemaColumn, value: FilterValue, place: TimePlace): ExactDecimal {
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

function readTime(text: string, place: TimePlace) {
  try {
    return { digits: BigInt(resolveTime(text, place.nowMs, place.timeZone)), scale: 0 };
  } catch (error) {
    if (error instanceof HadalError) throw typeMismatch(place.path, error.message);
    throw error;
  }
}
