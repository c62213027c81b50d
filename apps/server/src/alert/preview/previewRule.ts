import {
  type AlertPreview,
  type AlertPreviewFiring,
  HadalError,
  type Query,
  type Result,
  type TimeRange,
} from "@hadal/sdk";
import { judge } from "../judge/judge.js";
import type { Verdict } from "../judge/verdict.js";
import { keyOfGroup, noAnswer, type WindowAnswer } from "../judge/windowAnswer.js";
import { bucketOf, type FullRule, isPerGroup } from "../rule/fullRule.js";
import { queryOfBuckets, valueColumn } from "../rule/ruleQueries.js";
import { comparedWindows, windowsOf } from "../rule/windows.js";
import { readBuckets } from "./readBuckets.js";

const previewMs = 7 * 86_400_000;
/** Seven days of minutes: judged within tens of milliseconds. Of shorter windows it is less than seven days. */
const windowsMax = 10_080;

/** What a preview asks, and of what it says something. */
export interface PreviewPlan {
  readonly query: Query;
  /** The length of a window, as time buckets have it. */
  readonly bucket: string;
  readonly range: TimeRange;
}

/** One query for all windows of the last seven days, and what they are compared with. Throws `time-range-invalid`. */
export function previewPlan(rule: FullRule, nowMs: number): PreviewPlan {
  const { judged, compared } = windowsOf(rule, nowMs);
  const lengthMs = judged.toMs - judged.fromMs;
  const bucket = bucketOf(rule.query) ?? `${lengthMs}ms`;
  const backMs = Math.min(previewMs, windowsMax * lengthMs);
  const range = { fromMs: nowMs - backMs, toMs: nowMs };
  const earliest = Math.min(judged.fromMs, ...compared.map(({ fromMs }) => fromMs));
  const asked = { fromMs: range.fromMs - (judged.fromMs - earliest), toMs: nowMs };
  return { query: queryOfBuckets(rule, asked, bucket), bucket, range };
}

/**
 * The moments when the rule would have fired. Windows are those of time buckets, one after the other. Throws
 * `too-many-groups` where the answer does not hold all.
 */
export function previewRule(
  rule: FullRule,
  { range, bucket }: PreviewPlan,
  result: Result,
): AlertPreview {
  if (result.truncated !== null) throw new HadalError("too-many-groups", { max: "100,000 values" });
  const buckets = readBuckets(result, valueColumn(rule), rule, bucket);
  const running = new Map<string, { times: number; firing: MutableFiring | null }>();
  const firings: MutableFiring[] = [];
  const timesNeeded = windowsInRow(rule, buckets.lengthMs);
  for (const window of buckets.windows) {
    if (window.fromMs < range.fromMs || window.toMs > range.toMs) continue;
    // Judged as if all rows had answered: what would have held it back is said instead.
    const { answer, heldBack } = window;
    const compared = comparedWindows(rule, window);
    const judgement = judge(
      { ...rule, judgeWithinBars: true },
      {
        judged: answer,
        compared: compared.map((one) => buckets.answerOf(one) ?? noAnswer("there are no rows")),
        watched: [],
      },
    );
    const verdicts = judgement.kind === "judged" ? judgement.verdicts : new Map<string, Verdict>();
    for (const [key, verdict] of verdicts) {
      const before = running.get(key) ?? { times: 0, firing: null };
      if (verdict.kind !== "breach") {
        running.delete(key);
        continue;
      }
      const times = before.times + 1;
      const held = heldBack ?? withinBars(rule, answer, verdict);
      let { firing } = before;
      if (firing !== null) extend(firing, window.toMs, held);
      else if (times >= timesNeeded) {
        firing = newFiring(rule, window, verdict, held);
        firings.push(firing);
      }
      running.set(key, { times, firing });
    }
    for (const key of running.keys()) if (!verdicts.has(key)) running.delete(key);
  }
  return { ...range, firings: firings.map(({ ...firing }) => firing) };
}

type MutableFiring = { -readonly [Key in keyof AlertPreviewFiring]: AlertPreviewFiring[Key] };

function newFiring(
  rule: FullRule,
  { fromMs, toMs }: TimeRange,
  { value, group }: Verdict,
  heldBack: string | null,
): MutableFiring {
  return {
    ...{ fromMs, toMs, value },
    ...(isPerGroup(rule) && { group }),
    ...(heldBack !== null && { heldBack }),
  };
}

/** It would have been sent with the first window that nothing holds back. */
function extend(firing: MutableFiring, toMs: number, heldBack: string | null): void {
  firing.toMs = toMs;
  if (heldBack === null) delete firing.heldBack;
}

/** Evaluations overlap where they are more frequent than windows are long. */
const windowsInRow = ({ forTimes, everyMs }: FullRule, lengthMs: number): number =>
  Math.ceil(((forTimes - 1) * everyMs) / lengthMs) + 1;

function withinBars(rule: FullRule, judged: WindowAnswer, { group }: Verdict): string | null {
  const { op } = rule.condition;
  if (rule.judgeWithinBars || (op !== "above" && op !== "below")) return null;
  const key = keyOfGroup(group);
  const verdict = judge(rule, { judged, compared: [], watched: [] });
  const own = verdict.kind === "judged" ? verdict.verdicts.get(key) : undefined;
  return own?.kind === "fine" ? "the difference lies within its error bars" : null;
}
