import { int64Max, int64Min } from "../term/cell.js";
import type { BoundTerm, CallTerm } from "./boundTerm.js";

/** Whether the side with fewer decimals fits 64 bits with as many as the other. */
export function comparesAtOneScale(left: BoundTerm, right: BoundTerm): boolean {
  const factor = 10n ** BigInt(Math.abs(right.decimals - left.decimals));
  const coarse = right.decimals > left.decimals ? left : right;
  return coarse.min * factor >= int64Min && coarse.max * factor <= int64Max;
}

/** Also where there is no value: whatever lies there is divided by as well. */
export const mayBeZero = (term: BoundTerm): boolean =>
  !isSure(term) || (term.min <= 0n && term.max >= 0n);

export const mayBeMinusOne = (term: BoundTerm): boolean =>
  !isSure(term) || (term.min <= -1n && term.max >= -1n);

/** Terms of a value that costs less than a branch that is guessed wrong. */
const selectedTermsMax = 6;

/** A choice between two values that every row has, both cheap. */
export function isSelected({ args }: CallTerm): boolean {
  const [condition, yes, no] = args;
  if (condition === undefined || yes === undefined || no === undefined) return false;
  if (args.length !== 3 || condition.mayOverflow || !isSure(yes) || !isSure(no)) return false;
  return termsOf(yes) + termsOf(no) <= selectedTermsMax;
}

function termsOf(term: BoundTerm): number {
  if (term.kind !== "call") return 1;
  const isCostly = term.checked || !["+", "-", "*", "least", "greatest"].includes(term.fn);
  if (isCostly) return selectedTermsMax + 1;
  return term.args.reduce((sum, arg) => sum + termsOf(arg), 1);
}

/** Whether every row has a value, and so one that lies where the facts say. */
export const isSure = ({ mayMiss, mayOverflow }: BoundTerm): boolean => !mayMiss && !mayOverflow;

export function decimalsOf(args: readonly BoundTerm[]): number {
  return args.reduce((sum, { decimals }) => sum + decimals, 0);
}
