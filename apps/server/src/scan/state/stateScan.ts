import type { KernelOperations } from "@hadal/kernel-wasm";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { ColumnReader } from "../../column/readColumn.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { Scratch } from "../memory/scratch.js";
import type { Selection } from "../memory/selection.js";
import type { AddedUnit, SegmentInput, SideTask, StateTask } from "../task/scanTask.js";
import type { StringReader } from "../value/stringReader.js";
import type { ElementTables } from "./distinct/elementTables.js";
import type { ReadContext } from "./readContext.js";

/** The groups, rows and segments for which a state is laid out. */
export interface StateNeeds {
  readonly segments: readonly SegmentView[];
  readonly groupCount: number;
  /** Rows there are to add: one that is in several groups counts in each. */
  readonly rowCount: number;
  /** Whether sums keep their low halves apart where that pays. */
  readonly lowSums: boolean;
  readonly memory: QueryMemory;
  readonly tables: ElementTables;
}

/** What adding rows needs of its thread. */
export interface StateContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly reader: ColumnReader;
  readonly strings: StringReader;
  readonly scratch: Scratch;
}

/** Rows to add to the states of their groups. */
export interface AddedRows {
  readonly unit: AddedUnit;
  /** With a mask, the input marks rows that are not selected as missing. */
  readonly selection: Selection;
  /** Address of the rows' group numbers, u32; 0: all are of the first group. */
  readonly groups: number;
  /** The state's input in the unit; null: none. */
  readonly input: SegmentInput | null;
}

/** Numbers of one state in the shared memory, one or several for each group. */
export interface StateArray {
  /** 0: there is none. */
  readonly address: number;
  readonly groupBytes: number;
  /** The initial i64 of every group; absent: 0. */
  readonly start?: bigint;
}

/** Which groups to read, and what several states are equal to. */
export interface ReadGroups {
  readonly side: SideTask;
  /** Ascending numbers. */
  readonly groups: Uint32Array;
  /** Rows of each of these groups. */
  counts(): Float64Array;
}

/**
 * How a leaf fills one kind of state. `lower` and `input` run on the main thread while a query is
 * lowered; all else runs on the thread that scans, and touches nothing but the shared memory.
 */
export interface StateScan<Spec extends StateSpec = StateSpec, Task extends StateTask = StateTask> {
  /** Allocates the state for `groupCount` groups. */
  lower(spec: Spec, needs: StateNeeds): Task;
  /** The state's input in a segment; null when it has none, or the segment lacks the column. */
  input(spec: Spec, segment: SegmentView, tables: ElementTables): SegmentInput | null;
  /** The arrays that are cleared as groups appear. */
  arrays(task: Task): readonly StateArray[];
  /** Clears further memory before the first segment. */
  prepare?(memory: WebAssembly.Memory, task: Task, groupCount: number): void;
  add(context: StateContext, task: Task, rows: AddedRows): void;
  /** Adds the parts that were kept apart during the scan. */
  settle?(kernel: KernelOperations, task: Task, groupCount: number): void;
  read(context: ReadContext, task: Task, groups: ReadGroups): StateColumn | Steps<StateColumn>;
  /**
   * The state as if this group were its first; absent: it cannot be added to one group after the
   * other.
   */
  at?(task: Task, group: number): Task;
  /**
   * Whether rows that are not selected may be marked as missing instead of being left out: never;
   * or at which cost a row: that of a sum in passing, or that of a lookup.
   */
  masked(task: Task): "never" | "sum" | "lookup";
}

/** The address of a group's number in an array; 0 stays 0. */
export const addressAt = (address: number, group: number, groupBytes: number): number =>
  address === 0 ? 0 : address + group * groupBytes;
