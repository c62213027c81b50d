import type { KernelOperations, RowSet } from "@hadal/kernel-wasm";
import { type GroupProgress, mixedKeys, type RowsToGroup } from "../key/groupNumbers.js";
import { type GroupSource, groupSourceOf } from "../key/groupSource.js";
import { rowsFrom } from "../memory/selection.js";
import { addToStates } from "../state/stateScans.js";
import type { DealtRows, ScanUnit, SideTask } from "../task/scanTask.js";
import { clearGroups } from "./clearGroups.js";
import type { RowsToAdd, TableContext } from "./groupTable.js";
import { numberKeys } from "./numberKeys.js";

/** Rows dealt out before full parts are added: their places stay in a near cache. */
export const dealtStepRows = 4_096;

/**
 * Deals the rows out to parts, and adds the parts that are full. False: this side, or these rows,
 * are not dealt out.
 */
export function addDealt(context: TableContext, side: SideTask, added: RowsToAdd): boolean {
  const { dealt } = side;
  const { unit, rows, progress } = added;
  if (dealt === null) return false;
  // Few groups stay in the cache in any order of rows.
  if (dealt.fromGroups > 0 && progress.levelCounts[0]! < dealt.fromGroups) return false;
  // Other segments have sample rates, and these rows have none, or the reverse.
  if ((unit.weights === null) !== (dealt.unit.weights === null)) return false;
  added.decodeLate();
  const source = sourceOf(context, { side, unit, rows, progress });
  const { kernel, memory, scratch } = context;
  const places = scratch.pairs;
  for (let k = 0; k < rows.count; k += dealtStepRows) {
    const step = rowsFrom(rows, k, Math.min(dealtStepRows, rows.count - k));
    // Few rows would reach few of the parts.
    if (step.count >= dealt.partCount) readEnds(kernel, dealt);
    if (source.kind === "codes") {
      kernel.dealCodes(places, dealt.table, source.codes, source.firstCode, step);
    } else {
      kernel.dealGroups(places, dealt.table, source.address + k * 4, step.count);
    }
    dealColumns(kernel, unit, dealt, { places, rows: step });
    const ends = endsOf(memory, dealt);
    for (let part = 0; part < ends.length; part++) {
      if (rowsIn(ends, dealt, part) < dealt.fullRows) continue;
      addPart(context, { side, dealt, progress }, ends, part);
    }
  }
  return true;
}

/** Adds the rows that have been dealt out. */
export function flushDealt(context: TableContext, side: SideTask, progress: GroupProgress): void {
  const { dealt } = side;
  if (dealt === null) return;
  const ends = endsOf(context.memory, dealt);
  for (let part = 0; part < ends.length; part++) {
    addPart(context, { side, dealt, progress }, ends, part);
  }
}

/** What rows are dealt out by: their groups, or their mixed keys. */
function sourceOf(context: TableContext, rowsToGroup: RowsToGroup): GroupSource {
  if (rowsToGroup.side.table.kind === "parted") {
    return { kind: "numbers", address: mixedKeys(context, rowsToGroup) };
  }
  return groupSourceOf(context, rowsToGroup);
}

function readEnds(
  kernel: KernelOperations,
  { table, partCount, columns, unit: { weights } }: DealtRows,
): void {
  kernel.readEnds(table.groups, table, partCount);
  for (const { values } of columns) kernel.readEnds(values, table, partCount);
  if (weights !== null) kernel.readEnds(weights.address, table, partCount);
}

function dealColumns(
  kernel: KernelOperations,
  { inputs, weights }: ScanUnit,
  { columns, unit }: DealtRows,
  { places, rows }: { readonly places: number; readonly rows: RowSet },
): void {
  for (const { stateIndex, least, values } of columns) {
    const input = inputs[stateIndex];
    if (input === null || input === undefined) throw new Error("every row has a value to deal out");
    const base = Number(BigInt.asUintN(32, input.base - least));
    kernel.dealValues(places, values, input.values, base, rows);
  }
  if (weights === null || unit.weights === null) return;
  kernel.dealValues(places, unit.weights.address, weights, 0, rows);
}

interface DealtSide {
  readonly side: SideTask;
  readonly dealt: DealtRows;
  readonly progress: GroupProgress;
}

/** Adds a part's rows to the states of their groups, and empties it. */
function addPart(
  context: TableContext,
  { side, dealt, progress }: DealtSide,
  ends: Uint32Array,
  part: number,
): void {
  const count = rowsIn(ends, dealt, part);
  if (count === 0) return;
  const start = part * dealt.partPlaces;
  const rows = { start, count, rows: 0 };
  let groups = dealt.table.groups + start * 4;
  if (side.table.kind === "parted") {
    const before = progress.levelCounts[0]!;
    groups = numberKeys(context, side.table, { keys: groups, count, of: "one part" }, progress);
    clearGroups(context, side, before, progress.levelCounts[0]!);
  }
  addToStates(context, side, { unit: dealt.unit, selection: { rows, count, mask: 0 }, groups });
  ends[part] = start;
}

/** Makes all parts empty. */
export function clearDealt(memory: WebAssembly.Memory, dealt: DealtRows): void {
  const ends = endsOf(memory, dealt);
  for (let part = 0; part < ends.length; part++) ends[part] = part * dealt.partPlaces;
}

/** u32 per part: the place after its last row. */
function endsOf({ buffer }: WebAssembly.Memory, { table, partCount }: DealtRows): Uint32Array {
  return new Uint32Array(buffer, table.ends, partCount);
}

function rowsIn(ends: Uint32Array, { partPlaces }: DealtRows, part: number): number {
  return ends[part]! - part * partPlaces;
}
