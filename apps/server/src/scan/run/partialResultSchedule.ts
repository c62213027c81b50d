/** A long scan reports its partial result this often, */
const everyMs = 60;
/** and for the first time this early: a person waits for something to look at. */
const firstMs = 15;
/** With more groups it is not reported early: to read them takes more than a millisecond. */
const firstGroupsMax = 10_000;
/** A scan spends at most a ninth of its time on reports. */
const costFactor = 8;
/** To read and send a counter of a histogram takes about so long: how long the first time will take is known of nothing else. */
const msPerCounter = 8e-6;
/** But counters of groups without rows are counted too, and a person waits: after so long a scan that would at most be twice as long reports, and measures what it takes. */
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
  #toldCount = 0;
  #dueMs: number;

  readonly #startedAtMs: number;

  constructor(startedAtMs: number) {
    this.#startedAtMs = startedAtMs;
    this.#dueMs = startedAtMs + firstMs;
  }

  isDue(nowMs: number, { share, groupsMax, countersMax }: ScanProgress): boolean {
    if (nowMs < this.#dueMs) return false;
    const tookMs = nowMs - this.#startedAtMs;
    // What is left takes as long as what was done.
    const wholeMs = tookMs / share;
    if (this.#toldCount === 0) {
      if (tookMs < everyMs && groupsMax > firstGroupsMax) return false;
      const costMs = countersMax * msPerCounter;
      if (wholeMs < costMs * (tookMs < surelyMs ? costFactor + 1 : 1)) return false;
    }
    // So near the end a partial answer would only delay the whole one.
    return wholeMs - tookMs >= everyMs;
  }

  /** A report was made, which took from `startMs` to `endMs`. */
  reported(startMs: number, endMs: number): void {
    this.#toldCount++;
    this.#dueMs = endMs + Math.max(everyMs, (endMs - startMs) * costFactor);
  }
}
