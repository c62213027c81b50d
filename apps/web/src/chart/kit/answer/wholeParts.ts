import { formatShare } from "../../../format/change.js";
import { type Difference, differencesOf, isUnsure, sumOfDifferences } from "./difference.js";
import type { GroupCell } from "./intent.js";
import type { PartErrors } from "./partErrors.js";
import {
  asAmount,
  asNumber,
  type ChartInput,
  type ChartMeasure,
  groupOf,
  indexOfColumn,
} from "./series.js";
import type { Whole } from "./whole.js";

/** How much something is, and how much it was on side B. */
export interface Sides {
  readonly now: number;
  readonly was: number;
}

/** One group of an answer as a part of a whole. */
export interface Part extends Sides {
  readonly group: readonly GroupCell[];
  readonly difference: Difference;
}

/** The groups of an answer, in its order. */
export function partsOf(
  { result, groupColumns, texts }: ChartInput,
  measure: ChartMeasure,
): readonly Part[] {
  const indexes = groupColumns.map((name) => indexOfColumn(result, name));
  const nowIndex = indexOfColumn(result, measure.name);
  const wasIndex = indexOfColumn(result, `${measure.name}.compare`);
  const differenceAt = differencesOf(result, measure.name);
  return result.rows.map((row, at) => ({
    group: groupOf(row, groupColumns, indexes, texts),
    now: asNumber(asAmount(row[nowIndex])) ?? 0,
    was: asNumber(asAmount(row[wasIndex])) ?? 0,
    difference: differenceAt(at),
  }));
}

/** What is below 0 cannot be drawn as a size. */
export const hasSize = ({ now, was }: Sides): boolean => now >= 0 && was >= 0;

/** The drawn size: the current amount, or the earlier one if nothing is left. */
export const sizeOf = ({ now, was }: Sides): number => (now > 0 ? now : was);

/** Several parts together, and whether their difference may be none. */
export function amountsOf(
  parts: readonly Pick<Part, "now" | "was" | "difference">[],
  partErrors: PartErrors,
) {
  const differences = parts.map(({ difference }) => difference);
  return {
    now: sum(parts, "now"),
    was: sum(parts, "was"),
    unsure: isUnsure(sumOfDifferences(differences, partErrors)),
  };
}

/** What the parts leave of the whole: groups that the answer left out; null: nothing. */
export function restOf(parts: readonly Sides[], whole: Whole): Sides | null {
  const now = Math.max(0, (asNumber(whole.now) ?? 0) - sum(parts, "now"));
  const was = Math.max(0, (asNumber(whole.was) ?? 0) - sum(parts, "was"));
  return now === 0 && was === 0 ? null : { now, was };
}

/** The difference of what the parts leave: exact where those of the parts are, else unknown. */
export function differenceOfRest({ now, was }: Sides, parts: readonly Pick<Part, "difference">[]) {
  const isExact = parts.every(({ difference }) => difference.error === "exact");
  const error = isExact ? ("exact" as const) : ("unknown" as const);
  return { value: now - was, error, size: Math.max(now, was) };
}

/** What shares are of: the whole; until it has come the parts together, or null where a row may be in several. */
export function wholeOfShares(
  parts: readonly Sides[],
  { whole, overlap }: { readonly whole: Whole | null; readonly overlap: boolean },
): Sides | null {
  if (whole !== null) return { now: asNumber(whole.now) ?? 0, was: asNumber(whole.was) ?? 0 };
  return overlap ? null : { now: sum(parts, "now"), was: sum(parts, "was") };
}

/** The share of a part; empty: unknown. */
export const shareText = (part: number, whole: number | undefined): string =>
  whole === undefined || whole < 0 || (whole === 0 && part > 0)
    ? ""
    : formatShare(whole === 0 ? 0 : part / whole);

const sum = (parts: readonly Sides[], side: keyof Sides): number =>
  parts.reduce((total, part) => total + part[side], 0);
