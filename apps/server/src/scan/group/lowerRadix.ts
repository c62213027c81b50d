import { radixParts } from "@hadal/kernel-wasm";
import { segmentRowsMax } from "../../store/segment/segmentView.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { RadixCounts } from "../task/scanTask.js";

/**
 * A hash table of this many keys with counts is about 1 MB: beyond, most rows would miss a core's
 * cache.
 */
const fromGroups = 32_768;
/** The move is made between two segments. */
export const hashedBeforeRadix: number = fromGroups + segmentRowsMax;
/** With fewer groups the hash table contains all of them anyway. */
const groupsMin = 4 * fromGroups;
/** 128 KB a part: with this many keys, most of a part's groups occur more than once. */
const bufferKeysMax = 16_384;
const bufferKeysMin = 256;

/**
 * Room to count rows by up to `groupsMax` keys; null where that is few, or more than the query may
 * take.
 */
export function lowerRadix(
  groupsMax: number,
  rowCount: number,
  memory: QueryMemory,
): RadixCounts | null {
  if (groupsMax < groupsMin) return null;
  const partSlots = powerOfTwoFrom((groupsMax * 2) / radixParts);
  const rowsPerPart = powerOfTwoFrom(rowCount / radixParts / 2);
  const bufferKeys = Math.min(bufferKeysMax, Math.max(bufferKeysMin, rowsPerPart));
  const slotCount = radixParts * partSlots;
  const bufferBytes = radixParts * (bufferKeys * 8 + 64);
  if (!memory.fits(slotCount * 12 + bufferBytes)) return null;
  const table = {
    counts: memory.allocate(slotCount * 4),
    keys: memory.allocate(slotCount * 8),
    parts: memory.allocate(radixParts * 12),
    partSlots,
    buffers: memory.allocate(bufferBytes),
    bufferKeys,
    spare: memory.allocate(partSlots * 4 + 16),
  };
  return { table, fromGroups, groupsMax };
}

function powerOfTwoFrom(least: number): number {
  return 2 ** Math.ceil(Math.log2(least));
}
