import { unmixKey } from "@hadal/kernel-wasm";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import type { GroupProgress } from "../group/groupRows.js";
import { listNarrow } from "../group/narrowGroups.js";
import { flushRadix, radixKeys, sideAsCounted } from "../group/radixGroups.js";
import type { ReadContext } from "../state/readContext.js";
import { readCounts } from "../state/readNumbers.js";
import { readState } from "../state/stateScans.js";
import { completeTotals } from "../state/tallies.js";
import type {
  ComponentTask,
  GroupTable,
  KeyAnswer,
  SideAnswer,
  SideTask,
} from "../task/scanTask.js";
import { noStrings } from "../value/virtualCodes.js";
import { chooseGroups } from "./preCut.js";

/**
 * Copies the groups that have rows, and what they gathered, out of the shared memory. A column is a step, as there may be
 * hundreds of thousands of groups: nothing stays in the scratch between two, which others use meanwhile.
 */
export function* readSideSteps(
  context: ReadContext,
  side: SideTask,
  progress: GroupProgress,
): Steps<SideAnswer> {
  completeTotals(context, side, progress);
  yield;
  const unlisted = listNarrow(context, side, progress);
  yield;
  const hashed = [[0, progress.levelCounts.at(-1) ?? 0]] as const;
  const inUse = flushRadix(context, side, progress) ?? hashed;
  const counted = sideAsCounted(side, progress);
  yield;
  const { groups, groupsCut, cutRanks } = chooseGroups(context, counted, inUse);
  yield;
  const { groupCount, keys, states } = yield* readGroupSteps(context, counted, progress, groups);
  const { levelCounts, levelSlots, isRadix, isFilled } = progress;
  // What is spread comes last: V8 takes half a microsecond to add to such an object.
  return {
    groupCount,
    keys,
    states,
    groupsCut: groupsCut + unlisted,
    levelCounts,
    levelSlots,
    isRadix,
    isFilled,
    ...(cutRanks === undefined ? {} : { cutRanks }),
  };
}

/** The same in one step. */
export const readSideAnswer = (...of: Parameters<typeof readSideSteps>): SideAnswer =>
  atOnce(readSideSteps(...of));

/** Keys and states of some groups, ascending by number. */
export const readGroups = (
  ...of: Parameters<typeof readGroupSteps>
): Pick<SideAnswer, "groupCount" | "keys" | "states"> => atOnce(readGroupSteps(...of));

function* readGroupSteps(
  context: ReadContext,
  side: SideTask,
  progress: GroupProgress,
  groups: Uint32Array,
): Steps<Pick<SideAnswer, "groupCount" | "keys" | "states">> {
  // Where nothing has a sample rate, several states are the same counts.
  let known: Float64Array | null = null;
  const counts = (): Float64Array => {
    known ??= readCounts(context.memory, side.counts, groups);
    return known;
  };
  const keys = readKeys(context.memory, side, progress, groups);
  const states: StateColumn[] = [];
  for (const task of side.states) {
    yield;
    states.push(yield* readState(context, task, { side, groups, counts }));
  }
  return { groupCount: groups.length, keys, states };
}

function readKeys(
  memory: WebAssembly.Memory,
  side: SideTask,
  progress: GroupProgress,
  groups: Uint32Array,
): KeyAnswer[] {
  const keys = side.components.map((component, index): KeyAnswer => {
    if (component.kind === "time")
      return { kind: "bucket", indexes: new Int32Array(groups.length) };
    if (component.kind === "codes") {
      const virtual = progress.virtualCodes[index]!;
      const strings = virtual.size === 0 ? noStrings : virtual.encode();
      return { kind: "codes", codes: new Uint32Array(groups.length), strings };
    }
    const values = new BigInt64Array(groups.length);
    return { kind: "int", values, present: new Uint8Array(groups.length) };
  });
  const { table } = side;
  if (table.kind === "direct" || table.kind === "narrow" || table.kind === "parted") {
    const packed = packedKeys(memory, table, progress, groups);
    side.components.forEach((component, index) => {
      writeParts(keys[index]!, component, packed, table.strides[index]!);
    });
  }
  if (table.kind === "hash") {
    const radix = radixKeys(memory, side, progress);
    const levelKeys = table.levels.map(
      (level, index) =>
        radix ?? new BigUint64Array(memory.buffer, level.table.keys, progress.levelCounts[index]!),
    );
    for (let i = 0; i < groups.length; i++) unpackKeys(side, keys, levelKeys, i, groups[i]!);
  }
  return keys;
}

/** The keys of some groups. */
function packedKeys(
  { buffer }: WebAssembly.Memory,
  table: Extract<GroupTable, { readonly strides: readonly number[] }>,
  { levelCounts }: GroupProgress,
  groups: Uint32Array,
): Uint32Array {
  if (table.kind === "direct") return groups;
  const isParted = table.kind === "parted";
  const address = isParted ? table.table.keys : table.keys;
  const keys = new Uint32Array(buffer, address, levelCounts[0] ?? 0);
  const taken = new Uint32Array(groups.length);
  for (let i = 0; i < taken.length; i++) {
    const key = keys[groups[i]!]!;
    taken[i] = isParted ? unmixKey(key) : key;
  }
  return taken;
}

/** One component's part of packed keys: every `stride` keys it is one more. A loop for each kind, without a call for each group. */
function writeParts(
  key: KeyAnswer,
  component: ComponentTask,
  packed: Uint32Array,
  stride: number,
): void {
  const cardinality = Number(component.cardinality);
  if (key.kind === "int") {
    writeInts(key, component, packed, stride);
    return;
  }
  const out = key.kind === "bucket" ? key.indexes : key.codes;
  for (let i = 0; i < packed.length; i++) out[i] = ((packed[i]! / stride) >>> 0) % cardinality;
}

/** Numbers between which sums with a key are exact in an f64. */
const exactMax = 2n ** 52n;

/** Part 0 is the missing integer. */
function writeInts(
  { values, present }: Extract<KeyAnswer, { kind: "int" }>,
  component: ComponentTask,
  packed: Uint32Array,
  stride: number,
): void {
  if (component.kind !== "ints") throw new Error("integers come of a component of another kind");
  const { base } = component;
  const cardinality = Number(component.cardinality);
  const isExact = base > -exactMax && base < exactMax;
  const halves = new Int32Array(values.buffer, 0, values.length * 2);
  const below = Number(base) - 1;
  for (let i = 0; i < packed.length; i++) {
    const part = ((packed[i]! / stride) >>> 0) % cardinality;
    if (part === 0) continue;
    present[i] = 1;
    if (isExact) {
      const value = below + part;
      halves[2 * i] = value;
      halves[2 * i + 1] = Math.floor(value / 2 ** 32);
    } else values[i] = base + BigInt(part) - 1n;
  }
}

/** From the last level's key to the first level's: each key ends with its last component, and begins with the dense id below. */
function unpackKeys(
  side: SideTask,
  keys: readonly KeyAnswer[],
  levelKeys: readonly BigUint64Array[],
  i: number,
  group: number,
): void {
  if (side.table.kind !== "hash") return;
  let dense = group;
  for (let index = side.table.levels.length - 1; index >= 0; index--) {
    const level = side.table.levels[index]!;
    let rest = levelKeys[index]![dense]!;
    for (const at of level.components.toReversed()) {
      const component = side.components[at]!;
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
