import { countBits } from "../../../base/bytes/countBits.js";
import type { StateColumn } from "../../partial/partialResult.js";
import {
  columnOf,
  expectCount,
  expectOffsets,
  type MergeInput,
  type StateKind,
} from "../stateKind.js";
import {
  appendElements,
  bitmapsToElements,
  type DistinctColumn,
  elementCounts,
  elementsToRegisters,
  foldRegisters,
  registerBitsFor,
} from "./distinctForms.js";
import { estimateOf, relativeErrorOf } from "./hyperLogLog.js";

/** The most elements, of all groups together, that are kept as they are; beyond, their number is estimated. */
export const distinctElementsMax = 2 ** 21;
/** Bitmaps of more than 32 MiB in total are merged as lists of elements. */
const bitmapBitsMax = 2 ** 28;

/** Sets of values per group: as bitmaps, as lists, or, when there are too many, as HyperLogLog registers. Not weighted: a value is there or not. */
export const distinctState: StateKind = {
  create: (groupCount): DistinctColumn => emptyOf(groupCount),

  merge: (inputs, groupCount) => {
    const filled = inputs
      .map(({ column, groups }) => ({ column: columnOf(column, "distinct"), groups }))
      .filter(({ column, groups }) =>
        column.form === "elements" ? column.elements.length > 0 : groups.length > 0,
      );
    if (filled.length === 0) return emptyOf(groupCount);
    const bitmaps = filled.filter((one): one is BitmapInput => one.column.form === "bitmaps");
    if (bitmaps.length === filled.length) {
      const merged = mergeBitmaps(bitmaps, groupCount);
      if (merged !== null) return merged;
    }
    const lists = filled.map(({ column, groups }) => ({
      column: column.form === "bitmaps" ? bitmapsToElements(column, groups.length) : column,
      groups,
    }));
    if (lists.every((one): one is ListInput => one.column.form === "elements")) {
      const merged = appendElements(lists, groupCount);
      if (merged.elements.length / 2 <= distinctElementsMax) return merged;
      return elementsToRegisters(merged, groupCount, registerBitsFor(groupCount));
    }
    return mergeRegisters(lists, groupCount);
  },

  take(column, groups): DistinctColumn {
    const from = columnOf(column, "distinct");
    switch (from.form) {
      case "bitmaps": {
        const perGroup = from.groupBits / 32;
        const words = new Uint32Array(groups.length * perGroup);
        return { ...from, words: takeRuns(from.words, perGroup, groups, words) };
      }
      case "registers": {
        const perGroup = 2 ** from.bits;
        const registers = new Uint8Array(groups.length * perGroup);
        return { ...from, registers: takeRuns(from.registers, perGroup, groups, registers) };
      }
      case "elements": {
        const counts = elementCounts(from, groups);
        const offsets = new Uint32Array(groups.length + 1);
        for (let i = 0; i < groups.length; i++) offsets[i + 1] = offsets[i]! + counts[i]!;
        const elements = new Uint32Array(offsets[groups.length]! * 2);
        for (let i = 0; i < groups.length; i++) {
          const [start, end] = [from.offsets[groups[i]!]!, from.offsets[groups[i]! + 1]!];
          elements.set(from.elements.subarray(start * 2, end * 2), offsets[i]! * 2);
        }
        return { kind: "distinct", form: "elements", offsets, elements };
      }
    }
  },

  encode(column) {
    const from = columnOf(column, "distinct");
    switch (from.form) {
      case "bitmaps": {
        const { form, groupBits } = from;
        const head = { kind: "distinct", form, groupBits, base: String(from.base) } as const;
        return { head, sections: [from.words] };
      }
      case "registers":
        return {
          head: { kind: "distinct", form: from.form, bits: from.bits },
          sections: [from.registers],
        };
      case "elements":
        return {
          head: { kind: "distinct", form: from.form },
          sections: [from.offsets, from.elements],
        };
    }
  },

  decode(head, reader): DistinctColumn {
    switch (head.form) {
      case "bitmaps": {
        const { groupBits = 0, base = "0" } = head;
        return {
          kind: "distinct",
          form: head.form,
          base: BigInt(base),
          groupBits,
          words: reader.u32(),
        };
      }
      case "registers":
        return {
          kind: "distinct",
          form: head.form,
          bits: head.bits ?? 0,
          registers: reader.bytes(),
        };
      default:
        return {
          kind: "distinct",
          form: "elements",
          offsets: reader.u32(),
          elements: reader.u32(),
        };
    }
  },

  check(column, groupCount) {
    const sets = columnOf(column, "distinct");
    switch (sets.form) {
      case "bitmaps":
        expectCount("words of bitmaps", sets.words.length, (groupCount * sets.groupBits) / 32);
        return;
      case "registers":
        expectCount("registers", sets.registers.length, groupCount * 2 ** sets.bits);
        return;
      case "elements":
        expectOffsets(sets.offsets, groupCount);
        expectCount("words of elements", sets.elements.length, sets.offsets[groupCount]! * 2);
    }
  },
};

