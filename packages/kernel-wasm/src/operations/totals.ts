import { PACKED_GROUPS } from "../../assembly/abi.js";
import type { BitmapAddress, RowSet, Values } from "../addresses.js";

/** Largest table that is gathered in packed accumulators: so many groups of 8 bytes stay in the first-level cache. */
export const packedGroupsMax: number = PACKED_GROUPS;

/** Where a direct table's groups, or those of one run, gather. */
export interface TotalTable {
  /** u32 per group: rows; 0: not wanted. */
  readonly counts: number;
  /** i64 per group; 0: not wanted. */
  readonly sums: number;
  readonly groupCount: number;
  /** Scratch: 8 bytes × min(groupCount, packedGroupsMax). */
  readonly packed: number;
}

/** Groups of neighbouring rows, and counts and sums by code without a group id stored for every row. */
export interface TotalOperations {
  /** Rows [from, to) of the selection. */
  countOfRun(selection: BitmapAddress, from: number, to: number): number;
  /**
   * Cuts a row set whose values ascend where they pass an edge: for each run, u32 place in the set of its first row, and
   * u32 interval, at `out`; returns how many. Edges as for addEdgeGroups.
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
   * Group code − firstCode of each row: counts += 1, sums += value + base. Codes and values are at most 4 bytes wide; `values`
   * may have width 0. The caller knows that codes fit the table and sums 64 bits.
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
      if (codes.width === 0) throw new RangeError("codes of width 0 are no codes");
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
  };
}
