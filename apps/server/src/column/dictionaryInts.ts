import type { Values } from "@hadal/kernel-wasm";
import type { DictionaryInts } from "./encodedInts.js";
import { decodedWidth, type IntEncoding, type OrderedInts } from "./intEncoding.js";

/** More would not fit the processor's first cache when they are looked up. */
const distinctMax = 4_096;
/**
 * Values below this are counted by a mark for each that occurs, others by their hash: all marks fit
 * the L2 cache.
 */
const markedMax = 2 ** 18;
/** Codes of one byte. */
const byteCodesMax = 256;
/** Maximum share of a sample's rows with a new value, */
const newShareMax = 0.7;
/**
 * and of its first quarter, as a share of all of its rows: as many values as give the other share
 * then.
 */
const quarterNewShareMax = 0.23;
const quarteredMin = 512;
/** Codes that can be given during coding. */
const earlyCodesMax = 255;
/** With more in a sample, the rows will soon have more than the maximum. */
const sampledByteCodesMax = 200;

export const dictionaryInts: IntEncoding<DictionaryInts> = {
  savedShareMin: 0.4,
  estimateBytes: (sample, rowCount) => {
    const size = estimateDistinct(sample);
    return size * decodedWidth(sample.span) + rowCount * (size > sampledByteCodesMax ? 2 : 1);
  },
  encode: (ints, bytesMax) => {
    const { rowCount, span, allocate } = ints;
    const few = span < BigInt(markedMax) ? encodeFew(ints, bytesMax) : null;
    if (few !== null) return few;
    const found = span < BigInt(markedMax) ? findMarked(ints) : findHashed(ints);
    if (found === null) return null;
    const { table, tableCount } = found;
    const codeWidth = tableCount <= byteCodesMax ? 1 : 2;
    if (tableCount * table.width + rowCount * codeWidth > bytesMax) return null;
    const kept = { address: allocate(tableCount * table.width), width: table.width };
    copy(ints.memory, kept.address, table.address, tableCount * table.width);
    const codes = { address: allocate(rowCount * codeWidth), width: codeWidth } as const;
    writeCodes(ints, codes, found);
    return { kind: "dictionary", table: kept, tableCount, codes };
  },
  decode: (kernel, out, { table, tableCount, codes }, rowCount) =>
    kernel.lookUpCodes(out, codes, table.address, tableCount, rowCount),
  read: (view, { table, codes }, rowIndex) => {
    const code =
      codes.width === 1
        ? view.getUint8(codes.address + rowIndex)
        : view.getUint16(codes.address + rowIndex * 2, true);
    return tableValue(view, table, code);
  },
  partsOf: ({ table, tableCount, codes }, rowCount) => [
    { address: table.address, bytes: tableCount * table.width },
    { address: codes.address, bytes: rowCount * codes.width },
  ],
  moved: (encoded, [table, codes]) => ({
    ...encoded,
    table: { ...encoded.table, address: table! },
    codes: { ...encoded.codes, address: codes! },
  }),
};

/**
 * Estimates distinct values by linear counting (Whang, Vander-Zanden, Taylor, 1990), with four
 * marks for each row. Infinity where most rows have a new value: then a dictionary does not pay.
 */
function estimateDistinct({ memory, kernel, values, rowCount, takeScratch }: OrderedInts): number {
  const markBits = Math.max(4, Math.ceil(Math.log2(rowCount)) + 2);
  const markCount = 2 ** markBits;
  const marksAt = takeScratch(markCount);
  kernel.clearKeys(marksAt, markCount / 8);
  const marks = new Uint8Array(memory.buffer, marksAt, markCount);
  const stride = values.width / 4;
  const halves = new Int32Array(memory.buffer, values.address, rowCount * stride);
  let marked = 0;
  let distinct = 0;
  for (let first = 0; first < 4; first++) {
    for (let row = first; row < rowCount; row += 4) {
      const low = halves[row * stride]!;
      const high = stride === 2 ? halves[row * 2 + 1]! : 0;
      const hash = Math.imul(low ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1) >>> (32 - markBits);
      marked += 1 - marks[hash]!;
      marks[hash] = 1;
    }
    distinct = markCount * Math.log(markCount / (markCount - marked));
    // Mostly a quarter of many rows decides.
    const isEarly = first === 0 && rowCount >= quarteredMin;
    const shareMax = isEarly ? quarterNewShareMax : newShareMax;
    if (distinct > rowCount * shareMax) return Number.POSITIVE_INFINITY;
  }
  return distinct;
}

function tableValue(view: DataView, table: DictionaryInts["table"], code: number): bigint {
  return table.width === 8
    ? view.getBigInt64(table.address + code * 8, true)
    : BigInt(view.getUint32(table.address + code * 4, true));
}

/** The distinct values of a column, ascending, and how each row finds its own among them. */
interface FoundValues {
  readonly table: Values;
  readonly tableCount: number;
  /** A number for each row that belongs to its value alone, */
  readonly numbers: Values;
  /** and u32 by that number: which of the distinct values it is. */
  readonly codes: number;
  /** The numbers are below this. */
  readonly numberCount: number;
}

