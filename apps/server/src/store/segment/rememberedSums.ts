import type { SegmentView } from "./segmentView.js";

/** The sum over one segment's rows that a query computed. */
export interface RememberedSum {
  readonly presentRows: number;
  readonly presentWeight: number;
  readonly weightedSum: bigint;
}

/** As many as there are columns whose totals are kept: a dashboard's worth. */
const keysMax = 64;

/**
 * Sums of derived columns, by segment. A segment never changes: the next query uses them as it uses
 * the sums of stored columns. They are forgotten with their segment.
 */
export class RememberedSums {
  readonly #sums = new Map<string, WeakMap<SegmentView, RememberedSum>>();

  find(key: string, segment: SegmentView): RememberedSum | undefined {
    return this.#sums.get(key)?.get(segment);
  }

  remember(key: string, segment: SegmentView, sum: RememberedSum): void {
    let known = this.#sums.get(key);
    if (known === undefined) {
      const oldest = this.#sums.keys().next();
      if (this.#sums.size >= keysMax && !oldest.done) this.#sums.delete(oldest.value);
      known = new WeakMap();
      this.#sums.set(key, known);
    }
    known.set(segment, sum);
  }
}
