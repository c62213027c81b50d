import type { BitmapAddress, HashTable, RowSet, Values } from "./addresses.js";
import type { AutomatonOperations } from "./operations/automaton.js";
import type { BestGroupOperations } from "./operations/bestGroups.js";
import type { BucketOperations, HistogramShape } from "./operations/buckets.js";
import type { CodeBitsOperations } from "./operations/codeBits.js";
import type { DealOperations } from "./operations/deal.js";
import type { DistinctOperations } from "./operations/distinct.js";
import type { GroupCodeOperations } from "./operations/groupCodes.js";
import type { NarrowOperations } from "./operations/narrow.js";
import type { PackedOperations } from "./operations/packed.js";
import type { PartedKeyOperations } from "./operations/partedKeys.js";
import type { RadixOperations } from "./operations/radix.js";
import type { ScanProgramOperations } from "./operations/scanProgram.js";
import type { SpreadOperations } from "./operations/spread.js";
import type { SquareOperations } from "./operations/squares.js";
import type { TemplateOperations } from "./operations/templates.js";
import type { TextOperations } from "./operations/text.js";
import type { TotalOperations } from "./operations/totals.js";
import type { ValueTableOperations } from "./operations/valueTable.js";

export type { BitmapAddress, HashTable, RowSet, Values } from "./addresses.js";

/**
 * What the host may ask of the kernel. Addresses are byte offsets into the one shared memory; the
 * kernel allocates nothing. It may read up to 4096 bytes (READ_AHEAD_BYTES) behind what it is given, which have to be
 * there; no answer hangs on them. `Kernel` (WASM) and `ReferenceKernel` (plain TypeScript, the oracle of the
 * differential tests) both implement {@link KernelOperations}, over the same memory.
 */

