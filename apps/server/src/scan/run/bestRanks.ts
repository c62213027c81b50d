import { selectLargest } from "../../base/number/selectLargest.js";

/** The best of the added ranks, with those that tie with the last. */
export class BestRanks {
  #ranks: Float64Array;
  #groups: Uint32Array;
  #used = 0;

  readonly #max: number;

  constructor(
    max: number,
    /** Ranks below are not among the best. */
    public threshold = Number.NEGATIVE_INFINITY,
  ) {
    this.#max = max;
    this.#ranks = new Float64Array(Math.max(1_024, max * 2));
    this.#groups = new Uint32Array(this.#ranks.length);
  }

  add(rank: number, group: number): void {
    if (this.#used === this.#ranks.length) this.#shrink();
    this.#ranks[this.#used] = rank;
    this.#groups[this.#used++] = group;
  }

  /** Groups in the order of their arrival. */
  finish(): Uint32Array {
    this.#keepBest();
    return this.#groups.slice(0, this.#used);
  }

  #shrink(): void {
    this.#keepBest();
    if (this.#used * 2 <= this.#ranks.length) return;
    const [ranks, groups] = [this.#ranks, this.#groups];
    this.#ranks = new Float64Array(ranks.length * 2);
    this.#groups = new Uint32Array(ranks.length * 2);
    this.#ranks.set(ranks);
    this.#groups.set(groups);
  }

  #keepBest(): void {
    if (this.#used <= this.#max) return;
    this.threshold = selectLargest(this.#ranks.slice(0, this.#used), this.#max);
    let kept = 0;
    for (let i = 0; i < this.#used; i++) {
      if (this.#ranks[i]! < this.threshold) continue;
      this.#ranks[kept] = this.#ranks[i]!;
      this.#groups[kept++] = this.#groups[i]!;
    }
    this.#used = kept;
  }
}
