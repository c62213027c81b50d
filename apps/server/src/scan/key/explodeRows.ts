import type { RowSet } from "@hadal/kernel-wasm";
import type { SegmentGroup } from "../task/scanTask.js";
import type { GroupContext, GroupedUnit } from "./groupNumbers.js";

/**
 * Hands out the rows of the set with the groups they belong to: as they are, or where groups are elements of
 * lists every row once for each element (and pair of elements), in pieces that fit the scratch.
 */
export function explodeRows(
  context: GroupContext,
  unit: GroupedUnit,
  rows: RowSet,
  visit: (unit: GroupedUnit, rows: RowSet) => void,
  level = 0,
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
    explodeRows(context, { ...unit, groups }, exploded, visit, level + 1);
  }
}
