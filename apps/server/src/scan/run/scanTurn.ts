import type { ScanAnswer } from "../task/scanAnswer.js";
import type { PartialResultSchedule } from "./partialResultSchedule.js";
import type { ScanRun } from "./scanRun.js";

/**
 * Scans a step at least, until it is done or the turn is over; reports what there is when a report
 * is due and it is not done.
 */
export function takeTurn(
  run: ScanRun,
  pace: PartialResultSchedule,
  turnMs: number,
  report: (answer: ScanAnswer) => void,
): void {
  const endMs = performance.now() + turnMs;
  while (!run.done) {
    run.step();
    if (performance.now() >= endMs) break;
  }
  if (run.done) return;
  const startMs = performance.now();
  if (!run.isWhole || !pace.isDue(startMs, run)) return;
  report(run.answer());
  pace.reported(startMs, performance.now());
}
