import type { FilterOperator } from "@hadal/sdk";
import { splitPasted, takesSequence } from "../../../query/filter/operators.js";

/** The text of these operators may contain commas. */
const textOperators: ReadonlySet<FilterOperator> = new Set<FilterOperator>(["~", "!~", "contains"]);

/** The values in a typed or pasted text. */
export const splitTyped = (text: string, op: FilterOperator): readonly string[] =>
  textOperators.has(op) ? [text] : splitPasted(text);

/** Adds values. A sequence keeps its order and repeats, a list has each value once. */
export function joinTokens(
  tokens: readonly string[],
  added: readonly string[],
  op: FilterOperator,
): readonly string[] {
  return takesSequence(op) ? [...tokens, ...added] : [...new Set([...tokens, ...added])];
}
