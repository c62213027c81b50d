import { cell, type HashedTexts, type JsonCells } from "@hadal/kernel-wasm";
import { type ColumnType, decimalsDefault } from "@hadal/sdk";
import { ByteDictionary } from "../../base/bytes/byteDictionary.js";
import { textOf, viewOf } from "../../base/bytes/byteView.js";
import { decodeStrings } from "../../base/bytes/stringList.js";
import { codedColumn } from "../../base/row/codedColumn.js";
import type { BatchColumn, CodedBatchColumn } from "../../base/row/rowBatch.js";
import { isSparse, sparseColumn } from "../../base/row/sparseColumn.js";
import { parseElements, printList } from "../value/listText.js";
import { scaleInteger } from "../value/numberText.js";
import { CodeCells, placeCodes } from "./codeCells.js";
import { type ColumnRule, setForm } from "./columnRule.js";
import { IntCells } from "./intCells.js";
import type { RowBlock } from "./rowBlock.js";
import { copyUint32, createInt64, createUint32 } from "./smallArrays.js";
import { dropUnused } from "./usedStrings.js";

type CodedType = Exclude<ColumnType, "int">;

/**
 * The dictionary of all columns before their first string: of thousands of columns, most have no
 * other.
 */
const noStrings = new ByteDictionary();

/**
 * Builds one column of a batch. Every value keeps its own type: values of another type than the
 * first go into a second builder, and the batch has a column of that name for each type.
 */
export class ColumnBuilder {
  readonly #rule: ColumnRule | null;
  /** Used by the row builder: the last row with this column, and the place of its waiting cell. */
  rowStamp = -1;
  cellIndex = -1;

  /** The type of the first value. */
  type: ColumnType | null = null;
  /** Values of other types. */
  readonly #others = new Map<ColumnType, ColumnBuilder>();
  readonly #ints = new IntCells();
  readonly #codes = new CodeCells();
  /** Digits after the point once there are fractions. */
  readonly decimals: number;
  /** 10^decimals, and the largest integer whose product with it is a safe integer. */
  readonly #scale: number;
  readonly #scalableMax: number;
  #dictionary = noStrings;
  /** Codes of strings that arrived as JavaScript strings: these are encoded once. */
  #codesByText = new Map<string, number>();
  /** Codes of lists by the bytes they were sent as. */
  #sentLists = noStrings;
  readonly #sentCodes: number[] = [0];
  /** Codes by the kernel's number of a text. */
  #numberedCodes = new Uint32Array(0);

  constructor(
    readonly name: string,
    rule: ColumnRule | null = null,
  ) {
    this.#rule = rule;
    this.decimals = rule?.decimals ?? decimalsDefault;
    this.#scale = 10 ** this.decimals;
    this.#scalableMax = Math.floor(Number.MAX_SAFE_INTEGER / this.#scale);
    // Configured decimals apply to whole numbers, too.
    if (rule?.decimals !== undefined) this.#ints.markScaled();
  }

