import type { BitmapAddress, RowSet, Values } from "../../base/addresses.js";

/**
 * Distinct values per group. An element is 64 bits that represent a value: an integer itself, a
 * string's hash.
 */
export interface DistinctOperations {
  /**
   * Sets bit value + offset of the bitmap of the row's group; groupBits bits a group, a multiple of
   * 64. The caller knows that bits fit.
   */
  addToBitmaps(
    bitmaps: number,
    groups: number,
    rows: RowSet,
    values: Values,
    offset: bigint,
    present: BitmapAddress,
    groupBits: number,
  ): void;
  /** elements[k] (u64) = value + base of row k of the set. */
  intElements(elements: number, rows: RowSet, values: Values, base: bigint): void;
  /** elements[k] = table[code of row k]. Codes are narrower than 8 bytes. */
  codeElements(elements: number, rows: RowSet, codes: Values, table: number): void;
  /**
   * Adds (groups[k], elements[k]) of the rows that are present to the set, which has `known`
   * entries. Returns how many it has then; -1 when they would be more than entriesMax (those before
   * that are in the set).
   */
  addElements(
    set: ElementSet,
    known: number,
    groups: number,
    elements: number,
    rows: RowSet,
    present: BitmapAddress,
  ): number;
  /**
   * HyperLogLog: registers[group · 2^bits + first bits of the element's hash] = max of itself and 1
   * + the zeros that follow them. 4 <= bits <= 16.
   */
  addToRegisters(
    registers: number,
    bits: number,
    groups: number,
    elements: number,
    rows: RowSet,
    present: BitmapAddress,
  ): void;
}

/**
 * Open addressing over a power of two of slots, more than twice entriesMax: u32 number of an entry
 * + 1 (0 = free).
 */
export interface ElementSet {
  readonly slots: number;
  readonly slotCount: number;
  /** u32 and u64 per entry, in order of arrival. */
  readonly groups: number;
  readonly elements: number;
  readonly entriesMax: number;
}

type Rows = [start: number, count: number, rows: number];

export interface DistinctExports {
  addToBitmaps(
    ...a: [
      ...[bitmaps: number, groups: number, ...Rows, values: number, width: number],
      ...[offset: bigint, present: number, groupBits: number],
    ]
  ): void;
  intElements(...a: [elements: number, ...Rows, values: number, width: number, base: bigint]): void;
  codeElements(
    ...a: [elements: number, ...Rows, codes: number, width: number, table: number]
  ): void;
  addElements(
    ...a: [
      ...[slots: number, slotCount: number, entryGroups: number, entries: number],
      ...[entriesMax: number, known: number, groups: number, elements: number, ...Rows],
      present: number,
    ]
  ): number;
  addToRegisters(
    ...a: [
      ...[registers: number, bits: number, groups: number, elements: number, ...Rows],
      present: number,
    ]
  ): void;
}

export function distinctOperations(wasm: DistinctExports): DistinctOperations {
  const rowsOf = ({ start, count, rows }: RowSet): Rows => [start, count, rows];
  return {
    addToBitmaps: (bitmaps, groups, rows, { address, width }, offset, present, groupBits) =>
      wasm.addToBitmaps(
        ...([bitmaps, groups, ...rowsOf(rows), address, width] as const),
        ...([offset, present, groupBits] as const),
      ),
    intElements: (elements, rows, { address, width }, base) =>
      wasm.intElements(elements, ...rowsOf(rows), address, width, base),
    codeElements: (elements, rows, { address, width }, table) =>
      wasm.codeElements(elements, ...rowsOf(rows), address, width, table),
    addElements: (set, known, groups, elements, rows, present) =>
      wasm.addElements(
        ...([set.slots, set.slotCount, set.groups, set.elements, set.entriesMax] as const),
        ...([known, groups, elements, ...rowsOf(rows), present] as const),
      ),
    addToRegisters: (registers, bits, groups, elements, rows, present) =>
      wasm.addToRegisters(registers, bits, groups, elements, ...rowsOf(rows), present),
  };
}
