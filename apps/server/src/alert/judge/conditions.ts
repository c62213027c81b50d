import { median } from "../../base/number/median.js";
import { type FullRule, isPerGroup } from "../rule/fullRule.js";
import type { Verdict } from "./verdict.js";
import type { GroupValue } from "./windowAnswer.js";

const noRows = "the window has no value";

/** Above or below a bound. */
export function judgeBound(one: GroupValue, bound: number, rule: FullRule): Verdict {
  const { value, interval } = one;
  if (value === null) return { ...one, kind: "unknown", reason: noRows };
  const isAbove = rule.condition.op === "above";
  const isBeyond = (number: number): boolean => (isAbove ? number > bound : number < bound);
  const nearest = interval === null ? value : isAbove ? interval[0] : interval[1];
  return beyond(one, isBeyond(value), isBeyond(nearest), rule);
}

/** Changed by more than so many percent, in either direction. */
export function judgeChange(
  one: GroupValue,
  before: GroupValue | undefined,
  percent: number,
  rule: FullRule,
): Verdict {
  const compared = before?.value ?? null;
  const given = { ...one, compared };
  if (one.value === null) return { ...given, kind: "unknown", reason: noRows };
  if (before === undefined || compared === null) {
    // A group that had no rows then is new, not changed.
    if (isPerGroup(rule)) return { ...given, kind: "fine" };
    return { ...given, kind: "unknown", reason: "the time that is compared has no value" };
  }
  const isMore = one.value > compared;
  const [low, high] = one.interval ?? [one.value, one.value];
  const [lowBefore, highBefore] = before.interval ?? [compared, compared];
  // The ends of both bars that are nearest to one another.
  const [now, then] = isMore ? [low, highBefore] : [high, lowBefore];
  const isApart = isMore ? now > then : now < then;
  const changed = (value: number, from: number): boolean =>
    from === 0 ? value !== 0 : (Math.abs(value - from) / Math.abs(from)) * 100 > percent;
  return beyond(given, changed(one.value, compared), isApart && changed(now, then), rule);
}

/** Of fewer weeks nothing is usual. */
const bandValuesMin = 3;
/** Values that are all alike would make every other one unusual. */
const spreadShareMin = 0.01;
/** The median distance of a normal distribution, as its standard deviation. */
const deviations = 1.4826;

/** Further from the median of earlier values than so many times their spread. */
export function judgeBand(
  one: GroupValue,
  before: readonly (number | null)[],
  width: number,
  rule: FullRule,
): Verdict {
  const known = before.filter((value) => value !== null);
  if (one.value === null) return { ...one, kind: "unknown", reason: noRows };
  if (known.length < bandValuesMin) {
    if (isPerGroup(rule) && known.length === 0) return { ...one, kind: "fine" };
    const reason = `only ${known.length} earlier windows are known, at least ${bandValuesMin} are needed`;
    return { ...one, kind: "unknown", reason };
  }
  const usual = median(known);
  const distances = known.map((value) => Math.abs(value - usual));
  const spread = Math.max(deviations * median(distances), spreadShareMin * Math.abs(usual));
  const isOutside = (value: number): boolean => Math.abs(value - usual) > width * spread;
  const [low, high] = one.interval ?? [one.value, one.value];
  const nearest = Math.min(Math.max(usual, low), high);
  return beyond({ ...one, compared: usual }, isOutside(one.value), isOutside(nearest), rule);
}

/** `isSure`: also where the value is the end of its bars that is nearest to the bound. */
function beyond(
  one: GroupValue & { readonly compared?: number | null },
  isBeyond: boolean,
  isSure: boolean,
  { judgeWithinBars }: FullRule,
): Verdict {
  if (isBeyond && (isSure || judgeWithinBars)) return { ...one, kind: "breach" };
  return { ...one, kind: "fine", ...(isBeyond && { held: true as const }) };
}
