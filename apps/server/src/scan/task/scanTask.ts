import type {
  DealTable,
  HashTable,
  NarrowTable,
  Needle,
  PartedKeyTable,
  RadixTable,
  Values,
} from "@hadal/kernel-wasm";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import type { EncodedStrings } from "../../base/bytes/stringList.js";
import type { RowOrder } from "../../base/row/rowOrder.js";
import type { EncodedInts } from "../../column/encodedInts.js";
import type { StringTest } from "../pattern/stringTest.js";
import type { ColumnDecode } from "./columnDecode.js";
import type { EvaluatedSource, RowExpression } from "./deriveTask.js";
import type { DistinctTask } from "./distinctTask.js";
import type { HistogramTask } from "./histogramTask.js";
import type { ProgramTask } from "./programTask.js";
import type { PrintedSource, TextSource } from "./textSource.js";

/**
 * A query lowered to addresses: all that a scan thread needs, and nothing that only the leaf's main thread
 * has (dictionaries, names). Plain values, so that it can be posted.
 */
export interface ScanTask {
  readonly id: number;
  readonly sides: readonly SideTask[];
  /** Segments that programs scan, before the units. */
  readonly programs: readonly ProgramTask[];
  /** Other segments to scan, in the order of scanning. */
  readonly units: readonly ScanUnit[];
  /** Where the lanes that share the units count those taken, a u32; 0: this task scans all of them. */
  readonly cursor: number;
  readonly sample: SampleTask | null;
  /** Further tables for the same rows: of each branch every side's. Null: no room for it. */
  readonly branches: readonly (readonly SideTask[] | null)[];
  /** It takes its turns when no other task does. */
  readonly background: boolean;
}

/** One side's group table and accumulators. */
export interface SideTask {
  readonly table: GroupTable;
  /** How each group component is read from a group's number or key; first component first. */
  readonly components: readonly ComponentTask[];
  /** Per group u32: rows. */
  readonly counts: number;
  /** Aligned with the query's states. */
  readonly states: readonly StateTask[];
  /** Where rows wait to be added to their groups; null: nowhere. */
  readonly dealt: DealtRows | null;
  /** Which groups the thread may leave out of its answer. */
  readonly preCut: PreCut | null;
}

/** Keep the `max` groups (series, with all their points) with the largest (or smallest) state, and those that tie with the last. */
export interface PreCut {
  readonly stateIndex: number;
  readonly max: number;
  readonly desc: boolean;
  readonly bySeries: boolean;
}

export type GroupTable =
  /** No group by: one group. */
  | { readonly kind: "single" }
  /** Group number = Σ component · stride. */
  | {
      readonly kind: "direct";
      readonly groupCount: number;
      readonly strides: readonly number[];
      /** u8 per group: rows that its count lacks while it is scanned; 0: every row is counted at once. */
      readonly tallies: number;
    }
  /** Σ component · stride is a key of 32 bits; the rows and the sum of one column stand beside it. */
  | {
      readonly kind: "narrow";
      readonly groupsMax: number;
      readonly strides: readonly number[];
      readonly table: NarrowTable;
      /** u32 per group: its key. */
      readonly keys: number;
      readonly sum: NarrowSum | null;
    }
  /** Σ component · stride is a key of 32 bits, which has a dense id. */
  | {
      readonly kind: "parted";
      readonly groupsMax: number;
      readonly strides: readonly number[];
      readonly table: PartedKeyTable;
    }
  /** Components packed into 64-bit keys level by level; from the second level on the first component is the dense id of the level before. */
  | {
      readonly kind: "hash";
      readonly groupsMax: number;
      readonly levels: readonly HashLevel[];
      /** Where to count on when there turn out to be too many groups for a cache; null: nowhere. */
      readonly radix: RadixCounts | null;
    };

/** Rows of a table whose groups are far more than a cache holds, dealt out to parts: of neighbouring groups, or of keys by their hash. */
export interface DealtRows {
  readonly table: DealTable;
  /** 0: what is dealt are groups. Else it is mixed keys, which get their groups part by part, not before there are so many of these. */
  readonly fromGroups: number;
  readonly partCount: number;
  /** A part's rows are added when there are so many. */
  readonly fullRows: number;
  /** From a part's first place to that of the next. */
  readonly partPlaces: number;
  readonly columns: readonly DealtColumn[];
  /** What the states read of the rows, by place. Its weights are u32. */
  readonly unit: AddedUnit;
}

