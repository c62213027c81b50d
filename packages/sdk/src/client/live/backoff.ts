/**
 * Waits between attempts double from the first to the last, so that a server that returns is not
 * trampled.
 */
export interface Backoff {
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * Milliseconds before attempt `attempt` + 1 (counted from 0): half fixed, half chance (`random` in
 * [0, 1)).
 */
export function backoffMs(backoff: Backoff, attempt: number, random: number): number {
  const fullMs = Math.min(backoff.lastMs, backoff.firstMs * 2 ** Math.min(attempt, 30));
  return fullMs / 2 + (fullMs / 2) * random;
}
