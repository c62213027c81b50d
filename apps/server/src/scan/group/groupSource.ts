import type { RowSet, Values } from "@hadal/kernel-wasm";
import type { ScanUnit, SideTask } from "../task/scanTask.js";
import { directGroups, type GroupContext, type GroupProgress } from "./groupRows.js";

/** What tells rows apart: codes as they are stored, or numbers written for every row of the set. */
export type GroupSource =
  | { readonly kind: "codes"; readonly codes: Values; readonly firstCode: number }
  | { readonly kind: "numbers"; readonly address: number };

/** The share of these components in the groups of a direct table; numbers are written where no column's codes are they. */
export function groupSourceOf(
  context: GroupContext,
  unit: ScanUnit,
  side: SideTask,
  rows: RowSet,
  progress: GroupProgress,
  indexes: readonly number[],
): GroupSource {
  const codes = codesOf(unit, side, indexes);
  if (codes !== null) return codes;
  return {
    kind: "numbers",
    address: directGroups(context, unit, side, rows, progress, indexes),
  };
}

/** The column whose codes are the numbers, if that is all that is grouped by. */
function codesOf(
  unit: ScanUnit,
  side: SideTask,
  [index, ...others]: readonly number[],
): GroupSource | null {
  if (index === undefined || others.length > 0) return null;
  const group = unit.groups[index]!;
  const component = side.components[index]!;
  if (group.kind !== "codes" && group.kind !== "ints") return null;
  const { width } = group.values;
  if (width === 0 || width === 8) return null;
  if (group.kind === "codes") return { kind: "codes", codes: group.values, firstCode: 0 };
  if (component.kind !== "ints" || group.present !== 0) return null;
  // Group 0 is that of the missing.
  const firstCode = Number(component.base - group.base) - 1;
  return { kind: "codes", codes: group.values, firstCode };
}
