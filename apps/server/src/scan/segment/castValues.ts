import type { Steps } from "../../base/schedule/steps.js";
import { fitsInt64, int64Max, int64Min, rescale } from "../../column/decimal.js";
import { ListDictionary } from "../../column/listDictionary.js";
import { pageEntryBytes, writeTextPage } from "../../column/pageTable.js";
import {
  codedColumn,
  type IntColumn,
  type SegmentColumn,
  type TextColumn,
} from "../../column/segmentColumn.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { intsOf, listsOf, type PlacedColumn, textsOf, type ValueReaders } from "./placedValues.js";
import type { RowSpan } from "./rowsInRanges.js";

export interface CastMeans {
  readonly memory: QueryMemory;
  readonly readers: ValueReaders;
}

interface CastRows {
  readonly rowCount: number;
  /** Other rows have no value in the result. */
  readonly spans: readonly RowSpan[];
}

/** Looked at in one step. */
const stepRows = 1_024;
/** The kernel reads texts in whole vectors. */
const textSlackBytes = 16;

/** Numbers of several places with these decimals; null where one does not fit them. */
export function* castInts(
  placed: readonly PlacedColumn[],
  rows: CastRows,
  decimals: number,
  means: CastMeans,
): Steps<IntColumn | null> {
  const scaled = (value: bigint, from: number): bigint | null => {
    const stored = rescale(value, from, decimals);
    return fitsInt64(stored) && rescale(stored, decimals, from) === value ? stored : null;
  };
  return yield* writeInts(placed, rows, { decimals, scaled, isWhole: true }, means);
}

/**
 * The numbers of several places that fit 64 bits with these decimals, and with no more of them up
 * to `most`.
 */
export function* castNumbers(
  placed: readonly PlacedColumn[],
  rows: CastRows,
  { decimals, most }: { readonly decimals: number; readonly most: number },
  means: CastMeans,
): Steps<IntColumn | null> {
  const scaled = (value: bigint, from: number): bigint | null => {
    if (decimals < most && fitsInt64(rescale(value, from, decimals + 1))) return null;
    const stored = rescale(value, from, decimals);
    return fitsInt64(stored) ? stored : null;
  };
  return yield* writeInts(placed, rows, { decimals, scaled, isWhole: false }, means);
}

interface IntsWanted {
  readonly decimals: number;
  /** A value at the wanted decimals; null: it does not fit. */
  readonly scaled: (value: bigint, decimals: number) => bigint | null;
  /** Whether every value must have one. */
  readonly isWhole: boolean;
}

function* writeInts(
  placed: readonly PlacedColumn[],
  { rowCount, spans }: CastRows,
  { decimals, scaled, isWhole }: IntsWanted,
  { memory, readers: { column: reader } }: CastMeans,
): Steps<IntColumn | null> {
  const address = memory.allocate(Math.max(1, rowCount) * 8);
  const values = new BigInt64Array(memory.leaf.memory.buffer, address, rowCount).fill(0n);
  const present = memory.bitmap(rowCount);
  let [min, max] = [int64Max, int64Min];
  for (const stored of intsOf(placed)) {
    for (const [first, end] of spans) {
      for (let row = first; row < end; row++) {
        if ((row - first) % stepRows === stepRows - 1) yield;
        if (!reader.isPresent(stored.present, row)) continue;
        const value = scaled(reader.storedInt(stored, row, rowCount), stored.decimals);
        if (value === null && isWhole) return null;
        if (value === null) continue;
        values[row] = value;
        mark(memory.leaf.bytes, present, row);
        if (value < min) min = value;
        if (value > max) max = value;
      }
    }
  }
  const plain = { values: { address, width: 8 }, base: 0n, encoded: null } as const;
  return { kind: "int", decimals, ...plain, present, min, max };
}

/** Values of several places as texts, on one page. */
export function* castTexts(
  placed: readonly PlacedColumn[],
  { rowCount, spans }: CastRows,
  { memory, readers }: CastMeans,
): Steps<TextColumn> {
  const textOf = textsOf(placed, rowCount, readers);
  const offsetsAt = memory.allocate((rowCount + 1) * 4);
  const offsets = new Uint32Array(memory.leaf.memory.buffer, offsetsAt, rowCount + 1);
  const present = memory.bitmap(rowCount);
  const texts: string[] = [];
  let textBytes = 0;
  let written = 0;
  for (const [first, end] of spans) {
    offsets.fill(textBytes, written, first + 1);
    for (let row = first; row < end; row++) {
      if ((row - first) % stepRows === stepRows - 1) yield;
      const text = textOf(row);
      if (text !== null) {
        texts.push(text);
        textBytes += Buffer.byteLength(text);
        mark(memory.leaf.bytes, present, row);
      }
      offsets[row + 1] = textBytes;
    }
    written = end;
  }
  offsets.fill(textBytes, written, rowCount + 1);
  const address = memory.allocate(textBytes + textSlackBytes);
  Buffer.from(memory.leaf.memory.buffer, address, textBytes).write(texts.join(""));
  const directory = memory.allocate(pageEntryBytes);
  writeTextPage(new DataView(memory.leaf.memory.buffer), directory, 0, {
    ...{ address, compressedBytes: 0, textBytes, firstRow: 0, templates: 0 },
    ...{ offsets: offsetsAt, offsetsWidth: 4 },
  });
  const page = { directory, pageCount: 1, rowCount, textBytes };
  return { kind: "text", ...page, templates: null, signature: null, present };
}

/** Values of several places as lists, with a new dictionary. */
export function* castLists(
  placed: readonly PlacedColumn[],
  { rowCount, spans }: CastRows,
  type: "set" | "vector",
  { memory, readers }: CastMeans,
): Steps<SegmentColumn> {
  const listOf = listsOf(placed, rowCount, readers);
  const dictionary = new ListDictionary();
  const address = memory.allocate(Math.max(1, rowCount) * 4);
  const codes = new Uint32Array(memory.leaf.memory.buffer, address, rowCount).fill(0);
  for (const [first, end] of spans) {
    for (let row = first; row < end; row++) {
      if ((row - first) % stepRows === stepRows - 1) yield;
      const list = listOf(row);
      if (list !== null) codes[row] = dictionary.internList(list);
    }
  }
  return codedColumn(type, dictionary, { address, width: 4 });
}

function mark(bytes: Uint8Array, bitmap: number, row: number): void {
  bytes[bitmap + (row >> 3)]! |= 1 << (row & 7);
}
