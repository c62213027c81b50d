import type { HistogramBound, HistogramBucket, Result, ResultValue } from "../model/result.js";
import type { AnsweringFrame } from "./frames.js";

/**
 * A result as JSON has it → as the SDK hands it out: integers beyond 2^53 become BigInt; decimals
 * stay text where a number would lose digits.
 */
export function decodeResult(result: Result): Result {
  const indexes = result.columns.flatMap(({ type }, i) =>
    type === "int" || type === "histogram" ? [i] : [],
  );
  if (indexes.length === 0) return result;
  let rows: (typeof result.rows)[number][] | null = null;
  for (let r = 0; r < result.rows.length; r++) {
    const row = result.rows[r]!;
    if (!indexes.some((i) => isCoded(row[i] ?? null))) continue;
    // Rows are copied only where a large integer is found: most answers have none.
    rows ??= [...result.rows];
    rows[r] = row.map((value, i) => (indexes.includes(i) ? decodeInts(value) : value));
  }
  return rows === null ? result : { ...result, rows };
}

/** An integer as its digits, or buckets between such. */
function isCoded(value: ResultValue): boolean {
  return typeof value === "string" || (isBuckets(value) && value.some(hasDigits));
}

function decodeInts(value: ResultValue): ResultValue {
  if (typeof value === "string") return BigInt(value);
  if (!isBuckets(value)) return value;
  return value.map(([low, high, count]) => [decodeBound(low), decodeBound(high), count] as const);
}

const hasDigits = ([low, high]: HistogramBucket): boolean =>
  typeof low === "string" || typeof high === "string";

/** Fractions stay text. */
const decodeBound = (bound: HistogramBound): HistogramBound =>
  typeof bound === "string" && /^-?\d+$/.test(bound) ? BigInt(bound) : bound;

function isBuckets(value: ResultValue): value is readonly HistogramBucket[] {
  return Array.isArray(value) && Array.isArray(value[0]);
}

/** The result inside a frame. */
export function resultOfFrame(frame: AnsweringFrame): Result {
  if (frame.kind !== "partial" && frame.kind !== "final")
    throw new Error("a query is answered with a result");
  const { kind: _kind, id: _id, tile: _tile, seq: _seq, ...result } = frame;
  return decodeResult(result);
}
