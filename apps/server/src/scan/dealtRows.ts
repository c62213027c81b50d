import type { KernelOperations, RowSet } from "@hadal/kernel-wasm";
import { type GatherContext, gatherStates } from "./gatherStates.js";
import type { GroupContext, GroupProgress } from "./groupRows.js";
import { groupSourceOf } from "./groupSource.js";
import type { DealtRows, ScanUnit, SideTask } from "./scanTask.js";
import { rowsFrom } from "./selection.js";

/** Rows dealt out between two looks at which parts are full: a near cache holds where they go to. */
export const dealtStepRows = 4_096;

/** Makes all parts empty. */
export function clearDealt(memory: WebAssembly.Memory, dealt: DealtRows): void {
  const ends = endsOf(memory, dealt);
  for (let part = 0; part < ends.length; part++) ends[part] = part * dealt.partPlaces;
}

/** Deals the rows out where the side's tables ask for it, and gathers the parts that are full; else false. */
export function gatherDealt(
  context: GatherContext & GroupContext,
  unit: ScanUnit,
  side: SideTask,
  rows: RowSet,
  progress: GroupProgress,
): boolean {
  const { dealt } = side;
  if (dealt === null) return false;
  // Where others have sample rates and these rows none.
  if ((unit.weights === null) !== (dealt.unit.weights === null)) return false;
  const { kernel, memory, scratch } = context;
  const components = [...side.components.keys()];
  const source = groupSourceOf(context, unit, side, rows, progress, components);
  const places = scratch.keys;
  for (let k = 0; k < rows.count; k += dealtStepRows) {
    const step = rowsFrom(rows, k, Math.min(dealtStepRows, rows.count - k));
    if (source.kind === "codes") {
      kernel.dealCodes(places, dealt.table, source.codes, source.firstCode, step);
    } else {
      kernel.dealGroups(places, dealt.table, source.address + k * 4, step.count);
    }
    dealColumns(kernel, places, unit, dealt, step);
    const ends = endsOf(memory, dealt);
    for (let part = 0; part < ends.length; part++) {
      if (rowsIn(ends, dealt, part) >= dealt.fullRows) gatherPart(context, side, dealt, ends, part);
    }
  }
  return true;
}

/** Gathers whatever has been dealt out. */
export function flushDealt(context: GatherContext, side: SideTask): void {
  const { dealt } = side;
  if (dealt === null) return;
  const ends = endsOf(context.memory, dealt);
  for (let part = 0; part < ends.length; part++) gatherPart(context, side, dealt, ends, part);
}

function dealColumns(
  kernel: KernelOperations,
  places: number,
  { inputs, weights }: ScanUnit,
  { columns, unit }: DealtRows,
  rows: RowSet,
): void {
  for (const { stateIndex, least, values } of columns) {
    const input = inputs[stateIndex];
    if (input === null || input === undefined) throw new Error("every row has a value to gather");
    const base = Number(BigInt.asUintN(32, input.base - least));
    kernel.dealValues(places, values, input.values, base, rows);
  }
  if (weights === null || unit.weights === null) return;
  kernel.dealValues(places, unit.weights.address, weights, 0, rows);
}

/** A part's rows go to the states of their groups; it is empty then. */
function gatherPart(
  context: GatherContext,
  side: SideTask,
  dealt: DealtRows,
  ends: Uint32Array,
  part: number,
): void {
  const count = rowsIn(ends, dealt, part);
  if (count === 0) return;
  const start = part * dealt.partPlaces;
  const rows = { start, count, rows: 0 };
  const groups = dealt.table.groups + start * 4;
  gatherStates(context, dealt.unit, side, { rows, count, mask: 0 }, groups);
  ends[part] = start;
}

function rowsIn(ends: Uint32Array, { partPlaces }: DealtRows, part: number): number {
  return ends[part]! - part * partPlaces;
}

/** u32 per part: the place after its last row. */
function endsOf({ buffer }: WebAssembly.Memory, { table, partCount }: DealtRows): Uint32Array {
  return new Uint32Array(buffer, table.ends, partCount);
}
