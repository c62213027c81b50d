import type { EncodedStrings } from "../../base/bytes/stringList.js";
import type { BucketWeights } from "./bucketWeights.js";

/** States per group from part of the data: mergeable, never finished numbers. Column-major. */
export interface PartialResult {
  /** Aligned with ResolvedQuery.sides. Empty for raw rows. */
  readonly sides: readonly PartialSide[];
  readonly sample: PartialSample | null;
  /** Aligned with the query's branches; null: the sender had too many groups of it. Absent without branches. */
  readonly branches?: readonly (PartialResult | null)[];
  /** Said by a leaf: no row takes anything from what groups rank by, a part that was cut off neither. */
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
   * Said by a leaf whose groups rank by a state, the largest first: of each time bucket the most that a group of it which was cut
   * off ranks by, or 0 if that is less; -1 where none of it was. Absent: any group may have been.
   */
  readonly cutRanks?: Float64Array;
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
      /** The dictionary as it came: where it is there, `dictionary` is made of it when first asked for. */
      readonly bytes?: DictionaryBytes;
    };

/** A dictionary that came as bytes. */
export interface DictionaryBytes extends EncodedStrings {
  /** Where each entry ends in the text. */
  readonly ends: Uint32Array;
  /** All its entries, made once for all that share it. */
  decode(): readonly string[];
}

export type StateColumn =
  /** rows, weight, present: whole numbers up to 2^53. */
  | { readonly kind: "count"; readonly values: Float64Array }
  /** Exact: the sum is hi · 2^32 + lo, hi and lo whole, 0 <= lo < 2^32; `weights` of the values that were present. |hi| > 2^53: overflowed. */
  | {
      readonly kind: "sum";
      readonly hi: Float64Array;
      readonly lo: Float64Array;
      readonly weights: Float64Array;
    }
  /** Sets of 64-bit elements that stand for values: integers are their own, strings have hashes. Not weighted. */
  | ({ readonly kind: "distinct" } & DistinctSets)
  /** Six limbs of 32 bits per group, least first: exact sums of weight · value². */
  | { readonly kind: "squares"; readonly limbs: Uint32Array }
  /** Of each group, the JSON texts of states of a user's function; the root merges them when it finishes. */
  | { readonly kind: "function"; readonly states: readonly (readonly string[])[] }
  /** What came of them: finished, in the order of the groups. */
  | { readonly kind: "finished"; readonly values: readonly (number | bigint | string | null)[] }
  /** Three sums per group, rounded as doubles are: of an error, not of a result. */
  | { readonly kind: "spread"; readonly sums: Float64Array }
  | { readonly kind: "extreme"; readonly values: BigInt64Array; readonly present: Uint8Array }
  /** The smallest or largest texts. */
  | { readonly kind: "texts"; readonly values: readonly (string | null)[] }
  /**
   * Per group the weights [offsets[g], offsets[g+1]), by ascending bucket. Listed: of the buckets that hold something, each
   * beside its weight. Runs: of all buckets from buckets[g] on, which is dense and shorter where few in between are empty; the
   * first and the last are not. Bucket numbers as in kernel-wasm's logLinear, ±4,033 at most.
   */
  | {
      readonly kind: "histogram";
      readonly form: "listed" | "runs";
      readonly subBits: number;
      readonly offsets: Uint32Array;
      readonly buckets: Int16Array;
      readonly weights: BucketWeights;
    }
  /** Runs whose cells are one or two bytes. Those that would hold more are 0, and their weights stand beside: by place, ascending. */
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
  /** Bit i of a group's groupBits is the integer base + i. Both are multiples of 64. */
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

/** Raw rows, side by side of the query, each newest (or oldest) first. */
export interface PartialSample {
  readonly rowCount: number;
  /** Of each row: the side of the query that it passed. */
  readonly sides: Uint8Array;
  readonly times: Float64Array;
  /** Aligned with ResolvedQuery.sample.columns. Same meaning as in a RowBatch. */
  readonly columns: readonly SampleColumn[];
}

export type SampleColumn =
  | { readonly kind: "int"; readonly values: BigInt64Array; readonly present: Uint8Array }
  /** Sets and vectors as JSON text. -1 = missing. */
  | { readonly kind: "coded"; readonly dictionary: readonly string[]; readonly codes: Int32Array };
