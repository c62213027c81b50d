import type { EncodedStrings } from "../../base/bytes/stringList.js";
import type { BucketWeights } from "./bucketWeights.js";

/** States per group from part of the data: mergeable, never finished numbers. Column-major. */
export interface PartialResult {
  /** Aligned with ResolvedQuery.sides. Empty for raw rows. */
  readonly sides: readonly PartialSide[];
  readonly sample: PartialSample | null;
  /** Aligned with the query's branches; null: the branch has too many groups. Absent without branches. */
  readonly branches?: readonly (PartialResult | null)[];
  /** Set by a leaf: no row, also no row of a part that was cut off, lowers the rank value of a group. */
  readonly grows?: boolean;
}

export interface PartialSide {
  readonly groupCount: number;
  /** Aligned with ResolvedQuery.groupBy. */
  readonly keys: readonly KeyColumn[];
  /** Aligned with ResolvedQuery.states. */
  readonly states: readonly StateColumn[];
  /** How many groups the sender cut off (series when the cut was by series). */
  readonly groupsCut: number;
  /**
   * Per time bucket: the highest rank value among the groups that were cut off, at least 0; -1 if none was. Set by a leaf
   * whose groups rank by a state, the largest first. Absent: any group may have been cut off.
   */
  readonly cutRanks?: Float64Array;
  /**
   * Of groups that rank by a state, the largest first: no group that the sender did not send has a
   * higher rank value (a series: total). Set by aggregators; infinite: it is unknown. Absent: the
   * smallest value that was sent is that bound.
   */
  readonly unsentMax?: number;
  /** True: no two groups have the same key. */
  readonly keysDiffer?: boolean;
}

export type KeyColumn =
  /** Index into the side's time buckets. */
  | { readonly kind: "bucket"; readonly indexes: Int32Array }
  | { readonly kind: "int"; readonly values: BigInt64Array; readonly present: Uint8Array }
  /** codes: -1 = missing, else index into the dictionary, whose entries may repeat. */
  | {
      readonly kind: "string";
      readonly dictionary: readonly string[];
      readonly codes: Int32Array;
      /** The encoded dictionary; if present, `dictionary` is decoded from it on first use. */
      readonly bytes?: DictionaryBytes;
    };

/** A dictionary in encoded form. */
export interface DictionaryBytes extends EncodedStrings {
  /** End offset of each entry in the text. */
  readonly ends: Uint32Array;
  /** All its entries, decoded once and shared. */
  decode(): readonly string[];
}

export type StateColumn =
  /** rows, weight, present: whole numbers up to 2^53. */
  | { readonly kind: "count"; readonly values: Float64Array }
  /** Exact: the sum is hi · 2^32 + lo, hi and lo whole, 0 <= lo < 2^32; `weights` are the weights of present values. |hi| > 2^53: overflowed. */
  | {
      readonly kind: "sum";
      readonly hi: Float64Array;
      readonly lo: Float64Array;
      readonly weights: Float64Array;
    }
  /** Sets of 64-bit elements: integers themselves, hashes of strings. Not weighted. */
  | ({ readonly kind: "distinct" } & DistinctSets)
  /** Six limbs of 32 bits per group, least first: exact sums of weight · value². */
  | { readonly kind: "squares"; readonly limbs: Uint32Array }
  /** Per group, the states of a user's function as JSON; the root merges them when it finishes. */
  | { readonly kind: "function"; readonly states: readonly (readonly string[])[] }
  /** The finished values of such a function, in the order of the groups. */
  | { readonly kind: "finished"; readonly values: readonly (number | bigint | string | null)[] }
  /** Three sums per group as rounded doubles: used for error bars, not for results. */
  | { readonly kind: "spread"; readonly sums: Float64Array }
  | { readonly kind: "extreme"; readonly values: BigInt64Array; readonly present: Uint8Array }
  /** The smallest or largest texts. */
  | { readonly kind: "texts"; readonly values: readonly (string | null)[] }
  /**
   * Per group the weights [offsets[g], offsets[g+1]), by ascending bucket. Listed: only buckets that are not empty, each with
   * its number. Runs: all buckets from buckets[g] on, shorter if few between are empty; the first and the last are not empty.
   * Bucket numbers as in kernel-wasm's logLinear, ±4,033 at most.
   */
  | {
      readonly kind: "histogram";
      readonly form: "listed" | "runs";
      readonly subBits: number;
      readonly offsets: Uint32Array;
      readonly buckets: Int16Array;
      readonly weights: BucketWeights;
    }
  /** Runs with cells of one or two bytes. A cell that would overflow is 0; its weight is listed separately, by ascending place. */
  | {
      readonly kind: "histogram";
      readonly form: "packed";
      readonly subBits: number;
      readonly offsets: Uint32Array;
      readonly buckets: Int16Array;
      readonly cells: Uint8Array | Uint16Array;
      /** Weight of each group. */
      readonly totals: Float64Array;
      readonly largeAt: Uint32Array;
      readonly largeWeights: Float64Array;
    };

export type DistinctSets =
  /** Bit i of a group's `groupBits` bits is the integer base + i. Both are multiples of 64. */
  | {
      readonly form: "bitmaps";
      readonly base: bigint;
      readonly groupBits: number;
      readonly words: Uint32Array;
    }
  /** Per group the elements [offsets[g], offsets[g+1]), each once, in any order: low and high word. */
  | { readonly form: "elements"; readonly offsets: Uint32Array; readonly elements: Uint32Array }
  /** HyperLogLog: 2^bits registers a group. */
  | { readonly form: "registers"; readonly bits: number; readonly registers: Uint8Array };

/** Raw rows, one side of the query after the other, each newest (or oldest) first. */
export interface PartialSample {
  readonly rowCount: number;
  /** The side of the query that each row belongs to. */
  readonly sides: Uint8Array;
  readonly times: Float64Array;
  /** Aligned with ResolvedQuery.sample.columns. Same meaning as in a RowBatch. */
  readonly columns: readonly SampleColumn[];
}

export type SampleColumn =
  | { readonly kind: "int"; readonly values: BigInt64Array; readonly present: Uint8Array }
  /** Sets and vectors as JSON text. -1 = missing. */
  | { readonly kind: "coded"; readonly dictionary: readonly string[]; readonly codes: Int32Array };
