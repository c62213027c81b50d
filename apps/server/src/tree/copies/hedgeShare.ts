import type { HedgeBudget } from "../queriedNode.js";

/** How often partitions were asked a second time. */
export interface HedgeCounts {
  /** Partitions that were asked. */
  readonly asked: number;
  /** Copies that were asked since the first answer was late. */
  readonly hedged: number;
  /** Late partitions whose copy was not asked: too many had been. */
  readonly refused: number;
  /** Copies that were asked since the first answer failed. */
  readonly replaced: number;
}

/** A gateway that had nothing late for days does not ask everything twice in its worst moment. */
const savedMax = 50;

/**
 * How many partitions may be asked twice because they are late: a share of those asked so far, so
 * that slow machines do not get more load for being slow. A partition that failed is asked again
 * in any case.
 */
export class HedgeShare implements HedgeBudget {
  readonly #share: number;
  #saved = 0;
  #counts = { asked: 0, hedged: 0, refused: 0, replaced: 0 };

  constructor(share: number) {
    this.#share = share;
  }

  get counts(): HedgeCounts {
    return this.#counts;
  }

  addAsked(partitions: number): void {
    this.#counts.asked += partitions;
    this.#saved = Math.min(savedMax, this.#saved + this.#share * partitions);
  }

  addReplaced(): void {
    this.#counts.replaced++;
  }

  /** Whether one more late partition may be asked twice; counts it. */
  takeHedge(): boolean {
    if (this.#saved < 1) {
      this.#counts.refused++;
      return false;
    }
    this.#saved--;
    this.#counts.hedged++;
    return true;
  }
}
