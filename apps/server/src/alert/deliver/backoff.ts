/** Between the first two attempts, and the longest pause. */
const firstPauseMs = 1_000;
const pauseMsMax = 15 * 60_000;
/** Of how long it is tried, pauses alone. */
const giveUpMs = 24 * 3_600_000;
/** Receivers that were away are not asked by all at the same moment. */
const jitter = 0.2;

/** No pause is longer. */
export const pauseMsLongest = pauseMsMax * (1 + jitter);

const doublings = Math.ceil(Math.log2(pauseMsMax / firstPauseMs));

/**
 * After so many attempts a message is given up: about 24 hours of trying. Attempts and not a clock are
 * counted, so that neither a jump of the clock nor hours in which no server ran lose a message.
 */
export const attemptsMax =
  doublings + 1 + Math.ceil((giveUpMs - firstPauseMs * (2 ** doublings - 1)) / pauseMsMax);

/** `random`: from 0 to below 1. `retryAfterMs`: the receiver's wish, which can only make it longer. */
export function pauseMs(
  attempts: number,
  random: number,
  retryAfterMs: number | null = null,
): number {
  const plain = Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(doublings, attempts - 1));
  const spread = plain * (1 + jitter * (2 * random - 1));
  return Math.round(Math.min(pauseMsLongest, Math.max(spread, retryAfterMs ?? 0)));
}
