import type { KernelOperations, RowSet, Values } from "@hadal/kernel-wasm";
import { createColumnReader } from "../../column/readColumn.js";
import type { Scratch } from "../memory/scratch.js";
import type {
  ComponentTask,
  HashLevel,
  ScanUnit,
  SegmentGroup,
  SideTask,
} from "../task/scanTask.js";
import type { StringReader } from "../value/stringReader.js";
import type { VirtualCodes } from "../value/virtualCodes.js";

/** The parts of a scan thread that grouping uses. */
export interface GroupContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly strings: StringReader;
  readonly scratch: Scratch;
}

/** The parts of a segment that grouping reads. */
export type GroupedUnit = Pick<ScanUnit, "groups" | "rowCount" | "times" | "timeBase">;

/** Group tables of one side as they grow while it is scanned. */
export interface GroupProgress {
  /** Per hash level, or for a parted table: number of dense ids. */
  readonly levelCounts: number[];
  /**
   * Per hash level: slots in use. A table grows with its keys: the table of few groups stays in the
   * cache.
   */
  readonly levelSlots: number[];
  /** The groups are in the radix table; their numbers are those of its slots. */
  isRadix: boolean;
  /** Rows were added to the narrow table. */
  isFilled: boolean;
  /** Per component: strings that got codes during the scan. */
  readonly virtualCodes: readonly VirtualCodes[];
}

/** Rows to number, of one unit and side. */
export interface RowsToGroup {
  readonly side: SideTask;
  readonly progress: GroupProgress;
  readonly unit: GroupedUnit;
  readonly rows: RowSet;
}

/** All components of a side. */
export const allComponents = ({ components }: SideTask): readonly number[] => [
  ...components.keys(),
];

/**
 * Writes the part of some components in the group numbers of a direct table, or in the keys of a
 * narrow or parted one; returns the address.
 */
export function directGroups(
  context: GroupContext,
  rowsToGroup: RowsToGroup,
  indexes: readonly number[] = allComponents(rowsToGroup.side),
): number {
  const { kernel, scratch } = context;
  const { side, unit, rows } = rowsToGroup;
  const { table } = side;
  if (!("strides" in table)) throw new Error("only some tables have strides");
  kernel.clearGroups(scratch.groups, rows.count);
  for (const index of indexes) {
    const group = resolveGroup(context, rowsToGroup, index);
    const stride = table.strides[index]!;
    const part = { component: side.components[index]!, group, unit, rows };
    addGroups(kernel, scratch.groups, part, stride);
  }
  return scratch.groups;
}

/** Writes the mixed key of every row of the set; returns the address. */
export function mixedKeys(context: GroupContext, rowsToGroup: RowsToGroup): number {
  const keys = directGroups(context, rowsToGroup);
  context.kernel.mixKeys(keys, rowsToGroup.rows.count);
  return keys;
}

/** Packs a level's components into keys. */
export function packKeys(
  context: GroupContext,
  rowsToGroup: RowsToGroup,
  level: HashLevel,
  levelIndex: number,
): void {
  const { kernel, scratch } = context;
  const { side, unit, rows } = rowsToGroup;
  const { count } = rows;
  kernel.clearKeys(scratch.keys, count);
  if (levelIndex > 0) {
    const dense: Values = { address: scratch.groups, width: 4 };
    kernel.addCodeKeys(scratch.keys, dense, { start: 0, count, rows: 0 }, 1n);
  }
  for (const index of level.components) {
    const component = side.components[index]!;
    const group = resolveGroup(context, rowsToGroup, index);
    addKeys(context, { component, group, unit, rows });
  }
}

type ResolvedSegmentGroup = Exclude<
  SegmentGroup,
  { kind: "virtual" | "mapped" | "items" | "buckets" }
>;

/** Gives strings without codes their codes, for the rows of the set. */
function resolveGroup(
  { memory, kernel, strings, scratch }: GroupContext,
  { side, unit, rows, progress }: RowsToGroup,
  index: number,
): ResolvedSegmentGroup {
  const group = unit.groups[index]!;
  if (group.kind === "items") throw new Error("rows are exploded before they are grouped");
  if (group.kind === "buckets") return bucketCodes(kernel, scratch, group, rows);
  if (group.kind === "mapped") {
    const out = new Uint32Array(memory.buffer, scratch.codes, unit.rowCount);
    mapCodes(memory, group, rows, out);
    return { kind: "codes", values: { address: scratch.codes, width: 4 } };
  }
  if (group.kind !== "virtual") return group;
  const component = side.components[index]!;
  if (component.kind !== "codes") throw new Error("only strings get codes during the scan");
  const codes = new Uint32Array(memory.buffer, scratch.codes, unit.rowCount);
  const listed = new Uint32Array(memory.buffer, rows.rows, rows.rows === 0 ? 0 : rows.count);
  const known = progress.virtualCodes[index]!;
  for (let k = 0; k < rows.count; k++) {
    const row = rows.rows === 0 ? rows.start + k : listed[k]!;
    const number = group.asList
      ? addAsList(known, strings.read(group.source, row))
      : strings.addTo(known, group.source, row);
    codes[row] = number < 0 ? 0 : component.firstVirtualCode + number;
  }
  return { kind: "codes", values: { address: scratch.codes, width: 4 } };
}

