import { cell, type HashedTexts, type JsonCells } from "@hadal/kernel-wasm";
import { type ColumnType, decimalsDefault } from "@hadal/sdk";
import { ByteDictionary } from "../base/byteDictionary.js";
import { textOf, viewOf } from "../base/byteView.js";
import { codedColumn } from "../base/codedColumn.js";
import type { BatchColumn } from "../base/rowBatch.js";
import { decodeStrings } from "../base/stringList.js";
import { BatchArrays } from "./batchArrays.js";
import { type ColumnRule, setForm } from "./columnRule.js";
import { parseElements, printList } from "./listText.js";
import { scaleInteger } from "./numberText.js";
import { dropUnused } from "./usedStrings.js";

type CodedType = Exclude<ColumnType, "int">;

const capacityFirst = 256;
/** So many rows at once are of a batch that will be large. */
const manyRows = 512;
const bigArrays = new BatchArrays((length) => new BigInt64Array(length), 0n);
const codeArrays = new BatchArrays((length) => new Uint32Array(length));
const presentArrays = new BatchArrays((length) => new Uint8Array(length));

/**
 * Gathers one column of a batch. Every value keeps the type that it came with, whatever other rows hold: those of another
 * type than the first are gathered beside it, and the batch has a column of that name for each type.
 */
export class ColumnBuilder {
  /** Book-keeping of the row builder: the last row that named this column, and where its cell waits. */
  rowStamp = -1;
  cellIndex = -1;

  /** That of its first value. */
  type: ColumnType | null = null;
  /** Values of other types. */
  private readonly others = new Map<ColumnType, ColumnBuilder>();
  private halves = new Int32Array(0);
  private bigs = new BigInt64Array(0);
  private present = new Uint8Array(0);
  /** 1 where the value is trunc(x · 10^decimals) already; null while all are whole and may stay so. */
  private scaled: Uint8Array | null = null;
  /** Digits behind the point once there are fractions, */
  readonly decimals: number;
  /** their scale, and up to where an integer times that is safe in a double. */
  private readonly scale: number;
  private readonly scalableMax: number;
  private codes = new Uint32Array(0);
  private dictionary = new ByteDictionary();
  /** Codes of the strings that came as such, which spares turning them into bytes again. */
  private codesByText = new Map<string, number>();
  /** Codes of lists by the bytes they were sent as. */
  private readonly sentLists = new ByteDictionary();
  private readonly sentCodes: number[] = [0];
  /** Codes of texts by the numbers that the kernel gave them. */
  private numberedCodes = new Uint32Array(0);

  constructor(
    readonly name: string,
    private readonly rule: ColumnRule | null = null,
  ) {
    this.decimals = rule?.decimals ?? decimalsDefault;
    this.scale = 10 ** this.decimals;
    this.scalableMax = Math.floor(Number.MAX_SAFE_INTEGER / this.scale);
    // Decimals that were set hold for whole numbers too.
    if (rule?.decimals !== undefined) this.scaled = new Uint8Array(0);
  }

  /** The code under which a column of strings knows this one, hence known to be well-formed; 0 when it does not. */
  codeOf(text: string): number {
    return this.type === "string" ? (this.codesByText.get(text) ?? 0) : 0;
  }

  /** The code of the string that was written last as the cell of this row; 0 when the column is not one of strings. */
  codeAt(row: number): number {
    return this.type === "string" ? this.codes[row]! : 0;
  }

  /** As {@link codeOf}, for the string that bytes[start, end) hold. */
  plainCodeOf(bytes: DataView, start: number, end: number, hash: number): number {
    return this.type === "string" ? this.dictionary.find(bytes, start, end, hash) : 0;
  }

  /** The code of a list by the bytes it was sent as; 0 when it was not seen yet. Widening to a list keeps codes. */
  listCodeOf(bytes: DataView, start: number, end: number, hash: number): number {
    return this.sentCodes[this.sentLists.find(bytes, start, end, hash)]!;
  }

