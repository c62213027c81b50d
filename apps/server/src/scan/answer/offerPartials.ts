import { inTurns, type Steps } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";

/** Making partial answers takes at most a fifth of a query's time. */
const costFactor = 4;

/**
 * Sends a partial answer; further ones are skipped meanwhile. Throws the error of an earlier one.
 */
export type Offer = (part: () => Steps<void>) => void;

/**
 * Runs work that offers partial answers, one at a time and each in turns. Settles when none is
 * being sent any more: then their memory may be released, and the whole answer is the last.
 */
export async function offerPartials<Result>(
  signal: StopSignal,
  work: (offer: Offer) => Promise<Result>,
): Promise<Result> {
  let isDone = false;
  let failure: unknown = null;
  let notBefore = Number.NEGATIVE_INFINITY;
  let sending: Promise<void> | null = null;
  const stop = {
    get aborted(): boolean {
      return isDone || signal.aborted;
    },
  };
  const send = async (steps: Steps<void>): Promise<void> => {
    const startMs = performance.now();
    try {
      await inTurns(steps, stop);
    } catch (error) {
      if (!stop.aborted) failure = error;
    } finally {
      const endMs = performance.now();
      notBefore = endMs + costFactor * (endMs - startMs);
      sending = null;
    }
  };
  try {
    const result = await work((part) => {
      if (failure !== null) throw failure;
      if (sending !== null || stop.aborted || performance.now() < notBefore) return;
      sending = send(part());
    });
    if (failure !== null) throw failure;
    return result;
  } finally {
    isDone = true;
    await sending;
  }
}
