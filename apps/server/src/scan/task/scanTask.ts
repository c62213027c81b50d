import type {
  DealTable,
  HashTable,
  NarrowTable,
  Needle,
  PartedKeyTable,
  RadixTable,
  Values,
} from "@hadal/kernel-wasm";
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
 * A query lowered to addresses and numbers, for one scan thread. It is plain data that can be
 * posted: dictionaries and names stay on the leaf's main thread.
 */
export interface ScanTask {
  readonly id: number;
  readonly sides: readonly SideTask[];
  /** Programs, each of which scans many segments; they run before the units. */
  readonly programs: readonly ProgramTask[];
  /** The other segments, in the order of scanning. */
  readonly units: readonly ScanUnit[];
  /** Address of a u32 that counts the units taken by all lanes; 0: this task scans every unit. */
  readonly cursor: number;
  readonly sample: SampleTask | null;
  /**
   * Further tables for the same rows: the sides of each branch; null: there was no room for them.
   */
  readonly branches: readonly (readonly SideTask[] | null)[];
  /** While other tasks run, this one has few turns. */
  readonly background: boolean;
}

/** One side's group table and accumulators. */
export interface SideTask {
  readonly table: GroupTable;
  /** How each group component is read from a group's number or key, in their order. */
  readonly components: readonly ComponentTask[];
  /** u32 per group: its row count. */
  readonly counts: number;
  /** Aligned with the query's states. */
  readonly states: readonly StateTask[];
  /** Buffers in which rows wait for their group's part; null: rows are added at once. */
  readonly dealt: DealtRows | null;
  /** Which groups the thread may leave out of its answer; null: none. */
  readonly preCut: PreCut | null;
}

/**
 * Keeps the `max` groups (or series, with all their points) with the largest or smallest state, and
 * those that tie with the last.
 */
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
      /**
       * u8 per group: rows not yet added to its count during the scan; 0: rows are counted at once.
       */
      readonly tallies: number;
    }
  /**
   * Σ component · stride is a key of 32 bits, stored with the row count and the sum of one column.
   */
  | {
      readonly kind: "narrow";
      readonly groupsMax: number;
      readonly strides: readonly number[];
      readonly table: NarrowTable;
      /** u32 per group: its key. */
      readonly keys: number;
      readonly sum: NarrowSum | null;
    }
  /** Σ component · stride is a key of 32 bits; the table gives each key a dense id. */
  | {
      readonly kind: "parted";
      readonly groupsMax: number;
      readonly strides: readonly number[];
      readonly table: PartedKeyTable;
    }
  /**
   * Components are packed into 64-bit keys, level by level: the key of a later level begins with
   * the dense id of the level before.
   */
  | {
      readonly kind: "hash";
      readonly groupsMax: number;
      readonly levels: readonly HashLevel[];
      /** The table that counts once there are too many groups for a cache; null: none. */
      readonly radix: RadixCounts | null;
    };

/**
 * Rows of a table whose groups do not fit a cache: they are dealt out to parts by neighbouring
 * group numbers, or by the hash of their keys.
 */
export interface DealtRows {
  readonly table: DealTable;
  /**
   * 0: rows are dealt by group number. Else by mixed key, once the table has this many groups; keys
   * are then numbered part by part.
   */
  readonly fromGroups: number;
  readonly partCount: number;
  /** A part with this many rows is added to its groups. */
  readonly fullRows: number;
  /** Distance between the first places of two parts. */
  readonly partPlaces: number;
  readonly columns: readonly DealtColumn[];
  /** The inputs of the states for the dealt rows; weights are u32. */
  readonly unit: AddedUnit;
}

/** u32 per row: a state's value less `least`. */
export interface DealtColumn {
  readonly stateIndex: number;
  readonly least: bigint;
  /** Address of the values, by place. */
  readonly values: number;
}

/** Each value is `least` plus a u32, and none is missing. */
export interface NarrowSum {
  readonly stateIndex: number;
  readonly least: bigint;
}

