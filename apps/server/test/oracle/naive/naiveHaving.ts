import type { Having } from "@hadal/sdk";
import type { AnswerColumn, Cell } from "../query/answer.js";
import { compareCodePoints } from "../table/oracleTable.js";
import { naiveHolds } from "./naiveHolds.js";

/** Whether all conditions hold of a finished row; a comparison with a missing value does not. */
export function passesHaving(
  having: readonly Having[],
  columns: readonly AnswerColumn[],
  cells: readonly Cell[],
): boolean {
  return having.every(({ column, op, value }) => {
    const index = columns.findIndex(({ name }) => name === column);
    const cell = cells[index]?.value ?? null;
    if (op === "is missing") return cell === null;
    if (op === "is present") return cell !== null;
    if (cell === null || value === undefined) return false;
    if (typeof cell === "string") return naiveHolds(op, compareCodePoints(cell, String(value)));
    if (typeof cell === "number") return naiveHolds(op, cell - Number(value));
    const { digits, scale } = decimalOf(value);
    const unit = 10n ** BigInt(columns[index]?.decimals ?? 0);
    const [a, b] = [(cell as bigint) * 10n ** BigInt(scale), digits * unit];
    return naiveHolds(op, a < b ? -1 : a > b ? 1 : 0);
  });
}

/** 12.5 as 125 ÷ 10^1. */
export function decimalOf(value: number | string): { digits: bigint; scale: number } {
  const [whole = "0", fraction = ""] = String(value).split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}
