import type { QueryStats } from "@hadal/sdk";
import { roundMs } from "../../base/schedule/roundMs.js";
import type { PartAnswer } from "../../tree/partAnswer.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { treeLevels } from "../../tree/treeLevels.js";

/** Cost of an answer on all leaves and at the root. */
export function statsOf(
  { answers, asked }: Pick<TreeAnswers, "answers" | "asked">,
  elapsedMs: number,
  mergeMs: number,
): QueryStats {
  return {
    rowsScanned: total(answers, ({ stats }) => stats.rowsScanned),
    rowsMatched: total(answers, ({ stats }) => stats.rowsMatched),
    bytesScanned: total(answers, ({ stats }) => stats.bytesScanned),
    segments: total(answers, ({ stats }) => stats.segments),
    segmentsSkipped: total(answers, ({ stats }) => stats.segmentsSkipped),
    cache: "miss",
    elapsedMs: roundMs(elapsedMs),
    scanMs: roundMs(answers.reduce((longest, { stats }) => Math.max(longest, stats.scanMs), 0)),
    mergeMs: roundMs(mergeMs),
    levels: treeLevels(asked, mergeMs),
  };
}

/** Sums of the statistics of all leaves. */
export function total(
  answers: readonly PartAnswer[],
  numberOf: (answer: PartAnswer) => number,
): number {
  return answers.reduce((sum, answer) => sum + numberOf(answer), 0);
}
