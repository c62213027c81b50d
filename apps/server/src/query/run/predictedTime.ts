import type { Result } from "@hadal/sdk";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { QueryTiming } from "../../planner/costSamples.js";
import { shapeOfTree, type TreeShape } from "../../planner/treeShape.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import type { QueryDeps } from "./queryDeps.js";
import { shapeOfQuery } from "./shapeOfQuery.js";

/** What is measured of a run beside its answers. */
export interface MeasuredRun {
  readonly answered: TreeAnswers;
  /** From the first question to the last answer. */
  readonly gatherMs: number;
  readonly mergeMs: number;
  /** It waited for its turn: its elapsed time says nothing of the root. */
  readonly hasWaited: boolean;
  /** Its scan answered other queries too: none of them would take so long alone. */
  readonly isShared: boolean;
}

/** Adds to the receipt what the time was expected to be, and keeps what it was for the next query like it. */
export function withPredictedMs(
  result: Result,
  resolved: ResolvedQuery,
  run: MeasuredRun,
  { timings, treeSize }: Pick<QueryDeps, "timings" | "treeSize">,
): Result {
  const { answers } = run.answered;
  const rows = most(answers, ({ leaves }) => most(leaves, ({ stats }) => stats.rowsHeld));
  const shape = shapeOfQuery(resolved);
  const tree = shapeOfTree(treeSize());
  const predicted = timings.predictMs(shape, rows, tree);
  const { elapsedMs } = result.stats;
  if (isComparable(run)) {
    timings.note(shape, timingOf(run, rows, elapsedMs, tree));
    if (predicted !== null && !run.hasWaited) timings.check(shape.kind, predicted, elapsedMs);
  }
  if (predicted === null) return result;
  const predictedMs = Math.round(predicted * 1_000) / 1_000;
  return { ...result, stats: { ...result.stats, predictedMs } };
}

/** A leaf that is missing was waited for until the deadline, or not at all. */
function isComparable({ isShared, answered: { answers, completeness } }: MeasuredRun): boolean {
  const isWhole = completeness.leaves.missing.length === 0 && answers.every(({ done }) => done);
  return isWhole && !isShared && answers.length > 0;
}

function timingOf(
  { answered: { answers }, gatherMs, mergeMs, hasWaited }: MeasuredRun,
  rows: number,
  elapsedMs: number,
  { levels, childrenOnPath }: TreeShape,
): QueryTiming {
  const decodeMs = answers.reduce((sum, answer) => sum + answer.decodeMs, 0);
  // The shortest: every other answer may have waited here while one before it was read.
  const wayMs = answers.reduce(
    (least, { waitMs, workMs }) => Math.min(least, Math.max(0, waitMs - workMs)),
    Number.POSITIVE_INFINITY,
  );
  const childMs = (decodeMs + mergeMs) / answers.length;
  // What the root waited for contains the ways and the merging of the levels below it.
  const belowMs = levels * wayMs + Math.max(0, childrenOnPath - answers.length) * childMs;
  return {
    rows,
    groups: most(answers, ({ partial }) => most(partial.sides, ({ groupCount }) => groupCount)),
    waitMs: Math.max(0, gatherMs - decodeMs - belowMs),
    wayMs,
    mergeMs: childMs,
    rootMs: hasWaited ? Number.NaN : Math.max(0, elapsedMs - gatherMs - mergeMs),
  };
}

function most<Part>(parts: readonly Part[], numberOf: (part: Part) => number): number {
  return parts.reduce((largest, part) => Math.max(largest, numberOf(part)), 0);
}