  /** Writes a code that one of the above told. */
  writeKnown(row: number, code: number): void {
    if (row >= this.codes.length) this.growCodes(row);
    this.codes[row] = code;
  }

  writeInteger(row: number, value: number | bigint): void {
    if (this.takes("int")) this.writeInt(row, value);
    else this.other("int").writeInteger(row, value);
  }

  /** `scaled` is trunc(x · 10^decimals). */
  writeFraction(row: number, scaled: number | bigint): void {
    if (!this.takes("int")) {
      this.other("int").writeFraction(row, scaled);
      return;
    }
    this.writeInt(row, scaled);
    this.scaled ??= new Uint8Array(this.present.length);
    this.scaled[row] = 1;
  }

  writeString(row: number, text: string): void {
    if (this.takes("string")) this.writeCode(row, text);
    else this.other("string").writeString(row, text);
  }

  /** Writes the string that bytes[start, end) hold. */
  writePlain(row: number, bytes: DataView, start: number, end: number, hash: number): void {
    if (this.type === "string")
      this.writeKnown(row, this.dictionary.intern(bytes, start, end, hash));
    else this.writeString(row, textOf(bytes, start, end));
  }

  /** `text` is the JSON text of the elements. False where other lists than these are told by {@link listCodeOf}. */
  writeList(row: number, type: "set" | "vector", text: string): boolean {
    const isOwn = this.takes(type);
    if (isOwn) this.writeCode(row, text);
    else this.other(type).writeList(row, type, text);
    return isOwn;
  }

  /** The list of this row is to be known again by the bytes it was sent as. */
  rememberList(row: number, bytes: DataView, start: number, end: number, hash: number): void {
    this.sentCodes[this.sentLists.intern(bytes, start, end, hash)] = this.codes[row]!;
  }

