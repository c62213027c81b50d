import { type AlertHealth, HadalError, type TimeRange } from "@hadal/sdk";
import { bucketOf, type FullRule } from "../rule/fullRule.js";
import { windowsOf } from "../rule/windows.js";
import { dueAt, phaseOf } from "./dueTimes.js";

/** A rule, and how far it was judged. Times are milliseconds since 1970. */
export interface JudgedRule {
  readonly rule: FullRule;
  readonly savedMs: number;
  /** The end of the last window; null: it was not judged yet. */
  readonly judgedToMs: number | null;
}

/** A rule that has been due for so long is behind. */
export const behindMs = 5_000;

/** Which rules are behind, by what is kept of them: any gateway can say it. `lateMs`: how late a table's rows are. */
export function healthOf(
  rules: readonly JudgedRule[],
  { nowMs, lateMs }: { readonly nowMs: number; readonly lateMs: (table: string) => number },
): Omit<AlertHealth, "leader"> {
  const lags = rules
    .map((one) => lagOf(one, nowMs, one.rule.waitMs ?? lateMs(one.rule.query.table)))
    .filter((ms) => ms > behindMs);
  return { behind: lags.length, lagMs: lags.reduce((most, ms) => Math.max(most, ms), 0) };
}

/** How long the rule has been due; 0: it is not. */
function lagOf({ rule, savedMs, judgedToMs }: JudgedRule, nowMs: number, waitMs: number): number {
  // It is evaluated as soon as it is saved.
  if (judgedToMs === null) return nowMs - savedMs;
  const at = dueAt(rule, phaseOf(rule), nowMs - behindMs);
  const due = windowAt(rule, at - waitMs);
  if (due === null || due.toMs <= judgedToMs) return 0;
  // The first window that was left out: with time buckets the next bucket.
  const isBucket = bucketOf(rule.query) !== null;
  const stepMs = Math.max(rule.everyMs, isBucket ? due.toMs - due.fromMs : 0);
  const afterMs = isBucket ? waitMs : at - due.toMs;
  return nowMs - (judgedToMs + stepMs + afterMs);
}

/** Null: on that day it has none, and the rule is unknown. */
function windowAt(rule: FullRule, endMs: number): TimeRange | null {
  try {
    return windowsOf(rule, endMs).judged;
  } catch (error) {
    if (error instanceof HadalError) return null;
    throw error;
  }
}
