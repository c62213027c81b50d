import type { Steps } from "../../base/schedule/steps.js";
import type { ResolvedGroup } from "../../plan/query/resolvedQuery.js";
import type { KeyColumn } from "../partial/partialResult.js";
import type { StringKeys } from "../partial/stringKeys.js";
import { KeyDictionary, keysPerStep } from "./keyDictionary.js";
import { kindOfKeys } from "./keyWords.js";
import type { KeyedGroups, NumberedGroups } from "./numberedGroups.js";
import { takeInts } from "./takeKeys.js";

/** 16 MB of slots. */
const slotsMax = 4_194_304;
/** Clearing the slots should cost less than hashing the groups. */
const slotsPerGroup = 64;
const slotsMin = 65_536;

const two32 = 2 ** 32;
/** |high half| below this: the integer is exact in an f64. */
const highSafe = 2 ** 21;

/** One key column of all senders as codes from 0 on that compare alike. */
interface CodedColumn {
  readonly cardinality: number;
  /** Makes of each of a sender's slots that many, and takes the one of them that its code says. */
  splitSlots(slots: Int32Array, sender: number): void;
  decode(codes: Int32Array): KeyColumn;
}

/** Numbers groups by an array with a slot for each possible key; null where that is too large. */
export function* numberDense(
  groupBy: readonly ResolvedGroup[],
  senders: readonly KeyedGroups[],
): Steps<NumberedGroups | null> {
  const total = senders.reduce((sum, { groupCount }) => sum + groupCount, 0);
  const most = Math.min(slotsMax, Math.max(slotsMin, total * slotsPerGroup));
  const columns: CodedColumn[] = [];
  let slotCount = 1;
  for (let index = 0; index < groupBy.length; index++) {
    const kind = kindOfKeys(groupBy[index]!);
    const column = yield* codeColumn(
      senders.map(({ keys }) => keys[index]!),
      kind,
    );
    if (column === null || slotCount * column.cardinality > most) return null;
    slotCount *= column.cardinality;
    columns.push(column);
  }
  /** 0 = free, else number + 1. */
  const slots = new Int32Array(slotCount);
  const slotOf = new Int32Array(total);
  const numbersOf: Int32Array[] = [];
  let count = 0;
  for (let sender = 0; sender < senders.length; sender++) {
    const numbers = new Int32Array(senders[sender]!.groupCount);
    for (const column of columns) column.splitSlots(numbers, sender);
    count = numberSlots(numbers, slots, slotOf, count);
    numbersOf.push(numbers);
    if (numbers.length > keysPerStep) yield;
  }
  return {
    count,
    numbersOf,
    keys: () => decodeColumns(columns, slotOf.slice(0, count)),
    keysOf: (groups) => decodeColumns(columns, takeInts(slotOf, groups)),
  };
}

/** Puts the number of its group in the place of each slot; `slotOf`: the slot of each of `count` groups, and of new ones. Returns how many there are. */
function numberSlots(
  numbers: Int32Array,
  slots: Int32Array,
  slotOf: Int32Array,
  count: number,
): number {
  let used = count;
  for (let i = 0; i < numbers.length; i++) {
    const slot = numbers[i]!;
    let found = slots[slot]!;
    if (found === 0) {
      slotOf[used] = slot;
      found = ++used;
      slots[slot] = found;
    }
    numbers[i] = found - 1;
  }
  return used;
}

/** Of the slots nothing is left. */
function decodeColumns(columns: readonly CodedColumn[], rest: Int32Array): KeyColumn[] {
  const decoded = columns.toReversed().map((column) => {
    const codes = new Int32Array(rest.length);
    for (let i = 0; i < rest.length; i++) {
      codes[i] = rest[i]! % column.cardinality;
      rest[i] = (rest[i]! - codes[i]!) / column.cardinality;
    }
    return column.decode(codes);
  });
  return decoded.reverse();
}

/** Null where an integer column spans too much. */
function* codeColumn(
  parts: readonly KeyColumn[],
  kind: KeyColumn["kind"],
): Steps<CodedColumn | null> {
  switch (kind) {
    case "bucket":
      return codeBuckets(parts.map((part) => expectKind(part, "bucket")));
    case "string":
      return yield* codeStrings(parts.map((part) => expectKind(part, "string")));
    case "int":
      return codeInts(parts.map((part) => expectKind(part, "int")));
  }
}

function expectKind<Kind extends KeyColumn["kind"]>(
  key: KeyColumn,
  kind: Kind,
): Extract<KeyColumn, { readonly kind: Kind }> {
  if (key.kind !== kind) throw new Error(`found ${key.kind} keys, expected ${kind}`);
  return key as Extract<KeyColumn, { readonly kind: Kind }>;
}

function codeBuckets(parts: readonly { readonly indexes: Int32Array }[]): CodedColumn {
  let last = 0;
  for (const { indexes } of parts) {
    for (let i = 0; i < indexes.length; i++) if (indexes[i]! > last) last = indexes[i]!;
  }
  const cardinality = last + 1;
  return {
    cardinality,
    splitSlots(slots, sender) {
      const { indexes } = parts[sender]!;
      for (let i = 0; i < slots.length; i++) slots[i] = slots[i]! * cardinality + indexes[i]!;
    },
    decode: (codes) => ({ kind: "bucket", indexes: codes }),
  };
}

/** 0 is the missing string. */
function* codeStrings(parts: readonly StringKeys[]): Steps<CodedColumn> {
  const dictionary = new KeyDictionary();
  const knownOf: Uint32Array[] = [];
  for (const part of parts) knownOf.push(yield* dictionary.codesOf(part));
  const cardinality = dictionary.size + 1;
  return {
    cardinality,
    splitSlots(slots, sender) {
      const { codes } = parts[sender]!;
      const own = knownOf[sender]!;
      for (let i = 0; i < slots.length; i++) {
        slots[i] = slots[i]! * cardinality + own[codes[i]! + 1]!;
      }
    },
    decode: (codes) => dictionary.keys(codes),
  };
}

interface IntKeys {
  readonly values: BigInt64Array;
  readonly present: Uint8Array;
}

/** 0 is the missing integer. */
function codeInts(parts: readonly IntKeys[]): CodedColumn | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    const halves = halvesOf(part.values);
    for (let i = 0; i < part.present.length; i++) {
      if (part.present[i] === 0) continue;
      const high = halves[2 * i + 1]!;
      if (high >= highSafe || high < -highSafe) return null;
      const value = high * two32 + (halves[2 * i]! >>> 0);
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  if (min > max) min = max = 0;
  if (max - min >= slotsMax) return null;
  const cardinality = max - min + 2;
  return {
    cardinality,
    splitSlots(slots, sender) {
      const { values, present } = parts[sender]!;
      const halves = halvesOf(values);
      for (let i = 0; i < slots.length; i++) {
        const value = halves[2 * i + 1]! * two32 + (halves[2 * i]! >>> 0);
        slots[i] = slots[i]! * cardinality + (present[i] === 0 ? 0 : value - min + 1);
      }
    },
    decode: (codes) => decodeInts(codes, min),
  };
}

function decodeInts(codes: Int32Array, min: number): KeyColumn {
  const values = new BigInt64Array(codes.length);
  const halves = halvesOf(values);
  const present = new Uint8Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] === 0) continue;
    const value = min + codes[i]! - 1;
    halves[2 * i] = value;
    halves[2 * i + 1] = Math.floor(value / two32);
    present[i] = 1;
  }
  return { kind: "int", values, present };
}

/** Low and high half of each. */
function halvesOf({ buffer, byteOffset, length }: BigInt64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length * 2);
}
