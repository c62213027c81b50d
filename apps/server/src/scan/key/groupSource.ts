import type { Values } from "@hadal/kernel-wasm";
import {
  allComponents,
  directGroups,
  type GroupContext,
  type RowsToGroup,
} from "./groupNumbers.js";

/** The source of group numbers: stored codes, or numbers written for every row of the set. */
export type GroupSource =
  | { readonly kind: "codes"; readonly codes: Values; readonly firstCode: number }
  | { readonly kind: "numbers"; readonly address: number };

/**
 * The share of these components in the groups of a direct table; numbers are written where no
 * column's codes are they.
 */
export function groupSourceOf(
  context: GroupContext,
  rowsToGroup: RowsToGroup,
  indexes: readonly number[] = allComponents(rowsToGroup.side),
): GroupSource {
  const codes = codesOf(rowsToGroup, indexes);
  if (codes !== null) return codes;
  return { kind: "numbers", address: directGroups(context, rowsToGroup, indexes) };
}

/** The column whose codes are the numbers, if that is all that is grouped by. */
function codesOf(
  { unit, side }: RowsToGroup,
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
