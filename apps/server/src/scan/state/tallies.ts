import type { TallyTable } from "@hadal/kernel-wasm";
import type { SideTask } from "../task/scanTask.js";

/**
 * Where rows of a direct table of many groups are counted while it is scanned; null: in its counts.
 */
export function talliesOf({ table, counts }: SideTask): TallyTable | null {
  if (table.kind !== "direct" || table.tallies === 0) return null;
  return { tallies: table.tallies, counts };
}
