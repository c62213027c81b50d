import { HadalError } from "../model/problem/problem.js";
import { HttpError } from "./http.js";
import { type Backoff, backoffMs } from "./live/backoff.js";

const backoff: Backoff = { firstMs: 200, lastMs: 15_000 };

/**
 * Runs `work` until it succeeds, fails in a way that no retry can better, or has been failing for
 * `retryMs`; then rejects with its last error. Waits grow, and are never shorter than Retry-After.
 */
export async function withRetry<T>(work: () => Promise<T>, retryMs: number): Promise<T> {
  let deadlineMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HadalError && error.retry)) throw error;
      const nowMs = performance.now();
      // Counted from the first failure: waiting for a place in the queue is not the server's fault.
      deadlineMs = Math.min(deadlineMs, nowMs + retryMs);
      const askedMs = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
      const waitMs = Math.max(askedMs, backoffMs(backoff, attempt, Math.random()));
      if (nowMs + waitMs > deadlineMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
