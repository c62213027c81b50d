import type { Values } from "@hadal/kernel-wasm";
import { timeColumn } from "@hadal/sdk";
import { printDecimal } from "../../column/decimal.js";
import type { ListDictionary } from "../../column/listDictionary.js";
import { type ColumnReader, createColumnReader } from "../../column/readColumn.js";
import type { ColumnDictionary, IntColumn, SegmentColumn } from "../../column/segmentColumn.js";
import type { BatchColumn } from "../../function/sandbox/sandboxMessages.js";
import type { BoundColumn } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { stringSourceOf } from "../derive/stringSource.js";
import type { StringReader } from "../value/stringReader.js";
import { startOfRun } from "./functionValues.js";

/** Strings of one column that the sandbox keeps before they are dropped. */
const knownMax = 65_536;
/** UTF-16 units of texts in one call: a quarter of a function's memory. */
const knownUnitsMax = 8 * 2 ** 20;

type Value = string | readonly string[];

/**
 * The values of one column as a function sees them, sent to one run of the sandbox batch by batch.
 */
export class FunctionInput {
  readonly #reader: ColumnReader;
  readonly #view: DataView;
  /** Where values are read to: they are sent before the next are read. */
  #room = new ArrayBuffer(0);
  /** Strings that the sandbox has: of the current dictionary by code, others by text. */
  #codes = new Uint32Array(0);
  #dictionary: ColumnDictionary | null = null;
  #texts = new Map<string, number>();
  #known = 0;
  #units = 0;

  readonly #column: BoundColumn;
  readonly #strings: StringReader;

  constructor(column: BoundColumn, memory: WebAssembly.Memory, strings: StringReader) {
    this.#column = column;
    this.#strings = strings;
    this.#reader = createColumnReader(memory);
    this.#view = new DataView(memory.buffer);
  }

  /** How the segment stores it; its values are decoded already. */
  columnOf(segment: SegmentView): SegmentColumn | undefined {
    if (this.#column.name !== timeColumn) return segment.columns.get(this.#column.name);
    const { times, timeBase, minMs, maxMs } = segment;
    return {
      kind: "int",
      decimals: 0,
      values: times,
      base: timeBase,
      encoded: null,
      present: 0,
      min: BigInt(minMs),
      max: BigInt(maxMs),
    };
  }

  /** Values of these rows; they stand only until others are read. */
  read(column: SegmentColumn | undefined, rows: Uint32Array): BatchColumn {
    if (this.#column.type === "int") return this.#readNumbers(column, rows);
    const added: Value[] = [];
    const resets = this.#forget(column);
    const values = new Uint32Array(this.#roomFor(rows.length), 0, rows.length).fill(0);
    if (column?.kind === "coded") this.#readCodes(column, rows, values, added);
    else if (column !== undefined) {
      for (let i = 0; i < rows.length; i++) {
        const text = this.#textOf(column, rows[i]!);
        if (text !== null) values[i] = this.#indexOfText(text, added);
      }
    }
    return { kind: "codes", values, added: JSON.stringify(added), resets };
  }

  /** How many of the rows fit one call: texts can be long. */
  fitting(column: SegmentColumn | undefined, rows: Uint32Array): number {
    if (column?.kind !== "text") return rows.length;
    const most = Math.max(1, Math.floor(knownMax / 4));
    let units = 0;
    for (let i = 0; i < Math.min(rows.length, most); i++) {
      units += this.#textOf(column, rows[i]!)?.length ?? 0;
      if (units > knownUnitsMax / 2) return Math.max(1, i);
    }
    return Math.min(rows.length, most);
  }

  /** Starts over where too much is known, or another dictionary gives codes. */
  #forget(column: SegmentColumn | undefined): boolean {
    const dictionary = column?.kind === "coded" ? column.dictionary : null;
    const isOther =
      dictionary !== null && this.#dictionary !== null && dictionary !== this.#dictionary;
    if (dictionary !== null) {
      this.#dictionary = dictionary;
      if (dictionary.codeCount > this.#codes.length) {
        const grown = new Uint32Array(Math.ceil(dictionary.codeCount * 1.25));
        grown.set(this.#codes);
        this.#codes = grown;
      }
    }
    if (!isOther && this.#known < knownMax && this.#units < knownUnitsMax / 2) return false;
    this.#codes.fill(0);
    this.#texts = new Map();
    this.#known = 0;
    this.#units = 0;
    return true;
  }

  #readCodes(
    column: Extract<SegmentColumn, { kind: "coded" }>,
    rows: Uint32Array,
    values: Uint32Array,
    added: Value[],
  ): void {
    const codes = this.#codes;
    for (let i = 0; i < rows.length; i++) {
      const code = this.#reader.code(column.values, rows[i]!);
      if (code === 0) continue;
      let index = codes[code]!;
      if (index === 0) {
        index = this.#add(this.#valueOf(column, code), added);
        codes[code] = index;
      }
      values[i] = index;
    }
  }

  #valueOf(column: Extract<SegmentColumn, { kind: "coded" }>, code: number): Value {
    if (column.type !== "string") return listOf(column.dictionary, code);
    const text = column.dictionary.valueOf(code);
    return this.#column.type === "string" ? text : [text];
  }

  #indexOfText(text: string, added: Value[]): number {
    let index = this.#texts.get(text);
    if (index === undefined) {
      index = this.#add(this.#column.type === "string" ? text : [text], added);
      this.#texts.set(text, index);
    }
    return index;
  }

  #add(value: Value, added: Value[]): number {
    added.push(value);
    this.#units += typeof value === "string" ? value.length : value.join("").length;
    return ++this.#known;
  }

