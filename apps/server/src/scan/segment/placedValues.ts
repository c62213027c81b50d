import type { KernelOperations } from "@hadal/kernel-wasm";
import type { ColumnType } from "@hadal/sdk";
import { printDecimal } from "../../column/decimal.js";
import { type ColumnReader, createColumnReader } from "../../column/readColumn.js";
import type { CodedColumn, IntColumn, SegmentColumn } from "../../column/segmentColumn.js";
import { createTextReader, type TextReader } from "../../column/textReader.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import type { ColumnPlace } from "../../store/columns/tableColumns.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { Scratch } from "../memory/scratch.js";

/** Readers of values on the main thread. */
export interface ReaderContext {
  readonly memory: LeafMemory;
  readonly kernel: KernelOperations;
  readonly scratch: Pick<Scratch, "pages">;
}

export interface ValueReaders {
  readonly column: ColumnReader;
  readonly text: TextReader;
}

export function valueReaders({ memory: { memory }, kernel, scratch }: ReaderContext): ValueReaders {
  return {
    column: createColumnReader(memory),
    text: createTextReader(memory, kernel, scratch.pages),
  };
}

/** What one segment has of a column in one place. */
export interface PlacedColumn {
  readonly type: ColumnType;
  readonly stored: SegmentColumn;
}

/** Where a segment has values of a column. A row has one in one place at most. */
export function placedColumns(
  segment: SegmentView,
  places: readonly ColumnPlace[],
): readonly PlacedColumn[] {
  return places.flatMap(({ name, type }) => {
    const stored = segment.columns.get(name);
    return stored === undefined ? [] : [{ type, stored }];
  });
}

export function intsOf(placed: readonly PlacedColumn[]): readonly IntColumn[] {
  return placed.flatMap(({ stored }) => (stored.kind === "int" ? [stored] : []));
}

/** Whether a row has a value there. */
export function presenceOf(
  { stored }: PlacedColumn,
  rowCount: number,
  { column }: ValueReaders,
): (row: number) => boolean {
  if (stored.kind === "coded") return (row) => column.storedCode(stored, row, rowCount) !== 0;
  return (row) => column.isPresent(stored.present, row);
}

/** The value of a row as text, a list's as its JSON; null where it has none. */
function textAt(
  { stored }: PlacedColumn,
  rowCount: number,
  { column, text }: ValueReaders,
): (row: number) => string | null {
  if (stored.kind === "coded") {
    const texts = textsOfCodes(stored);
    return (row) => texts(column.storedCode(stored, row, rowCount));
  }
  const isPresent = (row: number): boolean => column.isPresent(stored.present, row);
  if (stored.kind === "text") return (row) => (isPresent(row) ? text.text(stored, row) : null);
  return (row) =>
    isPresent(row) ? printDecimal(column.storedInt(stored, row, rowCount), stored.decimals) : null;
}

/** Each code's value is made once. */
function textsOfCodes({ dictionary }: CodedColumn): (code: number) => string | null {
  const known = new Map<number, string>();
  return (code) => {
    if (code === 0) return null;
    let text = known.get(code);
    if (text === undefined) {
      text = dictionary.valueOf(code);
      known.set(code, text);
    }
    return text;
  };
}

/** The value of a row as a text, from whichever place has it. */
export function textsOf(
  placed: readonly PlacedColumn[],
  rowCount: number,
  readers: ValueReaders,
): (row: number) => string | null {
  const reads = placed.map((one) => textAt(one, rowCount, readers));
  return (row) => {
    for (const read of reads) {
      const text = read(row);
      if (text !== null) return text;
    }
    return null;
  };
}

/** The same as a list: that of a row's scalar has one element. */
export function listsOf(
  placed: readonly PlacedColumn[],
  rowCount: number,
  readers: ValueReaders,
): (row: number) => readonly string[] | null {
  const reads = placed.map((one) => {
    const read = textAt(one, rowCount, readers);
    const isScalar = one.type === "int" || one.type === "string";
    return (row: number): readonly string[] | null => {
      const text = read(row);
      if (text === null) return null;
      return isScalar ? [text] : (JSON.parse(text) as readonly string[]);
    };
  });
  return (row) => {
    for (const read of reads) {
      const list = read(row);
      if (list !== null) return list;
    }
    return null;
  };
}