/**
 * Codes rows in the order of the segment while values get codes by arrival, and then orders the
 * codes by value. Null when there are too many values, mostly soon.
 */
function encodeFew(ints: OrderedInts, bytesMax: number): DictionaryInts | null {
  if (ints.codeInOrder === undefined) return null;
  const { memory, kernel, rowCount, span, allocate, takeScratch } = ints;
  const words = Math.ceil((Number(span) + 1) / 8);
  const codeOf = takeScratch(words * 8);
  kernel.clearKeys(codeOf, words);
  const arrived = takeScratch(earlyCodesMax * 4);
  const early = takeScratch(rowCount);
  const tableCount = ints.codeInOrder(early, codeOf, arrived);
  if (tableCount < 0 || tableCount * 4 + rowCount > bytesMax) return null;
  const table = { address: allocate(tableCount * 4), width: 4 } as const;
  const sorted = new Uint32Array(memory.buffer, table.address, tableCount);
  sorted.set(new Uint32Array(memory.buffer, arrived, tableCount));
  sorted.sort();
  // The entries there count from 1.
  const earlyOf = new Uint8Array(memory.buffer, codeOf, Number(span) + 1);
  const codeOfEarly = takeScratch(tableCount);
  const places = new Uint8Array(memory.buffer, codeOfEarly, tableCount);
  for (let code = 0; code < tableCount; code++) places[earlyOf[sorted[code]!]! - 1] = code;
  const codes = { address: allocate(rowCount), width: 1 } as const;
  const earlyCodes = { address: early, width: 1 } as const;
  kernel.lookUpCodes(codes, earlyCodes, codeOfEarly, tableCount, rowCount);
  return { kind: "dictionary", table, tableCount, codes };
}

/** Null when there are too many. Values are their own numbers. */
function findMarked(ints: OrderedInts): FoundValues | null {
  const { kernel, values, rowCount, span, takeScratch } = ints;
  const numberCount = Number(span) + 1;
  const words = Math.ceil(numberCount / 8);
  const marks = takeScratch(words * 8);
  kernel.clearKeys(marks, words);
  kernel.markValues(marks, values.address, rowCount);
  const table = { address: takeScratch(numberCount * 4), width: 4 } as const;
  const codes = takeScratch(numberCount * 4);
  const tableCount = kernel.listMarked(table.address, codes, marks, numberCount);
  if (tableCount > distinctMax) return null;
  return { table, tableCount, numbers: values, codes, numberCount };
}

/** Null when there are too many. Values are numbered as they arrive. */
function findHashed(ints: OrderedInts): FoundValues | null {
  const { memory, takeScratch, values } = ints;
  const numbered = numberValues(ints, distinctMax);
  if (numbered === null) return null;
  const { size, keys, numbers } = numbered;
  const arrived = new BigInt64Array(memory.buffer, keys, size);
  const sorted = arrived.slice().sort();
  const codeOf = new Map(Array.from(sorted, (value, code) => [value, code]));
  const codes = takeScratch(size * 4);
  new Uint32Array(memory.buffer, codes, size).set(
    Array.from(arrived, (value) => codeOf.get(value)!),
  );
  const table = { address: takeScratch(size * values.width), width: values.width };
  if (values.width === 8) new BigInt64Array(memory.buffer, table.address, size).set(sorted);
  else new Uint32Array(memory.buffer, table.address, size).set(Uint32Array.from(sorted, Number));
  return { table, tableCount: size, numbers, codes, numberCount: size };
}

/**
 * The number of distinct values, the values (i64) in order of arrival, and each row's index among
 * them; null when there are too many.
 */
function numberValues(
  { kernel, values, rowCount, takeScratch }: OrderedInts,
  sizeMax: number,
): { size: number; keys: number; numbers: Values } | null {
  let keys = values.address;
  if (values.width === 4) {
    keys = takeScratch(rowCount * 8);
    kernel.permuteCodes({ address: keys, width: 8 }, values.address, 0, rowCount);
  }
  const groups = takeScratch(rowCount * 4);
  // At most half full.
  const slotCount = 2 ** Math.ceil(Math.log2(Math.max(sizeMax, 2) * 2));
  const table = {
    slots: takeScratch(slotCount * 4),
    slotCount,
    keys: takeScratch(sizeMax * 8),
    groupsMax: sizeMax,
  };
  kernel.clearHashTable(table);
  const size = kernel.hashKeys(groups, keys, rowCount, table, 0);
  if (size < 0) return null;
  return { size, keys: table.keys, numbers: { address: groups, width: 4 } };
}

function writeCodes(
  { kernel, rowCount, takeScratch }: OrderedInts,
  out: Values,
  { numbers, codes, numberCount }: FoundValues,
): void {
  const narrow = takeScratch(numberCount * out.width);
  kernel.permuteCodes({ address: narrow, width: out.width }, codes, 0, numberCount);
  kernel.lookUpCodes(out, numbers, narrow, numberCount, rowCount);
}

const copy = (memory: WebAssembly.Memory, to: number, from: number, bytes: number): void => {
  new Uint8Array(memory.buffer).copyWithin(to, from, from + bytes);
};
