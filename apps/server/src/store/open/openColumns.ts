import { dictionaryTexts, encodedDictionary } from "../../base/row/codedColumn.js";
import type { CodedBatchColumn } from "../../base/row/rowBatch.js";
import { pageEntryBytes, writeTextPage } from "../../column/pageTable.js";
import {
  type ColumnDictionary,
  codedColumn,
  type SegmentColumn,
} from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { type ColumnMemory, copyBits, OpenRun } from "./openRun.js";

/** A column of the open segment: it grows by row batches, and scans read it at any time. */
export interface OpenColumn<Batch> {
  /** Room for `rowCount` rows in all, also for those of batches without this column. */
  reserveRows(rowCount: number): void;
  append(column: Batch, firstRow: number, rowCount: number): void;
  /** Appends cells of some rows; `rows` counts from `firstRow`. */
  appendSparse(cells: Batch, rows: Uint32Array, firstRow: number): void;
  /** The first `rowCount` rows. */
  view(rowCount: number): SegmentColumn;
}

export class OpenCodedColumn implements OpenColumn<CodedBatchColumn> {
  readonly #codes: OpenRun;
  readonly #store: LeafMemory;
  readonly type: "string" | "set" | "vector";
  readonly dictionary: ColumnDictionary;
  /** Values that this segment brought into the dictionary. */
  newValues = 0;

  constructor(
    memory: ColumnMemory,
    type: "string" | "set" | "vector",
    dictionary: ColumnDictionary,
  ) {
    this.#store = memory.store;
    this.type = type;
    this.dictionary = dictionary;
    this.#codes = new OpenRun(memory, 32);
  }

  reserveRows(rowCount: number): void {
    this.#codes.reserve(rowCount);
  }

  append(column: CodedBatchColumn, firstRow: number, rowCount: number): void {
    const leafCodes = this.#internAll(column);
    const out = this.#codesFrom(firstRow, rowCount);
    const { codes } = column;
    for (let i = 0; i < rowCount; i++) out[i] = leafCodes[codes[i]!]!;
  }

  appendSparse(cells: CodedBatchColumn, rows: Uint32Array, firstRow: number): void {
    const leafCodes = this.#internAll(cells);
    const out = this.#codesFrom(firstRow, (rows.at(-1) ?? -1) + 1);
    const { codes } = cells;
    for (let i = 0; i < rows.length; i++) out[rows[i]!] = leafCodes[codes[i]!]!;
  }

  /** Appends the rows of a column of another segment. */
  appendAll(other: OpenCodedColumn, firstRow: number, rowCount: number): void {
    const codes = other.#codesFrom(0, rowCount);
    if (other.dictionary === this.dictionary) {
      this.#codesFrom(firstRow, rowCount).set(codes);
      this.newValues += other.newValues;
      return;
    }
    // A dictionary that grew too large was replaced between the two segments.
    this.append(withOwnValues(codes, other), firstRow, rowCount);
  }

  view(): SegmentColumn {
    return codedColumn(this.type, this.dictionary, { address: this.#codes.address, width: 4 });
  }

  #internAll(column: CodedBatchColumn): Uint32Array {
    const before = this.dictionary.codeCount;
    const leafCodes = this.dictionary.internAll(encodedDictionary(column));
    this.newValues += this.dictionary.codeCount - before;
    return leafCodes;
  }

  #codesFrom(firstRow: number, rowCount: number): Uint32Array {
    const address = this.#codes.address + firstRow * 4;
    return new Uint32Array(this.#store.memory.buffer, address, rowCount);
  }
}

export class OpenTextColumn implements OpenColumn<CodedBatchColumn> {
  readonly #offsets: OpenRun;
  readonly #present: OpenRun;
  readonly #store: LeafMemory;
  readonly #allocate: ColumnMemory["allocate"];
  #bytes: number;
  #capacity = 1 << 16;
  #used = 0;
  /** Bytes of text that were reserved but not appended yet. */
  #reserved = 0;
  #filledRows = 0;
  /**
   * All rows are one page. When it moves, a new directory names it: running queries read the old
   * one.
   */
  #directory = 0;
  #directoryOf = { bytes: 0, offsets: 0 };

  constructor({ store, allocate }: ColumnMemory) {
    this.#store = store;
    this.#allocate = allocate;
    // A directory may still point to the old runs: they stay until the segment is retired.
    const memory = { store, allocate, leave: (): void => {} };
    this.#offsets = new OpenRun(memory, 32);
    this.#present = new OpenRun(memory, 1);
    this.#bytes = allocate(this.#capacity);
  }

