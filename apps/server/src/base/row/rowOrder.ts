import { compareCodePoints } from "../text/codePointOrder.js";

/** How rows are ordered by one column. */
export interface RowOrder {
  readonly desc: boolean;
  /** Position of rows without a value. */
  readonly nullsFirst: boolean;
}

export type OrderKey = bigint | string | null;

/** Below 0 if a comes before b. Values of one column are all integers or all strings, which sort by code point. */
export function compareKeys({ desc, nullsFirst }: RowOrder, a: OrderKey, b: OrderKey): number {
  if (a === b) return 0;
  if (a === null || b === null) return (a === null) === nullsFirst ? -1 : 1;
  const ascending =
    typeof a === "string" && typeof b === "string" ? compareCodePoints(a, b) : a < b ? -1 : 1;
  return desc ? -ascending : ascending;
}
