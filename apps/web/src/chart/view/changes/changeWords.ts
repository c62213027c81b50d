import type {
  ChangedValue,
  ColumnChange,
  HiddenColumn,
  HiddenReason,
  ValueChange,
  WhatChanged,
} from "@hadal/sdk";
import { formatSpan } from "../../../format/value.js";

/** A value as it is shown: with its unit, and words for what has none. */
export function valueText(is: ChangedValue, unit: string | undefined): string {
  if (is.kind === "range") return formatSpan(is.from, is.to, { unit });
  if (is.value === null) return "no value";
  if (is.value === "") return "(empty)";
  return String(is.value);
}

export const percent = (share: number): string => {
  const of100 = share * 100;
  if (of100 === 0) return "0 %";
  return of100 < 0.1 ? "<0.1 %" : `${of100.toFixed(of100 < 10 ? 1 : 0)} %`;
};

/** Rows of a key are there or missing together, so that nothing can be tested. */
const unsureText = "not known how sure: rows are sampled by a key";

/** How likely it is that any find is there by chance. */
export const chanceText = ({ chance, sampledByKey }: WhatChanged): string =>
  sampledByKey === undefined ? `any of these by chance: ${percent(chance)}` : unsureText;

/** How sure a find is, in words: chance has been counted over all comparisons. */
export function sureness({ p }: Pick<ValueChange, "p">): string {
  if (p === null) return "too few rows to test";
  if (p === 1) return unsureText;
  if (p < 1e-9) return "beyond chance";
  if (p < 1e-6) return "chance: below one in a million";
  if (p < 1e-3) return "chance: below one in a thousand";
  return "chance: below one in a hundred";
}

export const differenceText = ({ best }: Pick<ColumnChange, "best">): string => {
  const points = Math.abs(best.difference) * 100;
  return `${points.toFixed(points < 10 ? 1 : 0)} points ${best.difference > 0 ? "more" : "less"}`;
};

const reasons: Readonly<Record<HiddenReason, string>> = {
  "near-unique": "a value of its own for nearly every row",
  "too-many-values": "more values than can be compared",
  "tells-the-sets-apart": "the sides are made by it",
};

export const hiddenText = ({ name, reason }: HiddenColumn): string =>
  `${name} (${reasons[reason]})`;
