export const minuteMs = 60_000;

/** Rows of one leaf per minute of event time, minutes ascending: minutes[i] since 1970 has counts[i] rows. */
export interface MinuteRows {
  readonly minutes: readonly number[];
  readonly counts: readonly number[];
}

/** The expected rows of one leaf, with running totals: a sum over any range takes two binary searches. */
export class LeafMinutes {
  readonly minutes: readonly number[];
  /** totals[i]: rows before minutes[i]. */
  readonly #totals: Float64Array;

  constructor({ minutes, counts }: MinuteRows) {
    this.minutes = minutes;
    this.#totals = new Float64Array(minutes.length + 1);
    for (let i = 0; i < minutes.length; i++) this.#totals[i + 1] = this.#totals[i]! + counts[i]!;
  }

  /** Index of the first minute at or after this one. */
  placeOf(minute: number): number {
    let [low, high] = [0, this.minutes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.minutes[middle]! < minute) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Rows of the minutes with indexes [from, to). */
  between(from: number, to: number): number {
    return this.#totals[to]! - this.#totals[from]!;
  }
}

/** The expected rows of several leaves together. */
export function addMinutes(leaves: readonly LeafMinutes[]): LeafMinutes {
  const [first] = leaves;
  if (first !== undefined && leaves.length === 1) return first;
  const rowsOf = new Map<number, number>();
  for (const leaf of leaves) {
    leaf.minutes.forEach((minute, i) => {
      rowsOf.set(minute, (rowsOf.get(minute) ?? 0) + leaf.between(i, i + 1));
    });
  }
  const minutes = [...rowsOf.keys()].sort((a, b) => a - b);
  return new LeafMinutes({ minutes, counts: minutes.map((minute) => rowsOf.get(minute)!) });
}

/**
 * Drops the newest rows beyond `rowsMax`: rows that arrived after the query began are not missing, and nearly always
 * belong to the newest minutes.
 */
export function withoutNewest({ minutes, counts }: MinuteRows, rowsMax: number): MinuteRows {
  let excess = counts.reduce((sum, count) => sum + count, 0) - rowsMax;
  if (excess <= 0) return { minutes, counts };
  const left = [...counts];
  while (excess > 0 && left.length > 0) {
    const newest = left.pop()!;
    if (newest > excess) left.push(newest - excess);
    excess -= newest;
  }
  return { minutes: minutes.slice(0, left.length), counts: left };
}
