import { partedKeysBytes, partedPartBytes } from "@hadal/kernel-wasm";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { ComponentTask } from "../task/scanTask.js";
import { keysMax, partSlotsFor, stridesOf } from "./lowerNarrow.js";
import type { PartedGroupTable } from "./numberKeys.js";

/** Keys per part: a part's table and states fit the L2 cache. */
const partGroups = 4_096;
const partBitsMax = 8;

/**
 * A table that gives keys of 32 bits dense ids; null where the keys are wider, or room is short:
 * hashing takes less of it.
 */
export function lowerParted(
  components: readonly ComponentTask[],
  groupsMax: number,
  memory: QueryMemory,
): PartedGroupTable | null {
  const product = components.reduce((all, { cardinality }) => all * cardinality, 1n);
  if (product > keysMax) return null;
  const wantedBits = Math.ceil(Math.log2(groupsMax / partGroups));
  const partBits = Math.min(partBitsMax, Math.max(1, wantedBits));
  const partCount = 2 ** partBits;
  const partSlots = partSlotsFor(groupsMax, partCount);
  const slotsBytes = partCount * partedPartBytes(partSlots);
  const partsBytes = partedKeysBytes(partBits);
  // All at once: there is room for all of it, or for none.
  const slots = memory.allocateSpare(slotsBytes + partsBytes + partSlots * 2 + groupsMax * 4);
  if (slots === 0) return null;
  const parts = slots + slotsBytes;
  const spare = parts + partsBytes;
  return {
    kind: "parted",
    groupsMax,
    strides: stridesOf(components),
    table: {
      ...{ partBits, partSlots, keysMax: groupsMax },
      ...{ slots, parts, spare, keys: spare + partSlots * 2 },
    },
  };
}
