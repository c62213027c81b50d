import type { HashTable } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { segmentRowsMax } from "../../store/segment/segmentView.js";
import {
  type GroupContext,
  type GroupProgress,
  packKeys,
  type RowsToGroup,
} from "../key/groupNumbers.js";
import type { KeyAnswer } from "../task/scanAnswer.js";
import type { ComponentTask, HashLevel } from "../task/scanTask.js";
import { addNumbered } from "./addNumbered.js";
import { type GroupTableScan, type SideWith, settledInOrder } from "./groupTable.js";
import { countByRadix, findByRadix, flushRadix, radixCountsOf, radixKeysOf } from "./radixTable.js";

type HashSide = SideWith<"hash">;

/** Keys hashed before the table's room is checked again. */
const keysPerStep = 8_192;

/**
 * Components packed into keys of 64 bits, which are hashed level by level. Counts alone go on in
 * the radix table when there are many groups.
 */
export const hashTable: GroupTableScan<HashSide> = {
  firstGroups: () => 0,
  add(context, side, added) {
    const { grouped, rows, progress, onGroups } = added;
    added.decodeLate();
    const toGroup = { side, unit: grouped, rows, progress };
    if (onGroups === null && countByRadix(context, toGroup)) return;
    addNumbered(context, side, added, () => numberRows(context, toGroup));
  },
  groupsMax: (_, { isRadix, levelCounts }) =>
    isRadix ? Number.POSITIVE_INFINITY : (levelCounts.at(-1) ?? 0),
  settle(context, side, progress) {
    if (!progress.isRadix) return settledInOrder(progress);
    return { ranges: flushRadix(context, side), leftOut: 0 };
  },
  countsOf: (side, { isRadix }) => (isRadix ? radixCountsOf(side) : side.counts),
  readKeys({ buffer }, { side, progress: { isRadix, levelCounts } }, { groups, keys }) {
    const radix = isRadix ? radixKeysOf(buffer, side) : null;
    const levelKeys = side.table.levels.map(
      ({ table }, index) => radix ?? new BigUint64Array(buffer, table.keys, levelCounts[index]!),
    );
    for (let i = 0; i < groups.length; i++) unpackKeys(side, keys, levelKeys, i, groups[i]!);
  },
  *find(context, keys, { numbered }) {
    const { isRadix } = keys.progress;
    const numbers = isRadix ? findByRadix(context, keys) : numberRows(context, keys);
    const groupEnd = isRadix ? noGroup : numbered;
    for (const group of new Uint32Array(context.memory.buffer, numbers, keys.rows.count)) {
      if (group < groupEnd) yield group;
    }
  },
};

/** The radix table's number for a key that no row has. */
const noGroup = 2 ** 32 - 1;

/** Writes the dense id of every row; returns the address. */
export function numberRows(
  context: GroupContext,
  rowsToGroup: RowsToGroup & { readonly side: HashSide },
): number {
  rowsToGroup.side.table.levels.forEach((level, index) => {
    hashLevel(context, rowsToGroup, level, index);
  });
  return context.scratch.groups;
}

/** Packs a level's components into keys, and turns the keys into dense ids. */
function hashLevel(
  context: GroupContext,
  rowsToGroup: RowsToGroup,
  level: HashLevel,
  levelIndex: number,
): void {
  packKeys(context, rowsToGroup, level, levelIndex);
  const { kernel, scratch } = context;
  const { progress, rows } = rowsToGroup;
  const { count } = rows;
  for (let from = 0; from < count; from += keysPerStep) {
    const step = Math.min(keysPerStep, count - from);
    const before = progress.levelCounts[levelIndex]!;
    const table = roomFor(context, { table: level.table, levelIndex }, progress, before + step);
    const [groups, keys] = [scratch.groups + from * 4, scratch.keys + from * 8];
    const after = kernel.hashKeys(groups, keys, step, table, before);
    if (after < 0) throw new HadalError("too-many-groups", { max: table.groupsMax });
    progress.levelCounts[levelIndex] = after;
  }
}

/**
 * The table with slots for `keyCount` keys, at most half of them used. When it grows, its keys are
 * inserted again.
 */
function roomFor(
  { kernel, scratch }: GroupContext,
  { table, levelIndex }: { readonly table: HashTable; readonly levelIndex: number },
  progress: GroupProgress,
  keyCount: number,
): HashTable {
  const slotCount = progress.levelSlots[levelIndex]!;
  if (slotCount >= Math.min(keyCount * 2, table.slotCount)) return { ...table, slotCount };
  const wanted = 2 ** Math.ceil(Math.log2(keyCount * 4));
  const grown = { ...table, slotCount: Math.min(wanted, table.slotCount) };
  kernel.clearHashTable(grown);
  const known = progress.levelCounts[levelIndex]!;
  for (let from = 0; from < known; from += segmentRowsMax) {
    const step = Math.min(segmentRowsMax, known - from);
    kernel.hashKeys(scratch.pairs, table.keys + from * 8, step, grown, from);
  }
  progress.levelSlots[levelIndex] = grown.slotCount;
  return grown;
}

/**
 * From the last level to the first: a key ends with its last component, and begins with the dense
 * id of the level below. Five parameters and no object: called for each group.
 */
function unpackKeys(
  { table, components }: HashSide,
  keys: readonly KeyAnswer[],
  levelKeys: readonly BigUint64Array[],
  i: number,
  group: number,
): void {
  let dense = group;
  for (let index = table.levels.length - 1; index >= 0; index--) {
    const level = table.levels[index]!;
    let rest = levelKeys[index]![dense]!;
    for (const at of level.components.toReversed()) {
      const component = components[at]!;
      writeKey(keys[at]!, component, i, rest % component.cardinality);
      rest /= component.cardinality;
    }
    dense = Number(rest);
  }
}

function writeKey(
  key: KeyAnswer,
  component: ComponentTask,
  i: number,
  part: number | bigint,
): void {
  if (key.kind === "bucket") key.indexes[i] = Number(part);
  if (key.kind === "codes") key.codes[i] = Number(part);
  if (key.kind === "int" && component.kind === "ints" && Number(part) !== 0) {
    key.values[i] = component.base + BigInt(part) - 1n;
    key.present[i] = 1;
  }
}
