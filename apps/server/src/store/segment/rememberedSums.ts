import type { SegmentView } from "./segmentView.js";

/** What the rows of one segment came to when they were added up for a query. */
export interface RememberedSum {
  readonly presentRows: number;
  readonly presentWeight: number;
  readonly weightedSum: bigint;
}

/** As many as there are columns whose totals are kept: a dashboard's worth. */
const keysMax = 64;

/**
 * Sums of what queries derive from a segment's columns. Nothing in a segment changes, so what was added up once need not
 * be read for that again: the next query asks those segments as it asks for the sums of stored columns (A5). They go
 * with their segment.
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
