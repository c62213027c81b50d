import { closeSync, openSync, writeSync } from "node:fs";
import type { DenseBatchColumn, RowBatch } from "../../src/base/row/rowBatch.js";
import { denseColumn } from "../../src/base/row/sparseColumn.js";
import { encodeThrift, type ThriftField, type ThriftStruct, writeVarint } from "./thriftCompact.js";

/** Parquet's numbers for types, encodings and pages. */
const int32 = 1;
const int64 = 2;
const byteArray = 6;
const plain = 0;
const rle = 3;
const rleDictionary = 8;
const dataPage = 0;
const dictionaryPage = 2;
const magic = new TextEncoder().encode("PAR1");

interface Chunk {
  readonly name: string;
  readonly type: number;
  readonly values: number;
  readonly dictionaryAt: number | null;
  readonly dataAt: number;
  readonly bytes: number;
}

interface RowGroup {
  readonly rows: number;
  readonly chunks: readonly Chunk[];
}

/**
 * One table as a Parquet file that every peer reads: uncompressed, a row group a batch, no missing values. Times are
 * 64-bit, other integers 32-bit, strings come by dictionary; sets and vectors travel as the JSON text of their array.
 */
export class ParquetFile {
  readonly #file: number;
  readonly #groups: RowGroup[] = [];
  #at = 0;

  constructor(readonly path: string) {
    this.#file = openSync(path, "w");
    this.#write(magic);
  }

  append(batch: RowBatch): void {
    const times = BigInt64Array.from(batch.times, BigInt);
    const chunks = [
      this.#writeChunk("time", int64, batch.rowCount, null, bytesOf(times)),
      ...batch.columns.map((column) =>
        this.#writeColumn(denseColumn(column, batch.rowCount), batch.rowCount),
      ),
    ];
    this.#groups.push({ rows: batch.rowCount, chunks });
  }

  /** Writes the footer; the file is whole after this. */
  finish(): void {
    const footer = encodeThrift(footerOf(this.#groups));
    this.#write(footer);
    this.#write(bytesOf(Uint32Array.of(footer.length)));
    this.#write(magic);
    closeSync(this.#file);
  }

  #writeColumn(column: DenseBatchColumn, rowCount: number): Chunk {
    if (column.type === "int") {
      return this.#writeChunk(column.name, int32, rowCount, null, bytesOf(narrow(column.values)));
    }
    const { name, dictionary, codes } = column;
    return this.#writeChunk(name, byteArray, rowCount, dictionary, indexesOf(codes, dictionary));
  }

  #writeChunk(
    name: string,
    type: number,
    values: number,
    dictionary: readonly string[] | null,
    page: Uint8Array,
  ): Chunk {
    const start = this.#at;
    if (dictionary !== null) {
      const counts = { 1: { i32: dictionary.length }, 2: { i32: plain } };
      this.#writePage(dictionaryPage, { 7: { struct: counts } }, plainStrings(dictionary));
    }
    const dataAt = this.#at;
    const encoding = dictionary === null ? plain : rleDictionary;
    const head = { 1: { i32: values }, 2: { i32: encoding }, 3: { i32: rle }, 4: { i32: rle } };
    this.#writePage(dataPage, { 5: { struct: head } }, page);
    const dictionaryAt = dictionary === null ? null : start;
    return { name, type, values, dictionaryAt, dataAt, bytes: this.#at - start };
  }

  #writePage(type: number, own: ThriftStruct, page: Uint8Array): void {
    const bytes = { i32: page.length };
    this.#write(encodeThrift({ 1: { i32: type }, 2: bytes, 3: bytes, ...own }));
    this.#write(page);
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#at += bytes.length;
  }
}

function footerOf(groups: readonly RowGroup[]): ThriftStruct {
  const columns = groups[0]?.chunks ?? [];
  const schema: ThriftField[] = [
    { struct: { 4: { text: "rows" }, 5: { i32: columns.length } } },
    ...columns.map(({ name, type }) => ({
      // 3: required. 6: the bytes are UTF-8.
      struct: {
        ...{ 1: { i32: type }, 3: { i32: 0 }, 4: { text: name } },
        ...(type === byteArray ? { 6: { i32: 0 } } : {}),
      },
    })),
  ];
  const rowGroups = groups.map(({ rows, chunks }) => ({
    struct: {
      1: { list: chunks.map((chunk) => ({ struct: chunkOf(chunk) })) },
      2: { i64: chunks.reduce((sum, { bytes }) => sum + bytes, 0) },
      3: { i64: rows },
    },
  }));
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  return { 1: { i32: 1 }, 2: { list: schema }, 3: { i64: rows }, 4: { list: rowGroups } };
}

function chunkOf({ name, type, values, dictionaryAt, dataAt, bytes }: Chunk): ThriftStruct {
  const encoding = dictionaryAt === null ? plain : rleDictionary;
  const meta: ThriftStruct = {
    1: { i32: type },
    2: { list: [{ i32: encoding }, { i32: rle }] },
    3: { list: [{ text: name }] },
    // 4: not compressed.
    4: { i32: 0 },
    5: { i64: values },
    6: { i64: bytes },
    7: { i64: bytes },
    9: { i64: dataAt },
    ...(dictionaryAt === null ? {} : { 11: { i64: dictionaryAt } }),
  };
  return { 2: { i64: dictionaryAt ?? dataAt }, 3: { struct: meta } };
}

function narrow(values: BigInt64Array): Int32Array {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const out = new Int32Array(values.length);
  for (let i = 0; i < out.length; i++) {
    const low = words[i * 2]!;
    if (words[i * 2 + 1] !== low >> 31) throw new Error(`${values[i]} does not fit 32 bits`);
    out[i] = low;
  }
  return out;
}

function plainStrings(strings: readonly string[]): Uint8Array {
  const joined = Buffer.from(strings.join(""));
  const lengths = strings.map((each) => Buffer.byteLength(each));
  const out = new Uint8Array(joined.length + strings.length * 4);
  const view = new DataView(out.buffer);
  let [from, to] = [0, 0];
  for (const length of lengths) {
    view.setUint32(to, length, true);
    out.set(joined.subarray(from, from + length), to + 4);
    from += length;
    to += 4 + length;
  }
  return out;
}

/** One bit-packed run of whole bytes: its width, its count of groups of eight, the values. */
function indexesOf(codes: Uint32Array, dictionary: readonly string[]): Uint8Array {
  const bytes = dictionary.length <= 256 ? 1 : dictionary.length <= 65_536 ? 2 : 4;
  const groups = Math.ceil(codes.length / 8);
  const head = [bytes * 8];
  writeVarint(groups * 2 + 1, head);
  const packed = bytes === 1 ? Uint8Array : bytes === 2 ? Uint16Array : Uint32Array;
  const indexes = new packed(groups * 8);
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] === 0) throw new Error("the bench has no missing strings");
    indexes[i] = codes[i]! - 1;
  }
  const out = new Uint8Array(head.length + indexes.byteLength);
  out.set(head);
  out.set(bytesOf(indexes), head.length);
  return out;
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
