import type { RowSet } from "@hadal/kernel-wasm";
import type { GroupContext, GroupedUnit, GroupProgress, RowsToGroup } from "../key/groupNumbers.js";
import type { StateContext } from "../state/stateScan.js";
import type { GroupTable, KeyAnswer, ScanUnit, SideTask } from "../task/scanTask.js";

/** What a group table needs of its thread. */
export type TableContext = GroupContext & StateContext;

/** A side with a table of this kind. */
export type SideWith<Kind extends GroupTable["kind"]> = SideTask & {
  readonly table: Extract<GroupTable, { readonly kind: Kind }>;
};

/** Rows of one unit, to be added to the counts and states of their groups. */
export interface RowsToAdd {
  readonly unit: ScanUnit;
  /** The unit as rows are grouped: other than `unit` where each row stands for the elements of its lists. */
  readonly grouped: GroupedUnit;
  readonly rows: RowSet;
  /** The unit with rows that are not selected marked as missing. */
  readonly masked: ScanUnit;
  /** Bitmap of the selected rows; 0: all of `rows` are. */
  readonly mask: number;
  /** How many are selected. */
  readonly count: number;
  readonly progress: GroupProgress;
  /** Decodes the columns that only group numbers need. */
  decodeLate(): void;
  /** Hears the address of the rows' group numbers; null: they are not needed, and rows may be added in any way. */
  readonly onGroups: ((groups: number) => void) | null;
}

/** Numbers of groups: from the first on, and below the second. */
export type GroupRange = readonly [from: number, to: number];

/** A table whose counts and states are complete. */
export interface SettledTable {
  /** Where groups may have rows; a number without rows is no group. */
  readonly ranges: readonly GroupRange[];
  /** Groups that were left out, for they rank behind the cut. */
  readonly leftOut: number;
}

/**
 * All that one kind of group table does on the thread that scans: it numbers the groups of rows, and has the rows added
 * to their counts and states, in the way that is fastest for it. Which kind a side has is chosen once, by `chooseTable`.
 */
export interface GroupTableScan<Side extends SideTask = SideTask> {
  /** Groups that are there before any row has come. */
  firstGroups(side: Side): number;
  /** Clears the table itself. */
  prepare?(context: PrepareContext, side: Side): void;
  add(context: TableContext, side: Side, rows: RowsToAdd): void;
  /** It has no more groups than this by now; infinite where they are not counted on the way. */
  groupsMax(side: Side, progress: GroupProgress): number;
  /** Adds the rows that wait. */
  flush?(context: TableContext, side: Side, progress: GroupProgress): void;
  settle(context: SettleContext, side: Side, progress: GroupProgress): SettledTable;
  /** Where the counts of the groups lie, if not where the side says. */
  countsOf?(side: Side, progress: GroupProgress): number;
  /** Writes the keys of some groups, component by component. */
  readKeys(
    memory: WebAssembly.Memory,
    side: Side,
    progress: GroupProgress,
    groups: Uint32Array,
    keys: readonly KeyAnswer[],
  ): void;
  /** Groups with rows among those of some keys, when the scan is over. */
  find(
    context: GroupContext,
    keys: RowsToGroup & { readonly side: Side },
    place: FindPlace,
  ): Iterable<number>;
}

export type PrepareContext = Pick<TableContext, "memory"> & {
  readonly kernel: Pick<TableContext["kernel"], "clearGroups" | "clearPartedKeys">;
};

export type SettleContext = Pick<TableContext, "memory" | "kernel" | "scratch">;

export interface FindPlace {
  /** How many groups the scan numbered: keys without rows are numbered behind them. */
  readonly numbered: number;
  /** How many groups were found so far. */
  readonly found: number;
}

/** Groups of a table without time, numbered from 0 as they came. */
export const settledInOrder = ({ levelCounts }: GroupProgress): SettledTable => ({
  ranges: [[0, levelCounts.at(-1) ?? 0]],
  leftOut: 0,
});
