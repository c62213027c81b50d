import type { VisibleTimes } from "@hadal/sdk";

/** Enough for a 99th percentile of 5 samples beyond it; 4 KiB a table. */
const samplesMax = 512;

/** The latest of some durations. */
export class LatestTimes {
  readonly #times: number[] = [];
  #next = 0;
  /** Rows that no answer had within the time for it. */
  unseen = 0;

  add(ms: number): void {
    this.#times[this.#next] = ms;
    this.#next = (this.#next + 1) % samplesMax;
  }

  /** Null: there are no samples. */
  summary(): VisibleTimes | null {
    if (this.#times.length === 0 && this.unseen === 0) return null;
    const sorted = this.#times.toSorted((a, b) => a - b);
    /** The smallest that as many are at most as large as. */
    const percentile = (share: number): number | null =>
      sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
    return {
      p50Ms: percentile(0.5),
      p99Ms: percentile(0.99),
      samples: sorted.length,
      unseen: this.unseen,
    };
  }
}