  /**
   * The code of a string that was checked and stored before; 0: it is new, or the column has
   * another type.
   */
  codeOf(text: string): number {
    return this.type === "string" ? (this.#codesByText.get(text) ?? 0) : 0;
  }

  /**
   * The code of this row, which was written last; 0 when the column has another type than strings.
   */
  codeAt(row: number): number {
    return this.type === "string" ? this.#codes.codeOfLast(row) : 0;
  }

  /** As {@link codeOf}, for the string of bytes[start, end). */
  plainCodeOf(bytes: DataView, start: number, end: number, hash: number): number {
    return this.type === "string" ? this.#dictionary.find(bytes, start, end, hash) : 0;
  }

  /** The code of a list by the bytes it was sent as; 0: it is new. */
  listCodeOf(bytes: DataView, start: number, end: number, hash: number): number {
    return this.#sentCodes[this.#sentLists.find(bytes, start, end, hash)]!;
  }

  /** Writes a code that one of the methods above returned. */
  writeKnown(row: number, code: number): void {
    this.#codes.write(row, code);
  }

  writeInteger(row: number, value: number | bigint): void {
    if (this.#takes("int")) this.#ints.write(row, value);
    else this.#other("int").writeInteger(row, value);
  }

  /** `scaled` is trunc(x · 10^decimals). */
  writeFraction(row: number, scaled: number | bigint): void {
    if (!this.#takes("int")) {
      this.#other("int").writeFraction(row, scaled);
      return;
    }
    const place = this.#ints.write(row, scaled);
    this.#ints.markScaled()[place] = 1;
  }

  writeString(row: number, text: string): void {
    if (this.#takes("string")) this.#writeCode(row, text);
    else this.#other("string").writeString(row, text);
  }

  /**
   * Writes the string of bytes[start, end). Five numbers and no object, as it is called for every
   * cell.
   */
  writePlain(row: number, bytes: DataView, start: number, end: number, hash: number): void {
    if (this.type === "string")
      this.writeKnown(row, this.#ownDictionary().intern(bytes, start, end, hash));
    else this.writeString(row, textOf(bytes, start, end));
  }

  /**
   * `text` is the JSON text of the elements. False where {@link listCodeOf} has other lists than
   * these.
   */
  writeList(row: number, type: "set" | "vector", text: string): boolean {
    const isOwn = this.#takes(type);
    if (isOwn) this.#writeCode(row, text);
    else this.#other(type).writeList(row, type, text);
    return isOwn;
  }

  /**
   * Remembers the bytes that the list of this row was sent as: {@link listCodeOf} finds it by them.
   * Loose parameters, as in {@link writePlain}.
   */
  rememberList(row: number, bytes: DataView, start: number, end: number, hash: number): void {
    this.#sentCodes[this.#ownLists().intern(bytes, start, end, hash)] = this.#codes.codeOfLast(row);
  }

  /** Writes the integers that the kernel read. */
  writeNumbers({ first, rows, growth }: RowBlock, cells: JsonCells): void {
    const { kinds, missing, fractions } = cells;
    const isDense = this.#ints.makeDenseRoom(first + rows, rows - missing, growth);
    if (fractions > 0) this.#ints.markScaled();
    if (!isDense) {
      for (let i = 0; i < rows; i++)
        if (kinds[i] !== cell.missing) this.#writeNumber(this.#ints.placeFor(first + i), i, cells);
      return;
    }
    const { halves, present, scaled } = this.#ints;
    if (missing === 0) {
      halves.set(cells.halves.subarray(0, 2 * rows), 2 * first);
      present.fill(1, first, first + rows);
    } else {
      for (let i = 0; i < rows; i++) {
        if (kinds[i] === cell.missing) continue;
        halves[2 * (first + i)] = cells.halves[2 * i]!;
        halves[2 * (first + i) + 1] = cells.halves[2 * i + 1]!;
        present[first + i] = 1;
      }
    }
    if (fractions === 0 || scaled === null) return;
    for (let i = 0; i < rows; i++) if (kinds[i] === cell.fraction) scaled[first + i] = 1;
  }

  #writeNumber(place: number, i: number, { kinds, halves: sent }: JsonCells): void {
    const { halves, present, scaled } = this.#ints;
    halves[2 * place] = sent[2 * i]!;
    halves[2 * place + 1] = sent[2 * i + 1]!;
    present[place] = 1;
    if (kinds[i] === cell.fraction) scaled![place] = 1;
  }

  /**
   * Writes the strings or lists that the kernel read; `texts` are the distinct ones of these cells.
   */
  writeTexts(block: RowBlock, cells: JsonCells, texts: HashedTexts): void {
    const { first, rows, growth } = block;
    const isDense = this.#codes.makeDenseRoom(first + rows, rows - cells.missing, growth);
    this.#growNumbered(texts);
    const codes = this.#numberedCodes;
    const { kinds, codes: sent } = cells;
    if (this.type === "string")
      this.#ownDictionary().internAll(texts, codes.subarray(texts.before));
    else this.#findLists(texts, codes.subarray(texts.before));
    if (isDense) placeCodes(this.#codes.codes, block, cells, codes);
    else {
      for (let i = 0; i < rows; i++)
        if (kinds[i] !== cell.missing) this.#codes.write(first + i, codes[sent[i]!]!);
    }
  }

  /** Reports rows whose integers do not fit 64 bits with the configured decimals. */
  findUnfit(rowCount: number, unfit: (row: number) => void): void {
    for (const other of this.#others.values()) other.findUnfit(rowCount, unfit);
    if (this.type !== "int" || this.#rule?.decimals === undefined) return;
    this.#eachUnfit(rowCount, unfit);
  }

  /**
   * The columns of the kept rows, one for each type; none when no row has a value. Integers that do
   * not fit 64 bits with the column's decimals come last, without decimals. The builder must not be
   * used after this.
   */
  build(rowCount: number, kept: Uint32Array | null): BatchColumn[] {
    const built = this.#buildOwn(rowCount, kept);
    this.#ints.giveBack();
    this.#codes.giveBack();
    for (const other of this.#others.values()) built.push(...other.build(rowCount, kept));
    return built;
  }

  #buildOwn(rowCount: number, kept: Uint32Array | null): BatchColumn[] {
    if (this.type === null) return [];
    if (this.type !== "int") return listOf(this.#buildCoded(this.type, rowCount, kept));
    const large: number[] = [];
    if (this.#rule?.decimals === undefined)
      this.#eachUnfit(rowCount, (_, place) => large.push(place));
    if (large.length === 0) return listOf(this.#buildInt(rowCount, kept));
    const whole = this.#takeLarge(large);
    return [...listOf(this.#buildInt(rowCount, kept)), ...whole.build(rowCount, kept)];
  }

  /** Moves integers to a separate column, which has no decimals. */
  #takeLarge(places: readonly number[]): ColumnBuilder {
    const whole = new ColumnBuilder(this.name, this.#rule);
    for (const place of places) {
      whole.writeInteger(this.#ints.rowAt(place), this.#ints.bigs[place]!);
      this.#ints.present[place] = 0;
    }
    return whole;
  }

  #eachUnfit(rowCount: number, unfit: (row: number, place: number) => void): void {
    const { bigs, present, scaled } = this.#ints;
    if (scaled === null) return;
    const scalableMax = this.#scalableMax;
    const end = this.#ints.placeCount(rowCount);
    for (let place = 0; place < end; place++) {
      if (present[place] === 0 || scaled[place] === 1) continue;
      const value = bigs[place]!;
      if (value >= -scalableMax && value <= scalableMax) continue;
      if (scaleInteger(value, this.decimals) === null) unfit(this.#ints.rowAt(place), place);
    }
  }

  #takes(type: ColumnType): boolean {
    this.type ??= type;
    return this.type === type;
  }

  #other(type: ColumnType): ColumnBuilder {
    let other = this.#others.get(type);
    if (other === undefined) {
      other = new ColumnBuilder(this.name, this.#rule);
      this.#others.set(type, other);
    }
    return other;
  }

  /** The codes of lists, by their bytes as sent. */
  #findLists({ count, bytes, ends, hashes }: HashedTexts, codes: Uint32Array): void {
    const view = viewOf(bytes);
    for (let i = 0, start = 0; i < count; start = ends[i++]!)
      codes[i + 1] = this.#sentCode(view, start, ends[i]!, hashes[i]!);
  }

  #sentCode(bytes: DataView, start: number, end: number, hash: number): number {
    const known = this.listCodeOf(bytes, start, end, hash);
    if (known > 0) return known;
    const list = parseElements(textOf(bytes, start, end));
    const code = this.#internText(printList(list.type, list.elements));
    this.#sentCodes[this.#ownLists().intern(bytes, start, end, hash)] = code;
    return code;
  }

  #buildInt(rowCount: number, kept: Uint32Array | null): BatchColumn | null {
    const { name } = this;
    const ints = this.#ints;
    const count = ints.countValues(rowCount);
    if (count === 0) return null;
    const decimals = ints.scaled === null ? 0 : this.decimals;
    const form = { name, type: "int", decimals, ...setForm(this.#rule, "int") } as const;
    if (kept === null && ints.isDense && ints.scaled === null && !isSparse(count, rowCount)) {
      const end = ints.placeCount(rowCount);
      if (count === rowCount) return { ...form, values: ints.bigs.slice(0, end), present: null };
      const values = new BigInt64Array(rowCount);
      const present = new Uint8Array(rowCount);
      values.set(ints.bigs.subarray(0, end));
      present.set(ints.present.subarray(0, end));
      return { ...form, values, present };
    }
    const keptCount = kept?.length ?? rowCount;
    const { places, rows } = ints.listValues(rowCount, kept);
    if (places.length === 0) return null;
    if (isSparse(places.length, keptCount)) {
      const values = createInt64(places.length);
      for (let i = 0; i < places.length; i++) values[i] = this.#valueAt(places[i]!);
      return sparseColumn({ ...form, values, present: null }, copyUint32(rows));
    }
    const values = new BigInt64Array(keptCount);
    const present = places.length === keptCount ? null : new Uint8Array(keptCount);
    for (let i = 0; i < places.length; i++) {
      values[rows[i]!] = this.#valueAt(places[i]!);
      if (present !== null) present[rows[i]!] = 1;
    }
    return { ...form, values, present };
  }

  #valueAt(place: number): bigint {
    const { bigs, scaled } = this.#ints;
    const value = bigs[place]!;
    if (scaled === null || scaled[place] === 1) return value;
    const scale = this.#scale;
    const scalableMax = this.#scalableMax;
    if (value >= -scalableMax && value <= scalableMax) return BigInt(Number(value) * scale);
    return value * BigInt(scale);
  }

  #buildCoded(type: CodedType, rowCount: number, kept: Uint32Array | null): BatchColumn | null {
    const keptCount = kept?.length ?? rowCount;
    const { codes: own } = this.#codes;
    if (kept === null && this.#codes.isDense && !this.#isFew(rowCount)) {
      const codes = new Uint32Array(rowCount);
      codes.set(own.subarray(0, this.#codes.placeCount(rowCount)));
      return this.#codedColumn(type, codes, kept);
    }
    const { places, rows } = this.#codes.listValues(rowCount, kept);
    if (places.length === 0) return null;
    if (isSparse(places.length, keptCount)) {
      const codes = createUint32(places.length);
      for (let i = 0; i < places.length; i++) codes[i] = own[places[i]!]!;
      return sparseColumn(this.#codedColumn(type, codes, kept), copyUint32(rows));
    }
    const codes = new Uint32Array(keptCount);
    for (let i = 0; i < places.length; i++) codes[rows[i]!] = own[places[i]!]!;
    return this.#codedColumn(type, codes, kept);
  }

  #isFew(rowCount: number): boolean {
    return isSparse(this.#codes.countValues(rowCount), rowCount);
  }

  #codedColumn(type: CodedType, codes: Uint32Array, kept: Uint32Array | null): CodedBatchColumn {
    const set = setForm(this.#rule, type);
    if (kept === null) {
      return codedColumn({ name: this.name, type, ...set }, this.#dictionary.encodeAll(), codes);
    }
    const used = dropUnused(this.#strings(), codes);
    return { name: this.name, type, dictionary: used, codes, ...set };
  }

  #writeCode(row: number, text: string): void {
    this.writeKnown(row, this.#internText(text));
  }

  #internText(text: string): number {
    let code = this.#codesByText.get(text);
    if (code === undefined) {
      code = this.#ownDictionary().internText(text);
      this.#codesByText.set(text, code);
    }
    return code;
  }

  #strings(): string[] {
    const { text, lengths } = this.#dictionary.encodeAll();
    return decodeStrings(text, lengths);
  }

  #ownDictionary(): ByteDictionary {
    if (this.#dictionary === noStrings) this.#dictionary = new ByteDictionary();
    return this.#dictionary;
  }

  #ownLists(): ByteDictionary {
    if (this.#sentLists === noStrings) this.#sentLists = new ByteDictionary();
    return this.#sentLists;
  }

  #growNumbered({ before, count }: HashedTexts): void {
    const wanted = before + count + 1;
    if (wanted <= this.#numberedCodes.length) return;
    const codes = new Uint32Array(2 * wanted);
    codes.set(this.#numberedCodes.subarray(0, before + 1));
    this.#numberedCodes = codes;
  }
}

function listOf(column: BatchColumn | null): BatchColumn[] {
  return column === null ? [] : [column];
}
