import { MinuteSums } from "./minuteSums.js";

export const minuteMs = 60_000;

/** Rows per minute of event time, minutes ascending: minutes[i] since 1970 had counts[i] rows. */
export interface MinuteRows {
  readonly minutes: readonly number[];
  readonly counts: readonly number[];
}

export const noRows: MinuteRows = { minutes: [], counts: [] };

export const totalOf = ({ counts }: MinuteRows): number =>
  counts.reduce((sum, count) => sum + count, 0);

/** Of the whole minutes that cover [fromMs, toMs). */
export function rowsBetween({ minutes, counts }: MinuteRows, fromMs: number, toMs: number): number {
  return minutes.reduce((rows, minute, i) => {
    const startMs = minute * minuteMs;
    return startMs < toMs && startMs + minuteMs > fromMs ? rows + counts[i]! : rows;
  }, 0);
}

export const pairsOfMinutes = ({
  minutes,
  counts,
}: MinuteRows): (readonly [minute: number, rowCount: number])[] =>
  minutes.map((minute, i) => [minute, counts[i]!]);

export const negated = ({ minutes, counts }: MinuteRows): MinuteRows => ({
  minutes,
  counts: counts.map((count) => -count),
});

/** The rows of both, by minute; minutes without rows are left out. */
export function addMinutes(some: MinuteRows, others: MinuteRows): MinuteRows {
  if (some.minutes.length === 0) return others;
  if (others.minutes.length === 0) return some;
  const sum = new MinuteCounts();
  sum.add(some);
  sum.add(others);
  return sum.list();
}

/** Counts the rows of a batch per minute. */
export function countMinutes(times: Float64Array): MinuteRows {
  const counts = new Map<number, number>();
  for (let i = 0; i < times.length; i++) {
    const minute = Math.floor(times[i]! / minuteMs);
    counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  const minutes = [...counts.keys()].sort((a, b) => a - b);
  return { minutes, counts: minutes.map((minute) => counts.get(minute)!) };
}

/** Running totals per minute: a sum over any range is two binary searches. */
export class MinuteCounts {
  #minutes: number[] = [];
  #counts: number[] = [];
  /** totals[i] = counts[0] + … + counts[i - 1], true up to `totalsEnd`. */
  #totals: number[] = [0];
  #totalsEnd = 0;
  readonly #hashes = new MinuteSums();

  /** Counts may be negative; minutes without rows are left out. */
  add(rows: MinuteRows): void {
    const first = rows.minutes[0];
    if (first === undefined) return;
    // Rows come in about the order of their time: only the tail is merged again.
    const at = lowerBound(this.#minutes, first);
    const minutes = this.#minutes.splice(at);
    const counts = this.#counts.splice(at);
    let i = 0;
    let j = 0;
    while (i < minutes.length || j < rows.minutes.length) {
      const mine = minutes[i] ?? Number.POSITIVE_INFINITY;
      const added = rows.minutes[j] ?? Number.POSITIVE_INFINITY;
      const sum = (mine <= added ? counts[i]! : 0) + (added <= mine ? rows.counts[j]! : 0);
      if (sum !== 0) {
        this.#minutes.push(Math.min(mine, added));
        this.#counts.push(sum);
      }
      if (mine <= added) i++;
      if (added <= mine) j++;
    }
    this.#totalsEnd = Math.min(this.#totalsEnd, at);
    this.#hashes.cut(at);
  }

  /** Subtracts rows; no count becomes negative. */
  subtract(rows: MinuteRows): void {
    this.add(negated(rows));
    const kept = this.#counts.map((count) => count > 0);
    this.#minutes = this.#minutes.filter((_, i) => kept[i]);
    this.#counts = this.#counts.filter((_, i) => kept[i]);
    this.#totalsEnd = 0;
    this.#hashes.cut(0);
  }

  /** Rows in the whole minutes that cover [fromMs, toMs). */
  sum(fromMs: number, toMs: number): number {
    if (!(toMs > fromMs)) return 0;
    const from = lowerBound(this.#minutes, Math.floor(fromMs / minuteMs));
    const to = lowerBound(this.#minutes, Math.ceil(toMs / minuteMs));
    return this.#totalUpTo(to) - this.#totalUpTo(from);
  }

  /** Another text for other rows in the whole minutes that cover [fromMs, toMs); "" where there are none. */
  hash(fromMs: number, toMs: number): string {
    if (!(toMs > fromMs)) return "";
    const from = lowerBound(this.#minutes, Math.floor(fromMs / minuteMs));
    const to = lowerBound(this.#minutes, Math.ceil(toMs / minuteMs));
    return this.#hashes.between(from, to, this.#minutes, this.#counts);
  }

  /** The whole minutes that cover [fromMs, toMs). */
  between(fromMs: number, toMs: number): MinuteRows {
    if (!(toMs > fromMs)) return { minutes: [], counts: [] };
    const from = lowerBound(this.#minutes, Math.floor(fromMs / minuteMs));
    const to = lowerBound(this.#minutes, Math.ceil(toMs / minuteMs));
    return { minutes: this.#minutes.slice(from, to), counts: this.#counts.slice(from, to) };
  }

  /** Null where there are none. */
  firstMs(): number | null {
    const [first] = this.#minutes;
    return first === undefined ? null : first * minuteMs;
  }

  /** For a snapshot. */
  list(): MinuteRows {
    return { minutes: this.#minutes, counts: this.#counts };
  }

  #totalUpTo(index: number): number {
    for (let i = this.#totalsEnd; i < index; i++) {
      this.#totals[i + 1] = this.#totals[i]! + this.#counts[i]!;
    }
    this.#totalsEnd = Math.max(this.#totalsEnd, index);
    return this.#totals[index]!;
  }
}

/** Index of the first minute that is not before. */
export function lowerBound(minutes: readonly number[], minute: number): number {
  let low = 0;
  let high = minutes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (minutes[middle]! < minute) low = middle + 1;
    else high = middle;
  }
  return low;
}
