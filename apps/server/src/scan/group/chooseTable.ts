import { allocateHashTable, type QueryMemory } from "../memory/queryMemory.js";
import type { ComponentTask, GroupTable } from "../task/scanTask.js";
import { type GroupLoad, lowerNarrow } from "./lowerNarrow.js";
import { lowerParted } from "./lowerParted.js";
import { hashedBeforeRadix, lowerRadix } from "./lowerRadix.js";

/** A direct table is zeroed and read whole: it pays while it is not far larger than the rows. */
const directGroupsMax = 4_194_304;
const directGroupsPerRow = 4;
/**
 * Counts of 32 bits for this many groups fill a core's L2 cache. Not with time buckets: these are
 * added one by one, with few groups each.
 */
const talliedGroupsMin = 65_536;
/**
 * Ids are u32 and every group has a key and states: 4 M groups of 40 bytes are a sixth of the pool.
 */
const groupsMax = 4_194_304;
/**
 * Direct addressing where all groups fit; else keys of 32 bits where these fit: a narrow table for
 * counts and one sum, a parted one for other states; else hashing by 64-bit keys, from which counts
 * alone may move to the radix table.
 */
export function chooseTable(
  components: readonly ComponentTask[],
  rowCount: number,
  memory: QueryMemory,
  load: GroupLoad,
): GroupTable {
  if (components.length === 0) return { kind: "single" };
  const product = components.reduce((all, { cardinality }) => all * cardinality, 1n);
  const directMax = Math.min(directGroupsMax, Math.max(65_536, rowCount * directGroupsPerRow));
  if (product <= BigInt(directMax)) {
    // Rows come in the order of time: with time outermost, neighbouring rows meet neighbouring
    // groups.
    const byStride = [...components.keys()]
      .reverse()
      .sort(
        (a, b) => Number(components[a]!.kind === "time") - Number(components[b]!.kind === "time"),
      );
    const strides = components.map(() => 0);
    let stride = 1;
    for (const index of byStride) {
      strides[index] = stride;
      stride *= Number(components[index]!.cardinality);
    }
    const byTime = components.some(({ kind }) => kind === "time");
    const pays = !byTime && stride >= talliedGroupsMin && rowCount > stride;
    const tallies = pays ? memory.allocateSpare(stride) : 0;
    return { kind: "direct", groupCount: stride, strides, tallies };
  }
  const most = product < BigInt(rowCount) ? Number(product) : rowCount;
  const tableMax = Math.max(1, Math.min(groupsMax, most));
  const narrow = lowerNarrow(components, { groupsMax: tableMax, rowCount }, memory, load);
  if (narrow !== null) return narrow;
  // Counts alone are quicker by radix.
  const parted = load.kind === "counts" ? null : lowerParted(components, tableMax, memory);
  if (parted !== null) return parted;
  const packed = packLevels(components, BigInt(tableMax));
  const isCountable = load.kind === "counts" && packed.length === 1;
  const radix = isCountable ? lowerRadix(tableMax, rowCount, memory) : null;
  const hashedMax = radix === null ? tableMax : hashedBeforeRadix;
  const levels = packed.map((indexes) => ({
    table: allocateHashTable(hashedMax, memory),
    components: indexes,
  }));
  return { kind: "hash", groupsMax: hashedMax, levels, radix };
}

/**
 * The widest component first, and as many to a key of 64 bits as fit; later keys start with the
 * dense id of the one before.
 */
function packLevels(components: readonly ComponentTask[], groupCountMax: bigint): number[][] {
  const levels: number[][] = [[]];
  let product = 1n;
  const order = components
    .map(({ cardinality }, index) => ({ cardinality, index }))
    .sort((a, b) => (a.cardinality > b.cardinality ? -1 : 1));
  for (const { cardinality, index } of order) {
    if (product * cardinality >= 2n ** 64n) {
      levels.push([]);
      product = groupCountMax;
    }
    levels.at(-1)!.push(index);
    product *= cardinality;
  }
  return levels;
}