/** Of every row u32: what a state's value is beyond `least`. */
export interface DealtColumn {
  readonly stateIndex: number;
  readonly least: bigint;
  /** By place. */
  readonly values: number;
}

/** Every value is `least` and a u32, and none is missing. */
export interface NarrowSum {
  readonly stateIndex: number;
  readonly least: bigint;
}

export interface RadixCounts {
  readonly table: RadixTable;
  /** So many groups are hashed before it pays. */
  readonly fromGroups: number;
  readonly groupsMax: number;
}

export interface HashLevel {
  readonly table: HashTable;
  /** Indexes of the components packed into this level. */
  readonly components: readonly number[];
}

export type ComponentTask =
  | {
      readonly kind: "time";
      readonly cardinality: bigint;
      readonly edges: number;
      readonly edgeCount: number;
    }
  | { readonly kind: "codes"; readonly cardinality: bigint; readonly firstVirtualCode: number }
  | { readonly kind: "ints"; readonly cardinality: bigint; readonly base: bigint };

/** Where a state lies. Address 0: it is not kept, since it equals another (see each). */
export type StateTask =
  | { readonly kind: "rows" }
  /** sums 0: no row has a sample rate, so weights are rows. */
  | { readonly kind: "weight"; readonly sums: number }
  | { readonly kind: "present"; readonly sums: number; readonly weighted: boolean }
  /** weights 0: no value is missing, so they are the group's weight. lows: u32 per group, what its sum lacks while it is scanned (every value is a u32); 0: nothing. */
  | {
      readonly kind: "sum";
      readonly sums: number;
      readonly lows: number;
      readonly wide: boolean;
      readonly weights: number;
    }
  /** i64 per group, or, where that could overflow, five limbs of 32 bits in an i64 each. */
  | { readonly kind: "squares"; readonly sums: number; readonly wide: boolean }
  /** Three f64 per group. sums 0: no row has a sample rate, so nothing errs. Without `values` every value is 1. */
  | {
      readonly kind: "spread";
      readonly sums: number;
      readonly values: boolean;
      readonly ofColumn: boolean;
    }
  /** presence 0: a group without values still has the start value. */
  | { readonly kind: "min" | "max"; readonly extremes: number; readonly presence: number }
  /** Filled by the main thread or the sandbox: the scan thread finds the groups only. */
  | { readonly kind: "function" }
  | HistogramTask
  | DistinctTask;

/** One segment of one side. */
export interface ScanUnit {
  readonly side: number;
  readonly rowCount: number;
  readonly sorted: boolean;
  readonly times: Values;
  readonly timeBase: bigint;
  /** Where the range is searched when the times are not decoded; `times` then leads nowhere unless something else of the unit reads it. */
  readonly encodedTimes: EncodedInts | null;
  readonly decodes: readonly ColumnDecode[];
  readonly minMs: number;
  readonly maxMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly weights: Values | null;
  readonly filter: SegmentFilter;
  /** Aligned with the side's components. */
  readonly groups: readonly SegmentGroup[];
  /** Aligned with the side's states; null where the state needs no column or the segment has no such column. */
  readonly inputs: readonly (SegmentInput | null)[];
  /** Raw rows: the values that they are ordered by, aligned with the task's orders. */
  readonly orders: readonly RowExpression[];
  /** Bytes of the columns read, for the statistics. */
  readonly bytes: number;
  /** Aligned with the task's branches: what each reads of the segment. */
  readonly branches: readonly (UnitBranch | null)[];
}

/** What states read of rows. */
export type AddedUnit = Pick<ScanUnit, "rowCount" | "minMs" | "weights" | "inputs">;

/** What a branch reads of a segment, in the place of what the unit itself reads. */
export type UnitBranch = Pick<ScanUnit, "decodes" | "groups" | "inputs">;