export interface KernelOperations
  extends GroupCodeOperations,
    AutomatonOperations,
    BestGroupOperations,
    DealOperations,
    DistinctOperations,
    NarrowOperations,
    PackedOperations,
    PartedKeyOperations,
    RadixOperations,
    ScanProgramOperations,
    SpreadOperations,
    SquareOperations,
    BucketOperations,
    CodeBitsOperations,
    TemplateOperations,
    TextOperations,
    TotalOperations,
    ValueTableOperations {
  // ---- selections: bitmaps over rows [0, rowCount), written whole words at a time ----

  /** out = bit i set where from <= i < to. Writes all words that cover rowCount. */
  selectRows(out: BitmapAddress, rowCount: number, from: number, to: number): void;
  /** out = low <= value <= high, over values [0, rowCount). Narrow widths compare unsigned, width 8 signed. low > high selects nothing. */
  selectRange(
    out: BitmapAddress,
    values: Values,
    rowCount: number,
    low: bigint,
    high: bigint,
  ): void;
  /** out = bit `value` of the bitmap at `codes` is set. Values are narrower than 8 bytes and below codeCount; others select nothing. scratch: 65,536 bytes. */
  selectCodes(
    out: BitmapAddress,
    values: Values,
    rowCount: number,
    codes: BitmapAddress,
    codeCount: number,
    scratch: number,
  ): void;
  /** into &= other. */
  andInto(into: BitmapAddress, other: BitmapAddress, rowCount: number): void;
  /** into |= other. */
  orInto(into: BitmapAddress, other: BitmapAddress, rowCount: number): void;
  /** into &= ~other. */
  andNotInto(into: BitmapAddress, other: BitmapAddress, rowCount: number): void;
  countSelected(selection: BitmapAddress, rowCount: number): number;
  /** Writes the indexes of the set bits as u32, ascending; returns how many. Room for rowCount + 16 indexes is there. */
  rowsOfSelection(selection: BitmapAddress, rowCount: number, out: number): number;
  /** First index in [0, rowCount] whose value is >= bound; values ascend. Narrow widths unsigned, width 8 signed. */
  lowerBound(values: Values, rowCount: number, bound: bigint): number;

  // ---- group ids: u32 per row of the row set, in its order ----

  /** out[k] = 0. */
  clearGroups(out: number, count: number): void;
  /** out[k] += value(row k) · stride, modulo 2^32. */
  addCodeGroups(out: number, values: Values, rows: RowSet, stride: number): void;
  /** out[k] += (present ? value − base + 1 : 0) · stride. `present` 0: all are. base is signed for width 8 and unsigned below; value − base fits 31 bits. */
  addIntGroups(
    out: number,
    values: Values,
    present: BitmapAddress,
    rows: RowSet,
    base: bigint,
    stride: number,
  ): void;
  /** out[k] += index of the edge interval that holds the value, · stride. `edges`: edgeCount ascending i64; edge[0] <= value + base < edge[edgeCount-1] for all rows; values (narrow ones unsigned) may be in any order. */
  addEdgeGroups(
    out: number,
    values: Values,
    base: bigint,
    rows: RowSet,
    edges: number,
    edgeCount: number,
    stride: number,
  ): void;

  // ---- group ids beyond direct addressing: u64 keys, hashed to dense ids ----

  /** keys[k] = 0 (u64). */
  clearKeys(keys: number, count: number): void;
  /** keys[k] = keys[k] · multiplier + component (see the add…Groups of the same name, but value − base may take 64 bits); all modulo 2^64. */
  addCodeKeys(keys: number, values: Values, rows: RowSet, multiplier: bigint): void;
  addIntKeys(
    keys: number,
    values: Values,
    present: BitmapAddress,
    rows: RowSet,
    base: bigint,
    multiplier: bigint,
  ): void;
  addEdgeKeys(
    keys: number,
    values: Values,
    base: bigint,
    rows: RowSet,
    edges: number,
    edgeCount: number,
    multiplier: bigint,
  ): void;
  /**
   * groups[k] = dense id of keys[k], new keys numbered in order of arrival from table.groupCount on.
   * Returns the new number of groups, or -1 when groupsMax is reached (then groups is undefined).
   * The table: see {@link HashTable}.
   */
  hashKeys(
    groups: number,
    keys: number,
    count: number,
    table: HashTable,
    groupCount: number,
  ): number;
  /** Makes the table empty (slots all free). */
  clearHashTable(table: HashTable): void;

  // ---- accumulate: per row k of the set, into the accumulator of group groups[k] ----
  // `groups` 0: all rows belong to group 0. `weights` 0: every weight is 1. `present` 0: no value is missing.
  // Weights: u32 values (width 1, 2 or 4; width 0 is no weights), a row whose weight is 0 counts as weight 1 (no sample rate given).
  // `base` is added to the stored value whatever its width (a plain int64 column gives 0).

  /** counts: u32 per group, += 1. */
  addRows(counts: number, groups: number, count: number): void;
  /** sums: i64 per group, += weight of the row where present. */
  addWeights(
    sums: number,
    groups: number,
    rows: RowSet,
    weights: Values | null,
    present: BitmapAddress,
  ): void;
  /** sums: i64 per group, += (value + base) · weight. The caller knows that it cannot overflow. Narrow values are unsigned. */
  addProducts(
    sums: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    weights: Values | null,
    present: BitmapAddress,
  ): void;
  /** sums: three i64 limbs per group (adjacent), limb j += (((value + base) · weight) >> 32 j) & 0xffffffff, the last one with the sign; exact for any i64 value and u32 weight. */
  addWideProducts(
    sums: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    weights: Values | null,
    present: BitmapAddress,
  ): void;
  /** extremes: i64 per group = min (max) of itself and the values. `base` is added to the values first. Start them with i64 max (min). */
  addMinimums(
    extremes: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    present: BitmapAddress,
  ): void;
  addMaximums(
    extremes: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    present: BitmapAddress,
  ): void;
  /** histogram: i64 per group and bucket (bucketCount a group), [logLinearBucket(value + base, subBits) − firstBucket] += weight. The caller knows that buckets fit. small: value + base of every row lies within ±2^24, which goes faster. */
  addToHistograms(
    histogram: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    weights: Values | null,
    present: BitmapAddress,
    small: boolean,
    shape: HistogramShape,
  ): void;

  // ---- seal ----

  /** order: u32 × rowCount = row indexes sorted by (i64 times, index): a stable sort. offsets: u32 × rowCount = time − lowest in that order, where highest − lowest is below 2^32; else nothing. No time is below lowest or above highest. scratch: rowCount × 16 + 4096 bytes. Returns 1 if the times ascended already. */
  sortByTime(
    order: number,
    offsets: number,
    times: number,
    rowCount: number,
    lowest: bigint,
    highest: bigint,
    scratch: number,
  ): number;
  // `order` 0 in what follows: the rows keep their order. With one, the first `rowCount` of what it chooses from are read, whichever it names.
  /** out[i] (narrow) = values[order[i]] − base; values are 4 or 8 bytes wide. Missing rows give 0 (present 0: none missing). out.width holds the span. */
  permuteInts(
    out: Values,
    values: Values,
    present: BitmapAddress,
    order: number,
    rowCount: number,
    base: bigint,
  ): void;
  /** out[i] = codes[order[i]]: u32 codes to out.width. */
  permuteCodes(out: Values, codes: number, order: number, rowCount: number): void;
  /** Bit i of out = bit order[i] of bitmap. */
  permuteBits(out: BitmapAddress, bitmap: BitmapAddress, order: number, rowCount: number): void;
  /** Smallest and largest i64 among the present ones of values [0, rowCount), written as two i64 at `out`; (i64 max, i64 min) when none. */
  findRange(out: number, values: number, present: BitmapAddress, rowCount: number): void;
  /** times[i], whole f64 milliseconds, become i64 where they are. The smallest and the largest are written as two f64 at `out`; (∞, −∞) when there is none. */
  takeTimes(out: number, times: number, rowCount: number): void;
}
