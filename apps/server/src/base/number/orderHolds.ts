import { unreachable } from "../assert.js";

export type OrderComparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** Whether a comparison is true for this order of its operands: below 0 the left one is smaller. */
export function orderHolds(op: OrderComparison, order: number): boolean {
  switch (op) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    default:
      return unreachable(op);
  }
}
