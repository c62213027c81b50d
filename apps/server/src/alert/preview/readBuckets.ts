import {
  durationMs,
  parseCalendarLength,
  type Result,
  resolveTime,
  type TimeRange,
} from "@hadal/sdk";
import {
  createRowReader,
  type GroupValue,
  keyOfGroup,
  percentOf,
  type WindowAnswer,
} from "../judge/windowAnswer.js";
import { type FullRule, looksForGroups } from "../rule/fullRule.js";

const hourMs = 3_600_000;

/** One time bucket of an answer. */
export interface BucketWindow extends TimeRange {
  readonly answer: WindowAnswer;
  /** Why nothing would be sent; null: it would. */
  readonly heldBack: string | null;
}

export interface Buckets {
  readonly lengthMs: number;
  /** By time, without the one that is not over. */
  readonly windows: readonly BucketWindow[];
  /** Null: the answer has nothing of that time. */
  answerOf(range: TimeRange): WindowAnswer | null;
}

/** Reads an answer with a time bucket as its first group. */
export function readBuckets(
  result: Result,
  column: string,
  rule: FullRule,
  bucket: string,
): Buckets {
  const read = createRowReader(result, column, 1);
  const byStart = new Map<number, Map<string, GroupValue>>();
  for (const [i, row] of result.rows.entries()) {
    const start = Number(row[0]);
    const groups = byStart.get(start) ?? new Map<string, GroupValue>();
    byStart.set(start, groups);
    const one = read(row, i);
    groups.set(keyOfGroup(one.group), one);
  }
  const coverage = new Map((result.coverage ?? []).map(([start, ...rest]) => [start, rest]));
  const { timeZone = "UTC" } = rule.query;
  const nextStart = nextStartOf(bucket, timeZone);
  const answerAt = (start: number): WindowAnswer => ({
    ...{ groups: byStart.get(start) ?? new Map(), completeness: 1, fault: null },
  });
  const starts = [...new Set([...byStart.keys(), ...coverage.keys()])].sort((a, b) => a - b);
  const windows: BucketWindow[] = [];
  const [first] = starts;
  const last = starts.at(-1);
  // Buckets without rows are windows, too.
  for (let start = first ?? 0; last !== undefined && start <= last; start = nextStart(start)) {
    const [share = 1, reason] = coverage.get(start) ?? [];
    if (reason === "open" || reason === "future" || reason === "before-data") continue;
    const isHeld = share < rule.minCompleteness;
    windows.push({
      ...{ fromMs: start, toMs: nextStart(start), answer: answerAt(start) },
      heldBack: isHeld ? heldText(share, reason) : null,
    });
  }
  const lengthMs = first === undefined ? 1 : nextStart(first) - first;
  return {
    ...{ lengthMs, windows },
    answerOf: ({ fromMs, toMs }) => {
      if (first === undefined || fromMs < first) return null;
      if (!looksForGroups(rule)) return answerAt(resolveTime(`${fromMs}/${bucket}`, 0, timeZone));
      const groups = new Map<string, GroupValue>();
      for (const [start, own] of byStart)
        if (start >= fromMs && start < toMs) for (const [key, one] of own) groups.set(key, one);
      return { groups, completeness: 1, fault: null };
    },
  };
}

const heldText = (share: number, reason: string | undefined): string =>
  reason === "missing-leaves"
    ? `${percentOf(share)} of the rows answered`
    : `rows of that time were removed (${reason})`;

/** The start of the bucket after the one that begins then. */
function nextStartOf(bucket: string, timeZone: string): (start: number) => number {
  const length = parseCalendarLength(bucket);
  const ms = "months" in length ? Number.POSITIVE_INFINITY : durationMs(length);
  // Short ones go on evenly through a change of the clock.
  if (ms <= hourMs) return (start) => start + ms;
  return (start) => {
    // A bucket may be longer or shorter where the zone's clock changes: the next one begins after it.
    const guess = resolveTime(`${start}/${bucket}`, 0, timeZone);
    const after = resolveTime(`${guess} +${bucket}`, 0, timeZone);
    const aligned = resolveTime(`${after}/${bucket}`, 0, timeZone);
    return aligned > start ? aligned : after;
  };
}
