import type { FunctionVersion, Result } from "@hadal/sdk";
import type { AnswerPart } from "../../aggregate/cut/askedGroups.js";
import { finalizeSteps } from "../../aggregate/finish/finalizeResult.js";
import { mergeSteps } from "../../aggregate/merge/mergePartials.js";
import type { PartialResult, PartialSide } from "../../aggregate/partial/partialResult.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { withAtLeast } from "../answer/atLeast.js";
import { bucketCoverage, compareCoverage, type TableTimes } from "../answer/bucketCoverage.js";
import { evidenceOf } from "../answer/evidenceOf.js";
import type { ExpectedMinutes } from "../answer/expectedMinutes.js";
import { incompleteBuckets } from "../answer/incompleteBuckets.js";
import { keyThinnedTimes } from "../answer/keyThinnedTimes.js";
import { lowerBounds } from "../answer/lowerBounds.js";
import { missingRows } from "../answer/missingRows.js";
import { statsOf, total } from "../answer/queryStats.js";
import { resultNotes } from "../answer/resultNotes.js";
import { sizesOfSides } from "../answer/sizesOfSides.js";

/** How far the answer is. */
export interface FinishStage {
  readonly split: SplitQuery;
  readonly final: boolean;
  /** No group that is not among the parts could be among those to be shown. */
  readonly isDecided: boolean;
  /** The parts, merged already; null: they are not. */
  readonly merged: PartialResult | null;
  /** How long that took. */
  readonly mergeMs: number;
  readonly series: readonly PartialSide[] | null;
}

export const notYetFinal = {
  ...{ final: false, isDecided: false, merged: null, mergeMs: 0, series: null },
} as const;

export interface FinishContext extends FinishStage {
  readonly startedAt: number;
  readonly asOf: number;
  readonly used: readonly FunctionVersion[];
  /** What each leaf should hold, minute by minute. */
  readonly minutes: ExpectedMinutes;
  readonly times: TableTimes;
  readonly neverNegative: (column: string) => boolean;
  readonly now: () => number;
}

/** Merges and finishes the parts of an answer, and adds what is known of it: coverage, bounds, notes. */
export function* finishAnswers(
  gathered: TreeAnswers,
  parts: readonly AnswerPart[],
  context: FinishContext,
): Steps<Result> {
  const { split, final, series, startedAt, asOf, used, minutes, times, now } = context;
  const { answers, completeness } = gathered;
  const mergeStart = now();
  const merged =
    context.merged ??
    (yield* mergeSteps(
      parts.map(({ partial }) => partial),
      split.resolved,
    ));
  const rowsMatched = total(answers, ({ stats }) => stats.rowsMatched);
  const sizes = sizesOfSides(gathered, split.resolved, minutes);
  const evidence = evidenceOf(gathered, parts, { final, sizesOf: sizes });
  const thinnedByKey = keyThinnedTimes(answers);
  const known = { rowsMatched, evidence, series, thinnedByKey };
  const finalized = yield* finalizeSteps(merged, split, known);
  const endedAt = now();
  const incomplete = incompleteBuckets(split.resolved, finalized, asOf);
  const missing = missingRows(gathered, evidence, sizes);
  const coverage = bucketCoverage(split.resolved, { asOf, times, merged, missing });
  const baseCoverage = compareCoverage(split.resolved, { asOf, times, merged });
  const bounds = missing === null ? [] : lowerBounds(split, missing.isPart, context.neverNegative);
  const { isDecided } = context;
  const notes = resultNotes(split, gathered, finalized, { merged, evidence, isDecided });
  const { columns, rows, intervals } = finalized;
  const truncated = withAtLeast(finalized.truncated, answers, split);
  const stats = statsOf(gathered, endedAt - startedAt, context.mergeMs + endedAt - mergeStart);
  const result: Result = { columns, rows, completeness, intervals, truncated, asOf, final, stats };
  // Most answers have none of these: an object that is put together of parts takes longer than a short answer.
  const lists = [incomplete, coverage, baseCoverage, bounds, notes, used];
  if (lists.every(({ length }) => length === 0)) return result;
  return {
    ...result,
    ...(coverage.length > 0 ? { coverage } : {}),
    ...(baseCoverage.length > 0 ? { compareCoverage: baseCoverage } : {}),
    ...(bounds.length > 0 ? { lowerBounds: bounds } : {}),
    ...(incomplete.length > 0 ? { incomplete } : {}),
    ...(notes.length > 0 ? { notes } : {}),
    ...(used.length > 0 ? { functions: used } : {}),
  };
}
