import { nameOf } from "../column/cellChecks.js";
import type { PathNode } from "../column/rowPath.js";
import type { NumberText } from "../value/numberText.js";
import { quote, RowRejected } from "../value/rowRejected.js";

/**
 * Rows that are wrapped in an object are read as one row without a time: the message says how to
 * unwrap them.
 */
export function missingTime(row: object, timeName: string): RowRejected {
  const missing = `The row has no \`${timeName}\`.`;
  const wrapping = Object.entries(row).find(
    ([, value]) => Array.isArray(value) && value.length > 0 && value.every(isObject),
  );
  if (wrapping === undefined) return new RowRejected("time-missing", missing);
  const name = quote(wrapping[0]);
  const hint = `If the rows are those in ${name}, send that list alone, as from jq '.[${name}]'.`;
  return new RowRejected("time-missing", `${missing} ${hint}`);
}

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function outOfRange(node: PathNode, number: number | NumberText): RowRejected {
  const detail = `${nameOf(node)} is ${quote(number)}, which 64 bits do not hold.`;
  return new RowRejected("number-out-of-range", detail);
}
