import { finishCostMs } from "../../aggregate/finish/partialSize.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";

/** A partial answer takes at most this part of the time that the whole one is still away: else it would only delay it. */
const partialShare = 0.25;

/** Whether to show what leaves have said so far, `elapsedMs` after they were asked, when nothing has come for `waitedMs`, which may go on. */
export function isPartialWorth(
  soFar: Pick<TreeAnswers, "answers" | "expected">,
  elapsedMs: number,
  waitedMs: number,
): boolean {
  const finishMs = soFar.answers.reduce((sum, { partial }) => sum + finishCostMs(partial), 0);
  return finishMs <= partialShare * Math.max(waitedMs, restMs(soFar, elapsedMs));
}

/** How long the slowest leaf will still take: as long for a row as so far, and one that is silent no longer than the others. */
function restMs(
  { answers, expected }: Pick<TreeAnswers, "answers" | "expected">,
  elapsedMs: number,
): number {
  const rowsOf = new Map(expected);
  // Rows that the root has not counted.
  const leaves = answers.flatMap((answer) => answer.leaves);
  for (const { leafId, stats } of leaves) {
    if (!rowsOf.has(leafId)) rowsOf.set(leafId, stats.rowsHeld);
  }
  const doneOf = new Map(
    leaves.map(({ leafId, stats }) => [leafId, rowsOf.get(leafId)! * stats.share]),
  );
  const most = Math.max(0, ...doneOf.values());
  let restMs = 0;
  for (const [leafId, rows] of rowsOf) {
    const done = doneOf.get(leafId) ?? most;
    if (done === 0 && rows > 0) return Number.POSITIVE_INFINITY;
    if (rows > done) restMs = Math.max(restMs, elapsedMs * (rows / done - 1));
  }
  return restMs;
}
