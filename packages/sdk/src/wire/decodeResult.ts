import type { Result, ResultValue } from "../model/result.js";
import type { AnsweringFrame } from "./frames.js";

/** A result as JSON has it → as the SDK hands it out: integers beyond 2^53 become BigInt; decimals stay text where a number would lose digits. */
export function decodeResult(result: Result): Result {
  const intIndexes = result.columns.flatMap((column, i) => (column.type === "int" ? [i] : []));
  if (intIndexes.length === 0) return result;
  let rows: (typeof result.rows)[number][] | null = null;
  for (let r = 0; r < result.rows.length; r++) {
    const row = result.rows[r]!;
    if (!intIndexes.some((i) => typeof row[i] === "string")) continue;
    // Rows are copied only where a large integer is found: most answers have none.
    rows ??= [...result.rows];
    rows[r] = row.map((value, i) => (intIndexes.includes(i) ? decodeInt(value) : value));
  }
  return rows === null ? result : { ...result, rows };
}

function decodeInt(value: ResultValue): ResultValue {
  return typeof value === "string" ? BigInt(value) : value;
}

/** The result inside a frame. */
export function resultOfFrame(frame: AnsweringFrame): Result {
  if (frame.kind !== "partial" && frame.kind !== "final")
    throw new Error("a query is answered with a result");
  const { kind: _kind, id: _id, seq: _seq, ...result } = frame;
  return decodeResult(result);
}