/** A condition on the rows of one segment. Bitmaps `present` 0: nothing is missing. */
export type SegmentFilter =
  | { readonly op: "every" }
  | { readonly op: "none" }
  | { readonly op: "all" | "any"; readonly filters: readonly SegmentFilter[] }
  /** Rows that the filter does not let pass. */
  | { readonly op: "otherwise"; readonly filter: SegmentFilter }
  | { readonly op: "bitmap"; readonly bitmap: number; readonly negated: boolean }
  /** A condition on a derived column: whether a row passes whose arithmetic has overflown is unknown. */
  | { readonly op: "derived"; readonly filter: SegmentFilter; readonly overflown: number }
  | {
      readonly op: "range";
      readonly values: Values;
      readonly low: bigint;
      readonly high: bigint;
      readonly present: number;
      readonly negated: boolean;
    }
  | {
      readonly op: "ints";
      readonly values: Values;
      readonly wanted: readonly bigint[];
      readonly present: number;
      readonly negated: boolean;
    }
  | {
      readonly op: "codes";
      readonly values: Values;
      readonly bitmap: number;
      readonly codeCount: number;
    }
  | {
      readonly op: "contains";
      readonly text: TextSource;
      readonly needle: Needle;
      readonly negated: boolean;
    }
  /** Row by row in JavaScript: strings without a dictionary, or integers tested as text. */
  | {
      readonly op: "test";
      readonly source: StringSource;
      readonly test: StringTest;
      /** Only rows that pass this can pass the test; null: any row can. */
      readonly candidates: SegmentFilter | null;
      /** Bitmap to mark rows in whose strings cannot be made, their arithmetic having overflown; 0: all can. */
      readonly overflown: number;
      readonly negated: boolean;
    };

/** Strings that have no code: they get one while the query runs. */
export type StringSource = TextSource | PrintedSource | EvaluatedSource;

export type SegmentGroup =
  | { readonly kind: "time" }
  | { readonly kind: "codes"; readonly values: Values }
  | {
      readonly kind: "ints";
      readonly values: Values;
      readonly base: bigint;
      readonly present: number;
    }
  /** The segment lacks the column: every row is in the group of the missing. */
  | { readonly kind: "missing" }
  /** asList: the text stands for the list of itself, as JSON. */
  | { readonly kind: "virtual"; readonly source: StringSource; readonly asList: boolean }
  /** Codes of another dictionary, each with the one item it stands for here. */
  | ({ readonly kind: "mapped"; readonly values: Values } & ItemLists)
  /** Every row stands for the items of its list. */
  | ({ readonly kind: "items"; readonly values: Values } & ItemLists)
  /** u32 codes by place in the row set, not by row: rows that were exploded. */
  | { readonly kind: "placed"; readonly address: number }
  /** Values · factor have the decimals of the buckets. */
  | {
      readonly kind: "buckets";
      readonly values: Values;
      readonly base: bigint;
      readonly factor: bigint;
      readonly present: number;
      readonly by:
        | { readonly kind: "edges"; readonly edges: number; readonly edgeCount: number }
        | {
            readonly kind: "steps";
            readonly origin: bigint;
            readonly firstCode: number;
            readonly step: bigint;
          };
    };

/** The list of code c is items [starts[c], starts[c + 1]), u32 both. */
export interface ItemLists {
  readonly starts: number;
  readonly items: number;
}

export interface SegmentInput {
  /** Whether the values are codes, of which 0 means missing; only their presence is of use then. */
  readonly coded: boolean;
  readonly values: Values;
  readonly base: bigint;
  readonly present: number;
  /** For distinct values: how these become elements. */
  readonly elements: ElementSource | null;
  /** All values lie within ±2^24, so that an f32 holds them. */
  readonly small: boolean;
  /** Values are stored with other decimals than the query wants: multiply (or divide) by 10^|shift| first. */
  readonly shift: number;
}

/** How one segment's values become elements. */
export type ElementSource =
  | { readonly kind: "ints" }
  /** u64 per code. */
  | { readonly kind: "codes"; readonly table: number }
  /** Row by row in JavaScript: texts, and integers as text. `asList`: each as a list with it alone. */
  | { readonly kind: "read"; readonly source: StringSource; readonly asList: boolean };

export interface SampleTask {
  readonly limit: number;
  readonly newestFirst: boolean;
  /** What rows are ordered by, where that is not their time alone; aligned with each unit's. */
  readonly orders?: readonly (RowOrder & { readonly name: string; readonly byTime: boolean })[];
}

/** What a scan has found so far; the last one is `done`. Every array is the receiver's own. */
export interface ScanAnswer {
  readonly id: number;
  readonly done: boolean;
  readonly sides: readonly SideAnswer[];
  readonly sample: SampleAnswer | null;
  /** Aligned with the task's branches, and within each with its sides; null: it has too many groups. */
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
  /** Per level of a hash table: keys in it, and slots in use; of a parted one the keys, of a narrow one the groups listed, and whether it has any. */
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

/** Rows by unit and index, in the order asked for. */
export interface SampleAnswer {
  readonly units: Uint32Array;
  readonly rows: Uint32Array;
  readonly times: Float64Array;
}
