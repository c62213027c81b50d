import { PACKED_GROUPS } from "../../../assembly/abi.js";
import type { BitmapAddress, RowSet, Values } from "../../base/addresses.js";

/** Largest table with packed accumulators: its groups of 8 bytes each fit the L1 cache. */
export const packedGroupsMax: number = PACKED_GROUPS;

/** The accumulators of a direct table, or of one run of its groups. */
export interface TotalTable {
  /** u32 per group: rows; 0: not wanted. */
  readonly counts: number;
  /** i64 per group; 0: not wanted. */
  readonly sums: number;
  readonly groupCount: number;
  /** Scratch: 8 bytes × min(groupCount, packedGroupsMax). */
  readonly packed: number;
}

/** Where the rows of many groups are counted in bytes. */
export interface TallyTable {
  /** u8 per group: rows that `counts` lacks. */
  readonly tallies: number;
  /** u32 per group. */
  readonly counts: number;
}

/** Where values of many groups are added up in 32 bits. */
export interface LowSumTable {
  /** u32 per group: what `sums` lacks. */
  readonly lows: number;
  /** i64 per group. */
  readonly sums: number;
}

/**
 * Groups of neighbouring rows, and counts and sums by code without a group id stored for every row.
 */
export interface TotalOperations {
  /** Rows [from, to) of the selection. */
  countOfRun(selection: BitmapAddress, from: number, to: number): number;
  /**
   * Cuts a row set whose values ascend where they pass an edge: for each run, u32 place in the set
   * of its first row, and u32 interval, at `out`; returns how many. Edges as for addEdgeGroups.
   */
  findRuns(
    out: number,
    values: Values,
    base: bigint,
    rows: RowSet,
    edges: number,
    edgeCount: number,
  ): number;
  /**
   * Group code − firstCode of each row: counts += 1, sums += value + base. Codes and values are at
   * most 4 bytes wide; `values` may have width 0. The caller knows that codes fit the table and
   * sums 64 bits.
   */
  addCodeTotals(
    table: TotalTable,
    codes: Values,
    firstCode: number,
    rows: RowSet,
    values: Values,
    base: bigint,
  ): void;
  /** The same by groups already known: u32 for each row of the set. */
  addGroupTotals(
    table: TotalTable,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
  ): void;
  /**
   * Group code − firstCode of each row: its tally += 1; at 256 the tally is 0 again and the count
   * += 256. Codes are at most 4 bytes wide.
   */
  tallyCodes(table: TallyTable, codes: Values, firstCode: number, rows: RowSet): void;
  /** The same by `count` groups already known, u32 each. */
  tallyGroups(table: TallyTable, groups: number, count: number): void;
  /** Adds the tallies to the counts; they are 0 then. */
  flushTallies(table: TallyTable, groupCount: number): void;
  /**
   * Group code − firstCode of each row: its low sum (u32) += value + base; a carry of 2^32 goes to
   * its sum. Codes and values are 1 to 4 bytes wide.
   */
  addCodeLowSums(
    table: LowSumTable,
    codes: Values,
    firstCode: number,
    rows: RowSet,
    values: Values,
    base: number,
  ): void;
  /** The same by groups already known: u32 for each row of the set. */
  addGroupLowSums(
    table: LowSumTable,
    groups: number,
    rows: RowSet,
    values: Values,
    base: number,
  ): void;
  /** Adds the low sums to the sums; they are 0 then. */
  flushLowSums(table: LowSumTable, groupCount: number): void;
}

export interface TotalExports {
  countOfRun(selection: BitmapAddress, from: number, to: number): number;
  findRuns(
    ...a: [
      ...[out: number, values: number, width: number, base: bigint],
      ...[start: number, count: number, rows: number, edges: number, edgeCount: number],
    ]
  ): number;
  addTotals(
    ...a: [
      ...[counts: number, sums: number, groupCount: number, packed: number],
      ...[codes: number, codeWidth: number, firstCode: number],
      ...[start: number, count: number, rows: number],
      ...[values: number, width: number, base: bigint],
    ]
  ): void;
  tallyRows(
    ...a: [
      ...[tallies: number, counts: number, codes: number, codeWidth: number, firstCode: number],
      ...[start: number, count: number, rows: number],
    ]
  ): void;
  flushTallies(tallies: number, counts: number, groupCount: number): void;
  addLowSums(
    ...a: [
      ...[lows: number, sums: number, codes: number, codeWidth: number, firstCode: number],
      ...[start: number, count: number, rows: number],
      ...[values: number, width: number, base: number],
    ]
  ): void;
  flushLowSums(lows: number, sums: number, groupCount: number): void;
}

export function totalOperations(wasm: TotalExports): TotalOperations {
  return {
    countOfRun: (selection, from, to) => wasm.countOfRun(selection, from, to) >>> 0,
    findRuns: (out, values, base, { start, count, rows }, edges, edgeCount) =>
      wasm.findRuns(
        ...([out, values.address, values.width, base] as const),
        ...([start, count, rows, edges, edgeCount] as const),
      ) >>> 0,
    addCodeTotals: (table, codes, firstCode, { start, count, rows }, values, base) => {
      const { counts, sums, groupCount, packed } = table;
      checkWidth(codes);
      wasm.addTotals(
        ...([counts, sums, groupCount, packed, codes.address, codes.width, firstCode] as const),
        ...([start, count, rows, values.address, values.width, base] as const),
      );
    },
    addGroupTotals: (table, groups, { start, count, rows }, values, base) => {
      const { counts, sums, groupCount, packed } = table;
      wasm.addTotals(
        ...([counts, sums, groupCount, packed, groups, 0, 0] as const),
        ...([start, count, rows, values.address, values.width, base] as const),
      );
    },
    tallyCodes: ({ tallies, counts }, codes, firstCode, { start, count, rows }) => {
      checkWidth(codes);
      wasm.tallyRows(
        ...([tallies, counts, codes.address, codes.width, firstCode, start, count, rows] as const),
      );
    },
    tallyGroups: ({ tallies, counts }, groups, count) =>
      wasm.tallyRows(tallies, counts, groups, 0, 0, 0, count, 0),
    flushTallies: ({ tallies, counts }, groupCount) =>
      wasm.flushTallies(tallies, counts, groupCount),
    addCodeLowSums: ({ lows, sums }, codes, firstCode, { start, count, rows }, values, base) => {
      checkWidth(codes);
      wasm.addLowSums(
        ...([lows, sums, codes.address, codes.width, firstCode, start, count, rows] as const),
        ...([values.address, values.width, base] as const),
      );
    },
    addGroupLowSums: ({ lows, sums }, groups, { start, count, rows }, values, base) =>
      wasm.addLowSums(
        ...([lows, sums, groups, 0, 0, start, count, rows] as const),
        ...([values.address, values.width, base] as const),
      ),
    flushLowSums: ({ lows, sums }, groupCount) => wasm.flushLowSums(lows, sums, groupCount),
  };
}

/** For the kernel a width of 0 means that groups were written. */
function checkWidth({ width }: Values): void {
  if (width === 0) throw new RangeError("codes of width 0 are no codes");
}
