import type { PlanAccuracy } from "@hadal/sdk";
import { Accuracy } from "./accuracy.js";
import { costOf } from "./costLine.js";
import { CostSamples, type QueryCosts, type QueryTiming } from "./costSamples.js";
import { predictParts, sumOfParts, type TreeCosts } from "./predictTime.js";
import type { QueryShape } from "./queryShape.js";
import type { TreeShape } from "./treeShape.js";

/** Medians of this many queries of a shape: a board that refreshes fills it in three minutes. */
const samplesOfShape = 16;
/** Of a kind: queries of many shapes. */
const samplesOfKind = 64;
/** A board has some 30 shapes; each takes 1 KiB. */
const shapesMax = 256;

/** What the last queries took: medians by shape, from which the time of the next one is predicted. */
export class QueryTimings {
  /** In the order of their last use. */
  readonly #shapes = new Map<string, CostSamples>();
  readonly #kinds = new Map<QueryShape["kind"], CostSamples>();
  readonly #accuracy = new Map<QueryShape["kind"], Accuracy>();

  note({ kind, key }: QueryShape, timing: QueryTiming): void {
    let samples = this.#shapes.get(key);
    if (samples === undefined) {
      samples = new CostSamples(samplesOfShape);
      if (this.#shapes.size >= shapesMax) this.#forgetOldest();
    } else {
      this.#shapes.delete(key);
    }
    this.#shapes.set(key, samples);
    samples.note(timing);
    let ofKind = this.#kinds.get(kind);
    if (ofKind === undefined) {
      ofKind = new CostSamples(samplesOfKind);
      this.#kinds.set(kind, ofKind);
    }
    ofKind.note(timing);
  }

  /** The costs of all queries of a kind; null: there was none yet. */
  costsOfKind(kind: QueryShape["kind"]): QueryCosts | null {
    return this.#kinds.get(kind)?.costs ?? null;
  }

  /** The time of a query from earlier ones of its shape, or else of its kind; null: there was none yet. */
  predictMs({ kind, key }: QueryShape, rows: number, tree: TreeShape): number | null {
    const costs = (this.#shapes.get(key) ?? this.#kinds.get(kind))?.costsSoFar;
    if (costs === undefined) return null;
    const parts = predictParts(tree, treeCosts(costs, { rows, groups: costs.groups }));
    return sumOfParts(parts) + costOf(costs.root, costs.groups);
  }

  /** Compares a predicted time with the measured one. */
  check(kind: QueryShape["kind"], predictedMs: number, measuredMs: number): void {
    const known = this.#accuracy.get(kind);
    const accuracy = known ?? new Accuracy();
    if (known === undefined) this.#accuracy.set(kind, accuracy);
    accuracy.note(predictedMs, measuredMs);
  }

  /** Of the last queries of a kind; null: none had a predicted time. */
  accuracyOfKind(kind: QueryShape["kind"]): PlanAccuracy | null {
    return this.#accuracy.get(kind)?.report ?? null;
  }

  #forgetOldest(): void {
    for (const key of this.#shapes.keys()) {
      this.#shapes.delete(key);
      return;
    }
  }
}

/** The times of the model for a number of rows of a leaf and groups of an answer. */
export function treeCosts(
  { scan, merge, wayMs }: QueryCosts,
  { rows, groups }: { readonly rows: number; readonly groups: number },
): TreeCosts {
  // Two machines have no common clock: only the way there and back is known, and the model needs only the sum.
  return {
    ts: costOf(scan, rows),
    ta: costOf(merge, groups),
    td: wayMs / 2,
    tg: wayMs / 2,
  };
}
