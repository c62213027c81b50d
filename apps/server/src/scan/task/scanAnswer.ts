import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import type { EncodedStrings } from "../../base/bytes/stringList.js";

/** The result of a scan so far; the last one is `done`. Every array belongs to the receiver. */
export interface ScanAnswer {
  readonly id: number;
  readonly done: boolean;
  readonly sides: readonly SideAnswer[];
  readonly sample: SampleAnswer | null;
  /**
   * Aligned with the task's branches, and within each with its sides; null: it has too many groups.
   */
  readonly branches: readonly (readonly SideAnswer[] | null)[];
  readonly rowsScanned: number;
  readonly rowsMatched: number;
  readonly bytesScanned: number;
  readonly unitsScanned: number;
  readonly scanMs: number;
}

export interface SideAnswer {
  readonly groupCount: number;
  readonly groupsCut: number;
  /** As in PartialSide. */
  readonly cutRanks?: Float64Array;
  /**
   * Per level of a hash table: keys in it, and slots in use; of a parted one the keys, of a narrow
   * one the groups listed, and whether it has any.
   */
  readonly levelCounts: readonly number[];
  readonly levelSlots: readonly number[];
  readonly isRadix: boolean;
  readonly isFilled: boolean;
  /** Aligned with the side's components: bucket indexes or codes, or integers with presence. */
  readonly keys: readonly KeyAnswer[];
  /** Aligned with the query's states, as in PartialResult. */
  readonly states: readonly StateColumn[];
}

export type KeyAnswer =
  | { readonly kind: "bucket"; readonly indexes: Int32Array }
  /** Codes from firstVirtualCode on are indexes into `strings`. */
  | { readonly kind: "codes"; readonly codes: Uint32Array; readonly strings: EncodedStrings }
  | { readonly kind: "int"; readonly values: BigInt64Array; readonly present: Uint8Array };

/** Rows by unit and index, in the wanted order. */
export interface SampleAnswer {
  readonly units: Uint32Array;
  readonly rows: Uint32Array;
  readonly times: Float64Array;
}