  reserveRows(rowCount: number): void {
    this.#offsets.reserve(rowCount);
    this.#present.reserve(rowCount);
    const { address: offsets } = this.#offsets;
    const { bytes, offsets: offsetsBefore } = this.#directoryOf;
    if (bytes === this.#bytes && offsetsBefore === offsets) return;
    this.#directory = this.#allocate(pageEntryBytes);
    this.#directoryOf = { bytes: this.#bytes, offsets };
    writeTextPage(new DataView(this.#store.memory.buffer), this.#directory, 0, {
      address: this.#bytes,
      compressedBytes: 0,
      // The page grows: its size is the offset of the last row.
      textBytes: 0,
      firstRow: 0,
      offsets,
      offsetsWidth: 4,
      templates: 0,
    });
  }

  /**
   * Adds room for the texts of a batch. The old run stays until the segment is retired: running
   * queries read it.
   */
  reserveText(column: CodedBatchColumn): void {
    const { starts } = dictionaryTexts(column);
    let bytes = 0;
    for (const code of column.codes) if (code > 0) bytes += starts[code]! - starts[code - 1]!;
    this.#reserveBytes(bytes);
  }

  /** The same for all texts of a column of another segment. */
  reserveAll(other: OpenTextColumn): void {
    this.#reserveBytes(other.#used);
  }

  #reserveBytes(more: number): void {
    const wanted = this.#used + this.#reserved + more;
    if (wanted > this.#capacity) {
      let capacity = this.#capacity;
      while (wanted > capacity) capacity *= 2;
      const moved = this.#allocate(capacity);
      this.#store.bytes.copyWithin(moved, this.#bytes, this.#bytes + this.#used);
      this.#bytes = moved;
      this.#capacity = capacity;
    }
    this.#reserved = wanted - this.#used;
  }

  append(column: CodedBatchColumn, firstRow: number, rowCount: number): void {
    const { text, starts } = dictionaryTexts(column);
    const usedBefore = this.#used;
    this.#fillTo(firstRow);
    const { bytes } = this.#store;
    const offsets = this.#offsetsTo(firstRow + rowCount);
    for (let i = 0; i < rowCount; i++) {
      const row = firstRow + i;
      const code = column.codes[i]!;
      if (code > 0) {
        const value = text.subarray(starts[code - 1], starts[code]);
        bytes.set(value, this.#bytes + this.#used);
        this.#used += value.length;
        bytes[this.#present.address + (row >> 3)]! |= 1 << (row & 7);
      }
      offsets[row + 1] = this.#used;
    }
    this.#reserved -= this.#used - usedBefore;
    this.#filledRows = firstRow + rowCount;
  }

  appendSparse(cells: CodedBatchColumn, rows: Uint32Array, firstRow: number): void {
    const { text, starts } = dictionaryTexts(cells);
    const usedBefore = this.#used;
    const { bytes } = this.#store;
    for (let i = 0; i < rows.length; i++) {
      const row = firstRow + rows[i]!;
      this.#fillTo(row);
      const code = cells.codes[i]!;
      const value = text.subarray(starts[code - 1], starts[code]);
      bytes.set(value, this.#bytes + this.#used);
      this.#used += value.length;
      bytes[this.#present.address + (row >> 3)]! |= 1 << (row & 7);
    }
    this.#reserved -= this.#used - usedBefore;
  }

  /** Appends the rows of a column of another segment. */
  appendAll(other: OpenTextColumn, firstRow: number, rowCount: number): void {
    this.#fillTo(firstRow);
    other.#fillTo(rowCount);
    const { bytes } = this.#store;
    bytes.copyWithin(this.#bytes + this.#used, other.#bytes, other.#bytes + other.#used);
    const from = other.#offsetsTo(rowCount);
    const to = this.#offsetsTo(firstRow + rowCount);
    for (let i = 1; i <= rowCount; i++) to[firstRow + i] = this.#used + from[i]!;
    const rows = { firstRow, rowCount };
    copyBits(bytes, other.#present.address, this.#present.address, rows);
    this.#used += other.#used;
    this.#reserved -= other.#used;
    this.#filledRows = firstRow + rowCount;
  }

  view(rowCount: number): SegmentColumn {
    this.#fillTo(rowCount);
    return {
      kind: "text",
      directory: this.#directory,
      pageCount: 1,
      rowCount,
      textBytes: this.#used,
      templates: null,
      signature: null,
      present: this.#present.address,
    };
  }

  /** Rows of batches without this column are empty and not present. */
  #fillTo(row: number): void {
    if (row <= this.#filledRows) return;
    this.#offsetsTo(row).fill(this.#used, this.#filledRows + 1, row + 1);
    this.#filledRows = row;
  }

  /** The offsets of the first rows, and the end of the last one. */
  #offsetsTo(rowCount: number): Uint32Array {
    return new Uint32Array(this.#store.memory.buffer, this.#offsets.address, rowCount + 1);
  }
}

/** Rows of a column with the values of their codes. */
function withOwnValues(
  codes: Uint32Array,
  { type, dictionary }: OpenCodedColumn,
): CodedBatchColumn {
  const values: string[] = [];
  const localOf = new Map<number, number>([[0, 0]]);
  const local = codes.map((code) => {
    let found = localOf.get(code);
    if (found === undefined) {
      found = values.push(dictionary.valueOf(code));
      localOf.set(code, found);
    }
    return found;
  });
  return { name: "", type, dictionary: values, codes: local };
}
