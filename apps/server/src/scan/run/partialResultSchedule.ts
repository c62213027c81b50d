/** A long scan reports its partial result this often, */
const everyMs = 60;
/** and for the first time this early: a person waits for something to look at. */
const firstMs = 15;
/** With more groups it is not reported early: to read them takes more than a millisecond. */
const firstGroupsMax = 10_000;
/** A scan spends at most a ninth of its time on reports. */
const costFactor = 8;
/** Time to read and send a histogram's counter: the only estimate for the first partial answer. */
const msPerCounter = 8e-6;
/**
 * The estimate includes counters of groups without rows: after this time a scan reports if that at
 * most doubles its time, and measures the cost.
 */
const surelyMs = 80;

/** How far a scan is. */
export interface ScanProgress {
  /** Which part of it is done, 0 to 1. */
  readonly share: number;
  /** It has no more groups than this. */
  readonly groupsMax: number;
  /** Nor have its histograms more counters, all together. */
  readonly countersMax: number;
}

/** When a scan that takes a while reports its partial result. */
export class PartialResultSchedule {
  #reportCount = 0;
  #dueMs: number;

  readonly #startedAtMs: number;

  constructor(startedAtMs: number) {
    this.#startedAtMs = startedAtMs;
    this.#dueMs = startedAtMs + firstMs;
  }

  isDue(nowMs: number, { share, groupsMax, countersMax }: ScanProgress): boolean {
    if (nowMs < this.#dueMs) return false;
    const tookMs = nowMs - this.#startedAtMs;
    // The remaining part is estimated from the finished one.
    const wholeMs = tookMs / share;
    if (this.#reportCount === 0) {
      if (tookMs < everyMs && groupsMax > firstGroupsMax) return false;
      const costMs = countersMax * msPerCounter;
      if (wholeMs < costMs * (tookMs < surelyMs ? costFactor + 1 : 1)) return false;
    }
    // So near the end a partial answer would only delay the whole one.
    return wholeMs - tookMs >= everyMs;
  }

  /** A report was made, which took from `startMs` to `endMs`. */
  reported(startMs: number, endMs: number): void {
    this.#reportCount++;
    this.#dueMs = endMs + Math.max(everyMs, (endMs - startMs) * costFactor);
  }
}
