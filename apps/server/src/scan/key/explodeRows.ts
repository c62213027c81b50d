import type { RowSet } from "@hadal/kernel-wasm";
import type { SegmentGroup } from "../task/scanTask.js";
import type { GroupContext, GroupedUnit } from "./groupNumbers.js";

type Visit = (unit: GroupedUnit, rows: RowSet) => void;

/**
 * Visits the rows with their groups: once, or, where groups are elements of lists, once for each
 * element (and pair of elements), in pieces that fit the scratch.
 */
export const explodeRows = (
  context: GroupContext,
  unit: GroupedUnit,
  rows: RowSet,
  visit: Visit,
): void => explodeLevel(context, { unit, rows }, visit, 0);

/** Explodes by the next component of items; `level`: how many were exploded before. */
function explodeLevel(
  context: GroupContext,
  { unit, rows }: { readonly unit: GroupedUnit; readonly rows: RowSet },
  visit: Visit,
  level: number,
): void {
  const index = unit.groups.findIndex(({ kind }) => kind === "items");
  const group = unit.groups[index];
  if (group?.kind !== "items") {
    visit(unit, rows);
    return;
  }
  const { kernel, scratch, memory } = context;
  const room = scratch.exploded[level];
  if (room === undefined) throw new Error("more groups by elements than were checked");
  const producedAt = new Uint32Array(memory.buffer, room.produced, 1);
  for (let from = 0; from < rows.count; ) {
    from = kernel.explodeRows(room, rows, group.values, group.starts, group.items, from);
    const produced = producedAt[0]!;
    if (produced === 0) continue;
    const groups = unit.groups.map((other, i): SegmentGroup => {
      if (i === index) return { kind: "placed", address: room.items };
      if (other.kind !== "placed") return other;
      const earlier = { address: room.earlierItems, width: 4 as const };
      kernel.permuteCodes(earlier, other.address, room.positions, produced);
      return { kind: "placed", address: room.earlierItems };
    });
    const exploded: RowSet = { start: 0, count: produced, rows: room.rows };
    explodeLevel(context, { unit: { ...unit, groups }, rows: exploded }, visit, level + 1);
  }
}
