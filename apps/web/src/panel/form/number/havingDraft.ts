import type { Having, HavingOperator } from "@hadal/sdk";

/** The fields of the editor of a condition on groups, as typed. */
export interface HavingDraft {
  readonly column: string;
  readonly op: HavingOperator;
  readonly text: string;
}

type HavingResult =
  | { readonly ok: true; readonly condition: Having }
  | { readonly ok: false; readonly reason: string };

export const takesValue = (op: HavingOperator): boolean =>
  op !== "is missing" && op !== "is present";

/** The condition of the draft, or the reason why it is invalid. */
export function readHaving({ column, op, text }: HavingDraft): HavingResult {
  const typed = text.trim();
  if (!takesValue(op)) return { ok: true, condition: { column, op } };
  if (typed === "") return { ok: false, reason: "Enter a value." };
  return { ok: true, condition: { column, op, value: readValue(typed) } };
}

/** The default column: the first aggregate, which follows the group columns. */
export const firstAggregate = (names: readonly string[], groupCount: number): string =>
  names[names.length > groupCount ? groupCount : 0] ?? names[0] ?? "";

/** A number beyond 2^53 is sent as its digits. */
function readValue(text: string): number | string {
  const number = Number(text);
  const isExact =
    Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? number : text;
}
