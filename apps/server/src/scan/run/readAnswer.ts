import { unmixKey } from "@hadal/kernel-wasm";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import { sumsPerSpread } from "../../aggregate/state/spreadState.js";
import { limbsPerSquare } from "../../aggregate/state/squareState.js";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import type { GroupProgress } from "../group/groupRows.js";
import { listNarrow } from "../group/narrowGroups.js";
import { flushRadix, radixKeys, sideAsCounted } from "../group/radixGroups.js";
import type { ReadContext } from "../state/readContext.js";
import { readDistinct } from "../state/readDistinct.js";
import { readHistogramSteps } from "../state/readHistograms.js";
import { completeTotals } from "../state/tallies.js";
import { highOfWideSum } from "../state/wideSum.js";
import type {
  ComponentTask,
  GroupTable,
  KeyAnswer,
  SideAnswer,
  SideTask,
  StateTask,
} from "../task/scanTask.js";
import { noStrings } from "../value/virtualCodes.js";
import { chooseGroups } from "./preCut.js";

const extremeStart = { min: 2n ** 63n - 1n, max: -(2n ** 63n) } as const;

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
    known ??= readCounts(context.memory, side, groups);
    return known;
  };
  const keys = readKeys(context.memory, side, progress, groups);
  const states: StateColumn[] = [];
  for (const state of side.states) {
    yield;
    states.push(yield* readState(context, side, state, groups, counts));
  }
  return { groupCount: groups.length, keys, states };
}

function* readState(
  context: ReadContext,
  side: SideTask,
  state: StateTask,
  groups: Uint32Array,
  counts: () => Float64Array,
): Steps<StateColumn> {
  const { memory } = context;
  switch (state.kind) {
    case "rows":
      return { kind: "count", values: counts() };
    case "weight":
      return { kind: "count", values: readWeights(memory, state.sums, groups, counts) };
    case "function":
      // Numbers of the groups: what the sandbox has of each takes their place.
      return { kind: "function", states: Array.from(groups, (group) => [String(group)]) };
    case "present":
      return { kind: "count", values: readTotals(memory, state.sums, groups) };
    case "sum":
      return readSum(memory, side, state, groups, counts);
    case "distinct":
      return readDistinct(memory, state, groups);
    case "squares":
      return readSquares(memory, state, groups);
    case "spread":
      return readSpread(memory, state.sums, groups);
    case "min":
    case "max":
      return readExtremes(memory, state, groups);
    case "histogram":
      return yield* readHistogramSteps(context, state, groups);
  }
}

function readCounts(memory: WebAssembly.Memory, side: SideTask, groups: Uint32Array): Float64Array {
  const groupCount = groups.length === 0 ? 0 : groups[groups.length - 1]! + 1;
  const counts = new Uint32Array(memory.buffer, side.counts, groupCount);
  const out = new Float64Array(groups.length);
  for (let i = 0; i < groups.length; i++) out[i] = counts[groups[i]!]!;
  return out;
}

/** The weight of each group; where nothing has a sample rate, its rows. */
function readWeights(
  memory: WebAssembly.Memory,
  sums: number,
  groups: Uint32Array,
  counts: () => Float64Array,
): Float64Array {
  return sums === 0 ? counts() : readTotals(memory, sums, groups);
}

/** i64 totals below 2^53 as numbers. */
function readTotals(
  memory: WebAssembly.Memory,
  address: number,
  groups: Uint32Array,
): Float64Array {
  const words = new Int32Array(memory.buffer, address, wordsFor(groups, 1));
  const out = new Float64Array(groups.length);
  for (let i = 0; i < groups.length; i++) {
    const at = groups[i]! * 2;
    out[i] = words[at + 1]! * 2 ** 32 + (words[at]! >>> 0);
  }
  return out;
}

function readSum(
  memory: WebAssembly.Memory,
  side: SideTask,
  state: Extract<StateTask, { kind: "sum" }>,
  groups: Uint32Array,
  counts: () => Float64Array,
): StateColumn {
  const hi = new Float64Array(groups.length);
  const lo = new Float64Array(groups.length);
  const words = new Uint32Array(memory.buffer, state.sums, wordsFor(groups, state.wide ? 3 : 1));
  for (let i = 0; i < groups.length; i++) {
    const at = groups[i]! * (state.wide ? 6 : 2);
    if (!state.wide) {
      hi[i] = words[at + 1]! | 0;
      lo[i] = words[at]!;
      continue;
    }
    lo[i] = words[at]!;
    hi[i] = highOfWideSum(words, at);
  }
  const weightOf = side.states.find((one) => one.kind === "weight");
  const weights =
    state.weights !== 0
      ? readTotals(memory, state.weights, groups)
      : readWeights(memory, weightOf?.kind === "weight" ? weightOf.sums : 0, groups, counts);
  return { kind: "sum", hi, lo, weights };
}

/** Where no row has a sample rate, nothing. */
function readSpread(memory: WebAssembly.Memory, address: number, groups: Uint32Array): StateColumn {
  const sums = new Float64Array(groups.length * sumsPerSpread);
  if (address === 0) return { kind: "spread", sums };
  const words = wordsFor(groups, sumsPerSpread);
  const stored = new Float64Array(memory.buffer, address, words / 2);
  for (let i = 0; i < groups.length; i++) {
    const from = groups[i]! * sumsPerSpread;
    sums.set(stored.subarray(from, from + sumsPerSpread), i * sumsPerSpread);
  }
  return { kind: "spread", sums };
}

/** An i64 of a limb may be far beyond its 32 bits: what is beyond goes to the next. */
function readSquares(
  memory: WebAssembly.Memory,
  state: Extract<StateTask, { kind: "squares" }>,
  groups: Uint32Array,
): StateColumn {
  const sumsPerGroup = state.wide ? 5 : 1;
  const words = new Uint32Array(memory.buffer, state.sums, wordsFor(groups, sumsPerGroup));
  const limbs = new Uint32Array(groups.length * limbsPerSquare);
  for (let i = 0; i < groups.length; i++) {
    const from = groups[i]! * sumsPerGroup * 2;
    let carry = 0;
    for (let j = 0; j <= sumsPerGroup; j++) {
      const low = j < sumsPerGroup ? words[from + 2 * j]! : 0;
      const high = j > 0 ? words[from + 2 * j - 1]! : 0;
      const sum = low + high + carry;
      carry = Math.floor(sum / 2 ** 32);
      limbs[i * limbsPerSquare + j] = sum;
    }
  }
  return { kind: "squares", limbs };
}

function readExtremes(
  memory: WebAssembly.Memory,
  state: Extract<StateTask, { kind: "min" | "max" }>,
  groups: Uint32Array,
): StateColumn {
  const groupCount = wordsFor(groups, 1) / 2;
  const stored = new BigInt64Array(memory.buffer, state.extremes, groupCount);
  const seen = state.presence === 0 ? null : readTotals(memory, state.presence, groups);
  const values = new BigInt64Array(groups.length);
  const present = new Uint8Array(groups.length);
  for (let i = 0; i < groups.length; i++) {
    const value = stored[groups[i]!]!;
    const has = seen === null ? value !== extremeStart[state.kind] : seen[i]! > 0;
    if (!has) continue;
    values[i] = value;
    present[i] = 1;
  }
  return { kind: "extreme", values, present };
}

/** 32-bit words up to the last group, at `perGroup` 64-bit words each. */
function wordsFor(groups: Uint32Array, perGroup: number): number {
  return groups.length === 0 ? 0 : (groups[groups.length - 1]! + 1) * perGroup * 2;
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
