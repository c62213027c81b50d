import type { RowSet } from "@hadal/kernel-wasm";
import type { GroupContext, GroupedUnit, GroupProgress, RowsToGroup } from "../key/groupNumbers.js";
import type { StateContext } from "../state/stateScan.js";
import type { KeyAnswer } from "../task/scanAnswer.js";
import type { GroupTable, ScanUnit, SideTask } from "../task/scanTask.js";

/** The parts of a scan thread that a group table uses. */
export type TableContext = GroupContext & StateContext;

/** A side with a table of this kind. */
export type SideWith<Kind extends GroupTable["kind"]> = SideTask & {
  readonly table: Extract<GroupTable, { readonly kind: Kind }>;
};

/** Rows of one unit, to be added to the counts and states of their groups. */
export interface RowsToAdd {
  readonly unit: ScanUnit;
  /** The unit by which rows are grouped: differs from `unit` where groups are elements of lists. */
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
  /**
   * Called with the address of the rows' group numbers; null: they are not needed, and rows may be
   * added in any way.
   */
  readonly onGroups: ((groups: number) => void) | null;
}

/** Numbers of groups: from the first on, and below the second. */
export type GroupRange = readonly [from: number, to: number];

/** A table whose counts and states are complete. */
export interface SettledTable {
  /** Ranges of numbers in which groups may have rows; a number without rows is no group. */
  readonly ranges: readonly GroupRange[];
  /** Groups that were left out because they rank behind the cut. */
  readonly leftOut: number;
}

/**
 * One kind of group table on a scan thread: it numbers the groups of rows, and adds the rows to
 * their counts and states in its fastest way. `chooseTable` chooses the kind of a side once.
 */
export interface GroupTableScan<Side extends SideTask = SideTask> {
  /** Groups that exist without rows. */
  firstGroups(side: Side): number;
  /** Clears the table itself. */
  prepare?(context: PrepareContext, side: Side): void;
  add(context: TableContext, side: Side, rows: RowsToAdd): void;
  /** Upper bound of the groups so far; infinite where they are not counted during the scan. */
  groupsMax(side: Side, progress: GroupProgress): number;
  /** Adds the waiting rows. */
  flush?(context: TableContext, side: Side, progress: GroupProgress): void;
  settle(context: SettleContext, side: Side, progress: GroupProgress): SettledTable;
  /** Address of the groups' counts, if it is not that of the side. */
  countsOf?(side: Side, progress: GroupProgress): number;
  /** Writes the keys of some groups, component by component. */
  readKeys(memory: WebAssembly.Memory, settled: SettledSide<Side>, read: ReadKeys): void;
  /** Groups with rows among those of some keys, when the scan is over. */
  find(
    context: GroupContext,
    keys: RowsToGroup & { readonly side: Side },
    place: FindPlace,
  ): Iterable<number>;
}

export interface SettledSide<Side extends SideTask> {
  readonly side: Side;
  readonly progress: GroupProgress;
}

/** Groups by number, and the answer that gets their keys. */
export interface ReadKeys {
  readonly groups: Uint32Array;
  readonly keys: readonly KeyAnswer[];
}

export type PrepareContext = Pick<TableContext, "memory"> & {
  readonly kernel: Pick<TableContext["kernel"], "clearGroups" | "clearPartedKeys">;
};

export type SettleContext = Pick<TableContext, "memory" | "kernel" | "scratch">;

export interface FindPlace {
  /** Groups numbered by the scan: keys without rows get later numbers. */
  readonly numbered: number;
  /** How many groups were found so far. */
  readonly found: number;
}

/** Groups of a table without time, numbered from 0 in the order of arrival. */
export const settledInOrder = ({ levelCounts }: GroupProgress): SettledTable => ({
  ranges: [[0, levelCounts.at(-1) ?? 0]],
  leftOut: 0,
});
