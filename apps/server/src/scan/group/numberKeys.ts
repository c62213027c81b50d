import type { KernelOperations } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import type { Scratch } from "../memory/scratch.js";
import type { GroupTable } from "../task/scanTask.js";

export type PartedGroupTable = Extract<GroupTable, { readonly kind: "parted" }>;

/**
 * A part may have a slot for twice its share of the groups: only keys made to meet in one can fill
 * it before there are too many of all.
 */
const limitName = "groups of one part of a table";

/** Mixed keys, u32 each. */
export interface MixedKeys {
  readonly keys: number;
  readonly count: number;
  /** Whether all of them are of the same part of the table. */
  readonly of: "one part" | "any part";
}

/** Writes the dense ids of mixed keys; returns where. */
export function numberKeys(
  { kernel, scratch }: { readonly kernel: KernelOperations; readonly scratch: Scratch },
  { table, groupsMax }: PartedGroupTable,
  { keys, count, of }: MixedKeys,
  { levelCounts }: { readonly levelCounts: number[] },
): number {
  const ids = scratch.codes;
  const found = kernel.numberPartedKeys(
    ids,
    keys,
    count,
    of === "one part",
    table,
    levelCounts[0]!,
  );
  if (found === -1) throw new HadalError("too-many-groups", { max: groupsMax });
  if (found < 0) {
    const neededBytes = table.partSlots * 2 * 2 ** table.partBits * 8;
    throw new HadalError("query-memory", { neededBytes, limitName, freeBytes: neededBytes / 2 });
  }
  levelCounts[0] = found;
  return ids;
}
