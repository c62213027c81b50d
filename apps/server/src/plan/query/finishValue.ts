import type { AggregateFn } from "@hadal/sdk";
import type { Calculation } from "./calculation.js";

/** How to finish a number from states. `perMs`: divided by how many of these the group covers. */
export type FinishValue =
  | { readonly kind: "count"; readonly stateIndex: number; readonly perMs: number | null }
  | { readonly kind: "sum"; readonly stateIndex: number; readonly perMs: number | null }
  | { readonly kind: "average"; readonly stateIndex: number }
  | { readonly kind: "extreme"; readonly stateIndex: number }
  /** The smallest or largest text. */
  | { readonly kind: "text"; readonly stateIndex: number }
  /**
   * From the buckets of a histogram, within the smallest and the largest value. `squaresIndex`: where sample rates make
   * it an estimate, the histogram of the squares of weights.
   */
  | {
      readonly kind: "percentile";
      readonly stateIndex: number;
      readonly p: number;
      readonly minIndex: number;
      readonly maxIndex: number;
      readonly squaresIndex: number | null;
    }
  | { readonly kind: "distinct"; readonly stateIndex: number }
  /** Finished by the aggregate of this name, from states in an order of its own; `stateIndex` is the first of them. */
  | {
      readonly kind: "own";
      readonly fn: AggregateFn;
      readonly stateIndex: number;
      readonly stateIndexes: readonly number[];
    }
  /** What a function of a user returns: numbers, or strings. */
  | { readonly kind: "function"; readonly stateIndex: number }
  /** From other columns, when these are finished. `path`: where the query has it. */
  | {
      readonly kind: "calculated";
      readonly stateIndex: number;
      readonly calculation: Calculation;
      readonly path: string;
    }
  /** No number: a list of buckets. */
  | { readonly kind: "histogram"; readonly stateIndex: number };