/** How many distinct values a group has; a whole number also where it is estimated. */
export function distinctOf(column: StateColumn, group: number): number {
  const from = columnOf(column, "distinct");
  switch (from.form) {
    case "bitmaps": {
      const perGroup = from.groupBits / 32;
      return countBits(from.words, group * perGroup, (group + 1) * perGroup);
    }
    case "elements":
      return from.offsets[group + 1]! - from.offsets[group]!;
    case "registers":
      return Math.round(estimateOf(from.registers, group, from.bits));
  }
}

/** Between which two numbers an estimated count lies 19 times of 20; null for an exact one. */
export function distinctInterval(
  column: StateColumn,
  count: number,
): readonly [number, number] | null {
  const from = columnOf(column, "distinct");
  if (from.form !== "registers") return null;
  const error = 2 * relativeErrorOf(from.bits) * count;
  return [Math.max(0, Math.floor(count - error)), Math.ceil(count + error)];
}

type Bitmaps = Extract<DistinctColumn, { form: "bitmaps" }>;
type Elements = Extract<DistinctColumn, { form: "elements" }>;

interface BitmapInput {
  readonly column: Bitmaps;
  readonly groups: MergeInput["groups"];
}

interface ListInput {
  readonly column: Elements;
  readonly groups: MergeInput["groups"];
}

function emptyOf(groupCount: number): DistinctColumn {
  return {
    kind: "distinct",
    form: "elements",
    offsets: new Uint32Array(groupCount + 1),
    elements: new Uint32Array(0),
  };
}

/** Null when they would take too much. Bases are multiples of 32, so that words stay words. */
function mergeBitmaps(inputs: readonly BitmapInput[], groupCount: number): DistinctColumn | null {
  const bases = inputs.map(({ column }) => column.base);
  // biome-ignore lint/complexity/useMathMinMax: Math.min does not take BigInt.
  const base = bases.reduce((a, b) => (b < a ? b : a));
  const end = inputs.reduce((last, { column }) => {
    const own = column.base + BigInt(column.groupBits);
    return own > last ? own : last;
  }, base);
  if ((end - base) * BigInt(groupCount) > BigInt(bitmapBitsMax)) return null;
  const groupBits = Number(end - base);
  const perGroup = groupBits / 32;
  const words = new Uint32Array(groupCount * perGroup);
  for (const { column, groups } of inputs) {
    const ownPerGroup = column.groupBits / 32;
    const shift = Number(column.base - base) / 32;
    for (let i = 0; i < groups.length; i++) {
      const into = groups[i]! * perGroup + shift;
      const from = i * ownPerGroup;
      for (let j = 0; j < ownPerGroup; j++) words[into + j]! |= column.words[from + j]!;
    }
  }
  return { kind: "distinct", form: "bitmaps", base, groupBits, words };
}

function mergeRegisters(
  inputs: readonly {
    readonly column: Exclude<DistinctColumn, Bitmaps>;
    readonly groups: Int32Array;
  }[],
  groupCount: number,
): DistinctColumn {
  const bits = inputs.reduce(
    (least, { column }) => (column.form === "registers" ? Math.min(least, column.bits) : least),
    registerBitsFor(groupCount),
  );
  const size = 2 ** bits;
  const registers = new Uint8Array(groupCount * size);
  for (const { column, groups } of inputs) {
    const own =
      column.form === "registers"
        ? foldRegisters(column, groups.length, bits)
        : elementsToRegisters(column, groups.length, bits);
    for (let i = 0; i < groups.length; i++) {
      const into = groups[i]! * size;
      for (let j = 0; j < size; j++) {
        const run = own.registers[i * size + j]!;
        if (run > registers[into + j]!) registers[into + j] = run;
      }
    }
  }
  return { kind: "distinct", form: "registers", bits, registers };
}

function takeRuns<Values extends Uint32Array | Uint8Array>(
  from: Values,
  perGroup: number,
  groups: Uint32Array,
  out: Values,
): Values {
  for (let i = 0; i < groups.length; i++) {
    out.set(from.subarray(groups[i]! * perGroup, (groups[i]! + 1) * perGroup), i * perGroup);
  }
  return out;
}
