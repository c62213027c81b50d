import type { KernelOperations } from "@hadal/kernel-wasm";
import type { Scratch } from "../memory/scratch.js";
import { maskShareMin, neverMasked, summedShareMin } from "../memory/selection.js";
import type { ScanUnit, SideTask } from "../task/scanTask.js";
import { stateScanOf } from "./stateScans.js";

/**
 * From which share of selected rows on rows are added by a mask: where there is one group, and
 * states that allow it.
 */
export function maskShareOf({ table, states }: SideTask, { inputs }: ScanUnit): number {
  const costs = new Set(states.map((task) => stateScanOf(task).masked(task)));
  if (table.kind !== "single" || costs.has("never")) return neverMasked;
  const isSummed = !costs.has("lookup");
  // Values of 64 bits are weighted, and values of another scale copied, row by row.
  const isNarrow = inputs.every(
    (input) => input === null || (input.values.width < 8 && input.shift === 0),
  );
  return isSummed && isNarrow ? summedShareMin : maskShareMin;
}

/**
 * The unit with every row that is not selected marked as missing in the columns that are read.
 * Masks from the second on are scratch.
 */
export function maskedUnit(
  { kernel, scratch }: { readonly kernel: KernelOperations; readonly scratch: Scratch },
  unit: ScanUnit,
  mask: number,
): ScanUnit {
  const masks = new Map<number, number>([[0, mask]]);
  const nextMask = (): number => {
    const next = scratch.masks[masks.size];
    if (next === undefined) throw new Error("there are more bitmaps of presence than masks");
    return next;
  };
  const combined = (present: number): number => {
    let found = masks.get(present);
    if (found === undefined) {
      found = nextMask();
      kernel.selectRows(found, unit.rowCount, 0, unit.rowCount);
      kernel.andInto(found, mask, unit.rowCount);
      kernel.andInto(found, present, unit.rowCount);
      masks.set(present, found);
    }
    return found;
  };
  const inputs = unit.inputs.map((input) => {
    if (input === null) return null;
    if (!input.coded) return { ...input, present: combined(input.present) };
    const present = nextMask();
    kernel.selectRange(present, input.values, unit.rowCount, 1n, 0xffff_ffffn);
    kernel.andInto(present, mask, unit.rowCount);
    masks.set(-present, present);
    return { ...input, coded: false, present };
  });
  return { ...unit, inputs };
}