/** -1: the row has no text. */
const addAsList = (known: VirtualCodes, text: string | null): number =>
  text === null ? -1 : known.add(JSON.stringify([text]));

function bucketCodes(
  kernel: KernelOperations,
  { codes }: Scratch,
  group: Extract<SegmentGroup, { kind: "buckets" }>,
  rows: RowSet,
): ResolvedSegmentGroup {
  const { values, base, factor, present, by } = group;
  if (by.kind === "edges") {
    const { edges, edgeCount } = by;
    kernel.bucketByEdges(codes, values, base, factor, present, rows, edges, edgeCount);
  } else {
    const { origin, firstCode, step } = by;
    kernel.bucketBySteps(codes, values, base, factor, present, rows, origin, firstCode, step);
  }
  return { kind: "codes", values: { address: codes, width: 4 } };
}

/** For segments that are older than a change of the column's type. */
function mapCodes(
  memory: WebAssembly.Memory,
  { values, starts, items }: Extract<SegmentGroup, { kind: "mapped" }>,
  rows: RowSet,
  out: Uint32Array,
): void {
  const reader = createColumnReader(memory);
  const words = new Uint32Array(memory.buffer);
  const listed = new Uint32Array(memory.buffer, rows.rows, rows.rows === 0 ? 0 : rows.count);
  for (let k = 0; k < rows.count; k++) {
    const row = rows.rows === 0 ? rows.start + k : listed[k]!;
    const first = words[starts / 4 + reader.code(values, row)]!;
    out[row] = words[items / 4 + first]!;
  }
}

/** One component of the groups of some rows. */
interface ComponentRows {
  readonly component: ComponentTask;
  readonly group: ResolvedSegmentGroup;
  readonly unit: GroupedUnit;
  readonly rows: RowSet;
}

function addGroups(
  kernel: KernelOperations,
  out: number,
  { component, group, unit, rows }: ComponentRows,
  stride: number,
): void {
  if (group.kind === "codes") kernel.addCodeGroups(out, group.values, rows, stride);
  if (group.kind === "placed") {
    const values: Values = { address: group.address, width: 4 };
    kernel.addCodeGroups(out, values, { start: 0, count: rows.count, rows: 0 }, stride);
  }
  if (group.kind === "ints" && component.kind === "ints") {
    const base = component.base - group.base;
    kernel.addIntGroups(out, group.values, group.present, rows, base, stride);
  }
  if (group.kind === "time" && component.kind === "time") {
    const { edges, edgeCount } = component;
    kernel.addEdgeGroups(out, unit.times, unit.timeBase, rows, edges, edgeCount, stride);
  }
}

function addKeys(
  { kernel, scratch, memory }: GroupContext,
  { component, group, unit, rows }: ComponentRows,
): void {
  const { keys } = scratch;
  const multiplier = BigInt.asUintN(64, component.cardinality);
  switch (group.kind) {
    case "codes":
      kernel.addCodeKeys(keys, group.values, rows, multiplier);
      return;
    case "placed": {
      const values: Values = { address: group.address, width: 4 };
      kernel.addCodeKeys(keys, values, { start: 0, count: rows.count, rows: 0 }, multiplier);
      return;
    }
    case "ints": {
      if (component.kind !== "ints") throw new Error("integers meet a component of another kind");
      const base = component.base - group.base;
      kernel.addIntKeys(keys, group.values, group.present, rows, base, multiplier);
      return;
    }
    case "time": {
      if (component.kind !== "time") throw new Error("time meets a component of another kind");
      const { edges, edgeCount } = component;
      kernel.addEdgeKeys(keys, unit.times, unit.timeBase, rows, edges, edgeCount, multiplier);
      return;
    }
    case "missing": {
      const words = new BigUint64Array(memory.buffer, keys, rows.count);
      for (let k = 0; k < words.length; k++) words[k] = words[k]! * multiplier;
      return;
    }
  }
}
