import type { PlanAccuracy } from "@hadal/sdk";

/** The last queries of a kind that had a predicted time. */
const queriesMax = 64;

/** How far predicted times were from the measured ones. */
export class Accuracy {
  readonly #ratios: number[] = [];
  #count = 0;

  note(predictedMs: number, measuredMs: number): void {
    if (predictedMs <= 0) return;
    this.#ratios[this.#count % queriesMax] = measuredMs / predictedMs;
    this.#count += 1;
  }

  /** null: nothing was predicted yet. */
  get report(): PlanAccuracy | null {
    if (this.#count === 0) return null;
    const sorted = this.#ratios.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 1;
    return { queries: sorted.length, median: at(0.5), low: at(0.25), high: at(0.75) };
  }
}