export interface RadixCounts {
  readonly table: RadixTable;
  /** The radix table is used from this number of groups on. */
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

/**
 * The addresses of a state's arrays; 0: an array is not kept, because its values follow from others
 * (see each kind).
 */
export type StateTask =
  | { readonly kind: "rows" }
  /** `sums` 0: no row has a sample rate, so the weight is the row count. */
  | { readonly kind: "weight"; readonly sums: number }
  | { readonly kind: "present"; readonly sums: number; readonly weighted: boolean }
  /**
   * `weights` 0: no value is missing, so the weight is the group's. `lows`: u32 per group, the part
   * not yet added to its sum during the scan, where every value is a u32; 0: none.
   */
  | {
      readonly kind: "sum";
      readonly sums: number;
      readonly lows: number;
      readonly wide: boolean;
      readonly weights: number;
    }
  /** i64 per group, or, where that could overflow, five limbs of 32 bits in an i64 each. */
  | { readonly kind: "squares"; readonly sums: number; readonly wide: boolean }
  /**
   * Three f64 per group. `sums` 0: no row has a sample rate, so there is no error. Without `values`
   * every value is 1.
   */
  | {
      readonly kind: "spread";
      readonly sums: number;
      readonly values: boolean;
      readonly ofColumn: boolean;
    }
  /** `presence` 0: a group without values is known by its initial value. */
  | { readonly kind: "min" | "max"; readonly extremes: number; readonly presence: number }
  /** The main thread or the sandbox computes the state; the scan thread only finds the groups. */
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
  /**
   * Encoded times, in which the time range is searched; null: plain times. With them, `times` is
   * valid only if another part of the unit reads it.
   */
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
  /**
   * Aligned with the side's states; null where the state needs no column or the segment has no such
   * column.
   */
  readonly inputs: readonly (SegmentInput | null)[];
  /** For raw rows: the values that order them, aligned with the task's orders. */
  readonly orders: readonly RowExpression[];
  /** Bytes of the columns that are read, for the statistics. */
  readonly bytes: number;
  /** The columns that each branch of the task reads. */
  readonly branches: readonly (UnitBranch | null)[];
}

/** The parts of a unit that states read. */
export type AddedUnit = Pick<ScanUnit, "rowCount" | "minMs" | "weights" | "inputs">;

/** The columns that a branch reads of a segment, instead of those of the unit. */
export type UnitBranch = Pick<ScanUnit, "decodes" | "times" | "groups" | "inputs">;

/** A condition on the rows of one segment. `present` 0: no value is missing. */
export type SegmentFilter =
  | { readonly op: "every" }
  | { readonly op: "none" }
  | { readonly op: "all" | "any"; readonly filters: readonly SegmentFilter[] }
  /** The rows that do not pass the filter. */
  | { readonly op: "otherwise"; readonly filter: SegmentFilter }
  | { readonly op: "bitmap"; readonly bitmap: number; readonly negated: boolean }
  /**
   * A condition on a derived column. It is unknown for the rows in the bitmap `overflown`, whose
   * arithmetic exceeds 64 bits.
   */
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
      /**
       * Bitmap that marks rows whose string cannot be computed because of an overflow; 0: all can.
       */
      readonly overflown: number;
      readonly negated: boolean;
    };

/** Strings without codes: they get codes during the scan where needed. */
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
  /** `asList`: the value is a list with this text alone, as JSON. */
  | { readonly kind: "virtual"; readonly source: StringSource; readonly asList: boolean }
  /** Codes of another dictionary, each mapped to one item. */
  | ({ readonly kind: "mapped"; readonly values: Values } & ItemLists)
  /** Every row is grouped by each item of its list. */
  | ({ readonly kind: "items"; readonly values: Values } & ItemLists)
  /** For exploded rows: u32 codes by place in the row set, not by row. */
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
  /** The values are codes, of which 0 means missing: only presence is used. */
  readonly coded: boolean;
  readonly values: Values;
  readonly base: bigint;
  readonly present: number;
  /** For distinct values: how they become elements. */
  readonly elements: ElementSource | null;
  /** All values are within ±2^24, where an f32 is exact. */
  readonly small: boolean;
  /**
   * The values have other decimals than the query wants: they are multiplied (or divided) by
   * 10^|shift| first.
   */
  readonly shift: number;
}

/** How the values of one segment become elements. */
export type ElementSource =
  | { readonly kind: "ints" }
  /** Address of the elements, u64 per code. */
  | { readonly kind: "codes"; readonly table: number }
  /**
   * Row by row in JavaScript: texts, and integers as text. `asList`: each becomes a list with one
   * element.
   */
  | { readonly kind: "read"; readonly source: StringSource; readonly asList: boolean };

export interface SampleTask {
  readonly limit: number;
  readonly newestFirst: boolean;
  /** The order of the rows, aligned with `orders` of each unit; absent: by time alone. */
  readonly orders?: readonly (RowOrder & { readonly name: string; readonly byTime: boolean })[];
}