  /** Writes the cells of these rows that the kernel read, of a column of integers. */
  writeNumbers(first: number, rows: number, cells: JsonCells): void {
    const { kinds, missing, fractions } = cells;
    const end = first + rows;
    if (end > this.present.length) this.growInts(end - 1, rows);
    if (fractions > 0) this.scaled ??= new Uint8Array(this.present.length);
    const { halves, present, scaled } = this;
    if (missing === 0) {
      halves.set(cells.halves.subarray(0, 2 * rows), 2 * first);
      present.fill(1, first, end);
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

  /** The same of another column, with the texts listed of these cells. */
  writeTexts(first: number, rows: number, cells: JsonCells, texts: HashedTexts): void {
    const end = first + rows;
    if (end > this.codes.length) this.growCodes(end - 1, rows);
    this.growNumbered(texts);
    const codes = this.numberedCodes;
    const { kinds, codes: sent } = cells;
    if (this.type === "string") this.dictionary.internAll(texts, codes.subarray(texts.before));
    else this.findLists(texts, codes.subarray(texts.before));
    const own = this.codes;
    if (cells.missing === 0) for (let i = 0; i < rows; i++) own[first + i] = codes[sent[i]!]!;
    else {
      for (let i = 0; i < rows; i++)
        if (kinds[i] !== cell.missing) own[first + i] = codes[sent[i]!]!;
    }
  }

  /** Marks rows whose integers do not fit 64 bits with the decimals that were set for the column. */
  findUnfit(rowCount: number, unfit: (row: number) => void): void {
    for (const other of this.others.values()) other.findUnfit(rowCount, unfit);
    if (this.type !== "int" || this.rule?.decimals === undefined) return;
    this.eachUnfit(rowCount, unfit);
  }

  /**
   * The columns of the kept rows, one for each type; none when all rows lack it. Integers for which there is no room
   * beside the decimals of others come after these, without any. It is the last that is asked of this one.
   */
  build(rowCount: number, kept: Uint32Array | null): BatchColumn[] {
    const built = this.buildOwn(rowCount, kept);
    this.giveBackArrays();
    for (const other of this.others.values()) built.push(...other.build(rowCount, kept));
    return built;
  }

  private buildOwn(rowCount: number, kept: Uint32Array | null): BatchColumn[] {
    if (this.type === null) return [];
    if (this.type !== "int") return listOf(this.buildCoded(this.type, rowCount, kept));
    const large: number[] = [];
    if (this.rule?.decimals === undefined) this.eachUnfit(rowCount, (row) => large.push(row));
    if (large.length === 0) return listOf(this.buildInt(rowCount, kept));
    const whole = this.takeLarge(rowCount, large);
    return [...listOf(this.buildInt(rowCount, kept)), ...whole.build(rowCount, kept)];
  }

  /** Moves integers to a column of their own, which has no decimals. */
  private takeLarge(rowCount: number, rows: readonly number[]): ColumnBuilder {
    const whole = new ColumnBuilder(this.name, this.rule);
    whole.growInts(rowCount - 1);
    for (const row of rows) {
      whole.writeInteger(row, this.bigs[row]!);
      this.present[row] = 0;
    }
    return whole;
  }

  private eachUnfit(rowCount: number, unfit: (row: number) => void): void {
    if (this.scaled === null) return;
    const { bigs, scalableMax } = this;
    const end = Math.min(rowCount, this.present.length);
    for (let row = 0; row < end; row++) {
      if (this.present[row] === 0 || this.scaled[row] === 1) continue;
      const value = bigs[row]!;
      if (value >= -scalableMax && value <= scalableMax) continue;
      if (scaleInteger(value, this.decimals) === null) unfit(row);
    }
  }

  private takes(type: ColumnType): boolean {
    this.type ??= type;
    return this.type === type;
  }

  private other(type: ColumnType): ColumnBuilder {
    let other = this.others.get(type);
    if (other === undefined) {
      other = new ColumnBuilder(this.name, this.rule);
      this.others.set(type, other);
    }
    return other;
  }

  /** The codes of lists as they were sent. */
  private findLists({ count, bytes, ends, hashes }: HashedTexts, codes: Uint32Array): void {
    const view = viewOf(bytes);
    for (let i = 0, start = 0; i < count; start = ends[i++]!)
      codes[i + 1] = this.sentCode(view, start, ends[i]!, hashes[i]!);
  }

  private sentCode(bytes: DataView, start: number, end: number, hash: number): number {
    const known = this.listCodeOf(bytes, start, end, hash);
    if (known > 0) return known;
    const list = parseElements(textOf(bytes, start, end));
    const code = this.internText(printList(list.type, list.elements));
    this.sentCodes[this.sentLists.intern(bytes, start, end, hash)] = code;
    return code;
  }

  private buildInt(rowCount: number, kept: Uint32Array | null): BatchColumn | null {
    if (kept === null && this.scaled === null && this.isWhole(rowCount)) {
      const values = this.bigs.slice(0, rowCount);
      const { name, rule } = this;
      return { name, type: "int", decimals: 0, values, present: null, ...setForm(rule, "int") };
    }
    const keptCount = kept?.length ?? rowCount;
    const values = new BigInt64Array(keptCount);
    const present = new Uint8Array(keptCount);
    let presentCount = 0;
    if (kept === null && this.scaled === null) {
      const end = Math.min(rowCount, this.present.length);
      values.set(this.bigs.subarray(0, end));
      present.set(this.present.subarray(0, end));
      for (let i = 0; i < end; i++) presentCount += present[i]!;
    } else {
      for (let i = 0; i < keptCount; i++) {
        const row = kept === null ? i : kept[i]!;
        if (row >= this.present.length || this.present[row] === 0) continue;
        present[i] = 1;
        presentCount++;
        values[i] = this.valueAt(row);
      }
    }
    if (presentCount === 0) return null;
    return {
      name: this.name,
      type: "int",
      decimals: this.scaled === null ? 0 : this.decimals,
      values,
      present: presentCount === keptCount ? null : present,
      ...setForm(this.rule, "int"),
    };
  }

  /** Whether every row has a value, of at least one. */
  private isWhole(rowCount: number): boolean {
    if (rowCount === 0 || rowCount > this.present.length) return false;
    const missing = this.present.indexOf(0);
    return missing < 0 || missing >= rowCount;
  }

  private valueAt(row: number): bigint {
    const value = this.bigs[row]!;
    if (this.scaled === null || this.scaled[row] === 1) return value;
    const { scale, scalableMax } = this;
    if (value >= -scalableMax && value <= scalableMax) return BigInt(Number(value) * scale);
    return value * BigInt(scale);
  }

  private buildCoded(
    type: CodedType,
    rowCount: number,
    kept: Uint32Array | null,
  ): BatchColumn | null {
    const keptCount = kept?.length ?? rowCount;
    const codes = new Uint32Array(keptCount);
    if (kept === null) codes.set(this.codes.subarray(0, Math.min(rowCount, this.codes.length)));
    else for (let i = 0; i < keptCount; i++) codes[i] = this.codes[kept[i]!] ?? 0;
    const set = setForm(this.rule, type);
    if (kept === null) return codedColumn(this.name, type, this.dictionary.encodeAll(), codes, set);
    const used = dropUnused(this.strings(), codes);
    return used.length === 0 ? null : { name: this.name, type, dictionary: used, codes, ...set };
  }

  private writeInt(row: number, value: number | bigint): void {
    if (row >= this.present.length) this.growInts(row);
    if (typeof value === "number") {
      this.halves[2 * row] = value | 0;
      this.halves[2 * row + 1] = Math.floor(value / 4_294_967_296);
    } else this.bigs[row] = value;
    this.present[row] = 1;
  }

  private writeCode(row: number, text: string): void {
    this.writeKnown(row, this.internText(text));
  }

  private internText(text: string): number {
    let code = this.codesByText.get(text);
    if (code === undefined) {
      code = this.dictionary.internText(text);
      this.codesByText.set(text, code);
    }
    return code;
  }

  private strings(): string[] {
    const { text, lengths } = this.dictionary.encodeAll();
    return decodeStrings(text, lengths);
  }

  /** What was built is a copy. */
  private giveBackArrays(): void {
    bigArrays.giveBack(this.bigs);
    presentArrays.giveBack(this.present);
    codeArrays.giveBack(this.codes);
    this.bigs = new BigInt64Array(0);
    this.halves = new Int32Array(0);
    this.present = new Uint8Array(0);
    this.codes = new Uint32Array(0);
  }

  private growNumbered({ before, count }: HashedTexts): void {
    const wanted = before + count + 1;
    if (wanted <= this.numberedCodes.length) return;
    const codes = new Uint32Array(2 * wanted);
    codes.set(this.numberedCodes.subarray(0, before + 1));
    this.numberedCodes = codes;
  }

  private growCodes(row: number, rows = 1): void {
    const codes = rows >= manyRows ? codeArrays.take() : new Uint32Array(grownCapacity(row));
    codes.set(this.codes);
    this.codes = codes;
  }

  private growInts(row: number, rows = 1): void {
    const isMany = rows >= manyRows;
    const bigs = isMany ? bigArrays.take() : new BigInt64Array(grownCapacity(row));
    const capacity = bigs.length;
    bigs.set(this.bigs);
    this.bigs = bigs;
    // A safe integer is written as two halves: no BigInt is made for it.
    this.halves = new Int32Array(bigs.buffer);
    const present = isMany ? presentArrays.take() : new Uint8Array(capacity);
    present.set(this.present);
    this.present = present;
    if (this.scaled !== null) {
      const scaled = new Uint8Array(capacity);
      scaled.set(this.scaled);
      this.scaled = scaled;
    }
  }
}

function listOf(column: BatchColumn | null): BatchColumn[] {
  return column === null ? [] : [column];
}

function grownCapacity(row: number): number {
  let capacity = capacityFirst;
  while (capacity <= row) capacity *= 2;
  return capacity;
}
