import { hashMinute } from "../../base/row/minuteHash.js";

/** One for each 32 bits of a hash. */
const seeds = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667] as const;

/**
 * Running sums of the hashes of minutes: the hash of 128 bits of any range is two look-ups. Sums, so that a minute that is
 * added at the end changes none before it.
 */
export class MinuteSums {
  /** By seed: sums[i] of the minutes before i, up to `end`. */
  readonly #sums: readonly number[][] = seeds.map(() => [0]);
  #end = 0;

  /** Minutes from this index on have changed. */
  cut(at: number): void {
    this.#end = Math.min(this.#end, at);
  }

  /** The hash of the minutes [from, to) of these; "" where there are none. */
  between(from: number, to: number, minutes: readonly number[], counts: readonly number[]): string {
    if (to <= from) return "";
    this.#extend(to, minutes, counts);
    return this.#sums.map((sums) => ((sums[to]! - sums[from]!) >>> 0).toString(36)).join(".");
  }

  #extend(to: number, minutes: readonly number[], counts: readonly number[]): void {
    for (const [lane, sums] of this.#sums.entries()) {
      const seed = seeds[lane]!;
      for (let i = this.#end; i < to; i++)
        sums[i + 1] = (sums[i]! + hashMinute(minutes[i]!, counts[i]!, seed)) >>> 0;
    }
    this.#end = Math.max(this.#end, to);
  }
}
