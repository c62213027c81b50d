import { inTurns, type Steps } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";

/** What is made of partial answers takes at most a fifth of a query's time. */
const costFactor = 4;

/** Tells of a partial answer; another is passed over while it does. Throws what an earlier one failed of. */
export type Offer = (part: () => Steps<void>) => void;

/**
 * Work that offers partial answers, one at a time and each in turns. Settles once none is being sent any more:
 * what they are made of may go then, and the whole answer comes last.
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