  /** A column that stored strings only lately has texts, and integers from before. */
  #textOf(column: Exclude<SegmentColumn, { kind: "coded" }>, row: number): string | null {
    if (column.kind === "text") return this.#strings.read(stringSourceOf(column), row);
    if (!this.#reader.isPresent(column.present, row)) return null;
    return printDecimal(this.#reader.int(column, row), column.decimals);
  }

  #readNumbers(column: SegmentColumn | undefined, rows: Uint32Array): BatchColumn {
    if (column?.kind !== "int") {
      const values = new Float64Array(this.#roomFor(rows.length), 0, rows.length).fill(Number.NaN);
      return { kind: "numbers", values, complete: false };
    }
    const { present, decimals, min, max } = column;
    const fitsInt32 = min >= -(2n ** 31n) && max < 2n ** 31n && decimals === 0;
    const complete = present === 0;
    const Values = fitsInt32 && complete ? Int32Array : Float64Array;
    const values = new Values(this.#roomFor(rows.length), 0, rows.length);
    this.#readInts(column, rows, values);
    if (decimals > 0) {
      const factor = 10 ** decimals;
      for (let i = 0; i < rows.length; i++) values[i] = values[i]! / factor;
    }
    if (!complete) {
      for (let i = 0; i < rows.length; i++) {
        if (!this.#reader.isPresent(present, rows[i]!)) values[i] = Number.NaN;
      }
    }
    return { kind: "numbers", values, complete };
  }

  #roomFor(rowCount: number): ArrayBuffer {
    const bytes = rowCount * Float64Array.BYTES_PER_ELEMENT;
    if (this.#room.byteLength < bytes) this.#room = new ArrayBuffer(bytes);
    return this.#room;
  }

  /** As doubles: beyond 2^53 the nearest. */
  #readInts(column: IntColumn, rows: Uint32Array, out: Float64Array | Int32Array): void {
    const { values, base } = column;
    const near = Number(base);
    if (Number.isSafeInteger(near) && values.width < 8) this.#readCodesOf(values, near, rows, out);
    else if (values.width === 8 && base === 0n) {
      for (let i = 0; i < rows.length; i++) out[i] = this.#wide(values.address + rows[i]! * 8);
    } else
      for (let i = 0; i < rows.length; i++) out[i] = Number(this.#reader.int(column, rows[i]!));
  }

  /** Adds the base, in one loop for each width: this runs for every row of a function. */
  #readCodesOf(
    { address, width }: Values,
    base: number,
    rows: Uint32Array,
    out: Float64Array | Int32Array,
  ): void {
    const { buffer } = this.#view;
    if (width === 0) out.fill(base);
    else if (width === 3) {
      const bytes = new Uint8Array(buffer, address);
      const start = startOfRun(rows);
      for (let i = 0; i < rows.length; i++) {
        const at = (start < 0 ? rows[i]! : start + i) * 3;
        out[i] = base + bytes[at]! + bytes[at + 1]! * 0x100 + bytes[at + 2]! * 0x1_0000;
      }
    } else if (width === 1) pick(new Uint8Array(buffer, address), base, rows, out);
    else if (width === 2) pick(new Uint16Array(buffer, address), base, rows, out);
    else pick(new Uint32Array(buffer, address), base, rows, out);
  }

  /** Rounded once: a high word beyond 21 bits and the low one are added in a single rounding. */
  #wide(at: number): number {
    return this.#view.getInt32(at + 4, true) * 2 ** 32 + this.#view.getUint32(at, true);
  }
}

function pick(
  values: Uint8Array | Uint16Array | Uint32Array,
  base: number,
  rows: Uint32Array,
  out: Float64Array | Int32Array,
): void {
  const start = startOfRun(rows);
  if (start < 0) for (let i = 0; i < rows.length; i++) out[i] = base + values[rows[i]!]!;
  else for (let i = 0; i < rows.length; i++) out[i] = base + values[start + i]!;
}

function listOf(dictionary: ListDictionary, code: number): readonly string[] {
  return Array.from(dictionary.listOf(code), (element) => dictionary.elements.valueOf(element));
}
