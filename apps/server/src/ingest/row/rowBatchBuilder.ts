import type { JsonRows, RowLayout } from "@hadal/kernel-wasm";
import { timeColumn } from "@hadal/sdk";
import { hashSeed } from "../../base/bytes/byteDictionary.js";
import { emptyBytes, textOf } from "../../base/bytes/byteView.js";
import {
  type BatchColumn,
  batchRowsMax,
  columnsMax,
  type RowBatch,
} from "../../base/row/rowBatch.js";
import { checkSampleRate, checkUnicode, elementText, nameOf } from "../column/cellChecks.js";
import { ColumnBuilder } from "../column/columnBuilder.js";
import { type ColumnRules, noRules } from "../column/columnRule.js";
import { growthFor } from "../column/rowBlock.js";
import { createPath, createRoot, type PathNode } from "../column/rowPath.js";
import { decimalsOf, toRuledValue } from "../column/ruledValue.js";
import { type CellKind, WaitingCells } from "../column/waitingCells.js";
import { jsonDepthMax } from "../value/exactJson.js";
import { isString, parseList, printList } from "../value/listText.js";
import { NumberText, readNumberText, scaleFraction } from "../value/numberText.js";
import { quote, RowRejected } from "../value/rowRejected.js";
import { readRowTime } from "../value/rowTime.js";
import { anyMs, type TimeRule } from "../value/timeRule.js";
import { type KernelShape, shapeOf } from "./kernelShape.js";
import { PlainRowReader, type PlainRowSink } from "./plainRow.js";
import { missingTime, outOfRange } from "./rowProblems.js";
import { findUnfitRows, rowsWithout, type UnfitRow } from "./unfitRows.js";

/**
 * Rows × columns of one batch: a leaf's columns have room for every row, which at 8 bytes stays
 * under 40 MB.
 */
const batchCellsMax = 4_194_304;
/** Some megabytes at most: only lists that repeat gain by being remembered. */
const listTextsMax = 10_000;

export interface BuiltBatch {
  readonly batch: RowBatch;
  readonly unfit: readonly UnfitRow[];
}

/**
 * Builds one batch, column by column. A row is read whole into waiting cells first and only then
 * written, so that a refused row leaves no trace: no column, no type, no dictionary entry.
 */
export class RowBatchBuilder implements PlainRowSink {
  readonly #timeName: string;
  readonly #rules: ColumnRules;
  readonly #timeRule: TimeRule;
  #rowCount = 0;
  #times = new Float64Array(1024);
  #columns = new Map<string, ColumnBuilder>();
  #root = createRoot();
  #plainRows = new PlainRowReader(this.#root, this);
  readonly #cells = new WaitingCells();
  /** The bytes of the row being read, where it is read from bytes. */
  #rowBytes: DataView = emptyBytes;
  /** The stored text of lists of strings seen before, by type and JSON text as sent. */
  readonly #listTexts = new Map<string, string>();
  #rowTime = Number.NaN;
  #newColumns: ColumnBuilder[] = [];
  #newNodes = 0;
  #shape: KernelShape | null = null;

  constructor(
    timeName: string = timeColumn,
    rules: ColumnRules = noRules,
    timeRule: TimeRule = anyMs,
  ) {
    this.#timeName = timeName;
    this.#rules = rules;
    this.#timeRule = timeRule;
  }

  get size(): number {
    return this.#rowCount;
  }

  /** Rows that the batch still takes, if no more columns come. */
  get room(): number {
    const rowsMax = Math.min(batchRowsMax, Math.floor(batchCellsMax / this.#columns.size));
    return rowsMax - this.#rowCount;
  }

  /** Adds a row; false when the batch is full and must be finished first. Throws RowRejected. */
  add(row: object): boolean {
    if (this.#rowCount >= batchRowsMax) return false;
    this.#startRow();
    try {
      this.#readObject(row, this.#root, 1);
      if (Number.isNaN(this.#rowTime)) throw missingTime(row, this.#timeName);
    } catch (error) {
      this.#forgetNewColumns();
      throw error;
    }
    return this.#endRow();
  }

  /**
   * Adds a row from the bytes of its line, where that is plain (see {@link PlainRowReader}): many
   * times as fast as from an object. Returns where the next line starts; -1: it was not added, and
   * `add` decides whether the row is valid.
   */
  addPlain(bytes: DataView, start: number): number {
    if (this.#rowCount >= batchRowsMax) return -1;
    this.#startRow(bytes);
    try {
      const end = this.#plainRows.read(bytes, start);
      if (end > 0 && !Number.isNaN(this.#rowTime)) return this.#endRow() ? end : -1;
    } catch (error) {
      if (!(error instanceof RowRejected)) throw error;
    }
    this.#forgetNewColumns();
    return -1;
  }

  /**
   * Adds the rows that the kernel can read of its loaded bytes, from `from` on, with the same
   * result as `add`. Returns how many; `json.next` is where the next row starts.
   */
  addRows(json: JsonRows, from: number, layout: RowLayout): number {
    const { room } = this;
    if (this.#rowCount === 0 || room <= 0) return 0;
    this.#shape = shapeOf(this.#root, this.#shape, this.#timeRule);
    if (this.#shape === null || !json.setPlaces(this.#shape.places)) return 0;
    const rows = json.read(from, this.#shape.time, room, layout);
    if (rows > 0) this.#writeRows(rows, this.#shape, json);
    return rows;
  }

  /** The batch of the rows added; the builder is empty afterwards. */
  finish(): BuiltBatch {
    const unfit = findUnfitRows(this.#columns.values(), this.#rowCount);
    const kept = unfit.length === 0 ? null : rowsWithout(unfit, this.#rowCount);
    const columns: BatchColumn[] = [];
    for (const column of this.#columns.values()) {
      columns.push(...column.build(this.#rowCount, kept));
    }
    const times =
      kept === null
        ? this.#times.slice(0, this.#rowCount)
        : Float64Array.from(kept, (row) => this.#times[row]!);
    this.#rowCount = 0;
    this.#columns = new Map();
    this.#forgetPaths();
    return { batch: { rowCount: times.length, times, columns }, unfit };
  }

  #startRow(bytes?: DataView): void {
    this.#cells.start(bytes);
    if (bytes !== undefined) this.#rowBytes = bytes;
    this.#rowTime = Number.NaN;
    this.#newNodes = 0;
  }

  #endRow(): boolean {
    if (this.#rowCount > 0 && this.#columns.size * (this.#rowCount + 1) > batchCellsMax) {
      this.#forgetNewColumns();
      return false;
    }
    this.#newColumns.length = 0;
    this.#timeRule.forms?.keep();
    this.#writeRow();
    return true;
  }

  #readObject(object: object, node: PathNode, depth: number): void {
    if (depth > jsonDepthMax) {
      throw new RowRejected(
        "too-deep",
        `Nested deeper than ${jsonDepthMax} levels (jsonDepthMax).`,
      );
    }
    const names = Object.keys(object);
    const values = Object.values(object);
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const child = node.children.get(name) ?? this.#createChild(node, name);
      this.#readValue(values[i], child, depth);
    }
  }

  /** Takes a number, boolean or null. */
  plainValue(value: number | boolean | null, node: PathNode): void {
    const { column } = node;
    if (column !== null && node.role === "column" && Number.isSafeInteger(value))
      this.#cells.put(column, "integer", value as number);
    else this.#readValue(value, node, 1);
  }

  /** Takes a string without escapes and control characters. */
  plainString(start: number, end: number, hash: number, node: PathNode): void {
    if (node.role !== "column") {
      this.#readValue(textOf(this.#rowBytes, start, end), node, 1);
      return;
    }
    const column = node.column ?? this.#createColumn(node);
    const code = column.plainCodeOf(this.#rowBytes, start, end, hash);
    if (code > 0) this.#cells.putKnown(column, code);
    else this.#cells.putPlain(column, start, end, hash);
  }

  /**
   * Takes a list, or an object with a `$set`, as JSON text without escapes; false: it may have
   * other values than strings.
   */
  plainList(start: number, end: number, hash: number, node: PathNode): boolean {
    const known = node.role === "column" ? node.column : null;
    const code = known?.listCodeOf(this.#rowBytes, start, end, hash) ?? 0;
    if (known !== null && code > 0) {
      this.#cells.putKnown(known, code);
      return true;
    }
    const list = parseList(textOf(this.#rowBytes, start, end));
    // Numbers need the exact parser.
    if (list === null || node.role !== "column") return false;
    const at = this.#readList(list.elements, node, list.type);
    this.#cells.setSent(at, start, end, hash);
    return true;
  }

  #readValue(value: unknown, node: PathNode, depth: number): void {
    if (node.role !== "column") {
      if (node.role === "time") {
        this.#rowTime = value === null ? Number.NaN : readRowTime(value, node.name, this.#timeRule);
        return;
      }
      if (node.role === "ruled") {
        this.#readPlain(toRuledValue(value, node), node, depth);
        return;
      }
      checkSampleRate(value);
    }
    this.#readPlain(value, node, depth);
  }

  #readPlain(value: unknown, node: PathNode, depth: number): void {
    if (typeof value === "string") this.#readString(value, node);
    else if (typeof value === "number") this.#readNumber(value, node);
    else if (typeof value === "boolean") this.#wait(node, "string", value ? "true" : "false");
    else if (value === null) this.#skip(node);
    else if (Array.isArray(value)) this.#readList(value, node, "vector");
    else if (value instanceof NumberText) this.#readNumberText(value.text, node);
    else this.#readNested(value as object, node, depth);
  }

  #readNested(object: object, node: PathNode, depth: number): void {
    if (!Object.hasOwn(object, "$set")) {
      this.#readObject(object, node, depth + 1);
      return;
    }
    const elements = (object as Record<string, unknown>).$set;
    if (!Array.isArray(elements) || Object.keys(object).length > 1) {
      throw new RowRejected(
        "list-invalid",
        `${nameOf(node)} has \`$set\`; a set is written {"$set": ["a", "b"]} and nothing beside it.`,
      );
    }
    this.#readList(elements, node, "set");
  }

  #readString(text: string, node: PathNode): void {
    const code = node.column?.codeOf(text) ?? 0;
    if (code > 0) {
      this.#wait(node, "known", code);
      return;
    }
    checkUnicode(text, node);
    this.#wait(node, "string", text);
  }

  #readNumber(x: number, node: PathNode): void {
    if (Number.isSafeInteger(x)) {
      this.#wait(node, "integer", x);
      return;
    }
    if (!Number.isFinite(x)) throw outOfRange(node, x);
    const scaled = scaleFraction(x, decimalsOf(node));
    if (scaled === null) this.#readNumberText(String(x), node);
    else this.#wait(node, "fraction", scaled);
  }

  #readNumberText(text: string, node: PathNode): void {
    const stored = readNumberText(text, decimalsOf(node));
    if (stored === null) {
      throw outOfRange(node, new NumberText(text));
    }
    if (stored.fraction) this.#wait(node, "fraction", stored.value);
    else this.#wait(node, "integer", stored.value);
  }

  /** Returns the place of the waiting cell. */
  #readList(elements: readonly unknown[], node: PathNode, type: "set" | "vector"): number {
    // Lists repeat: the same strings are checked once.
    const sent = elements.every(isString) ? type + JSON.stringify(elements) : "";
    let text = this.#listTexts.get(sent);
    if (text === undefined) {
      text = printList(
        type,
        elements.map((element, i) => elementText(element, i, node)),
      );
      if (sent !== "" && this.#listTexts.size < listTextsMax) this.#listTexts.set(sent, text);
    }
    return this.#wait(node, type, text);
  }

  /** A missing value removes an earlier value of the same name in the row: the last one counts. */
  #skip(node: PathNode): void {
    if (node.column !== null) this.#cells.remove(node.column);
  }

  #wait(node: PathNode, kind: CellKind, value: number | bigint | string): number {
    return this.#cells.put(node.column ?? this.#createColumn(node), kind, value);
  }

  #writeRow(): void {
    const row = this.#rowCount++;
    if (row >= this.#times.length) this.#growTimes();
    this.#times[row] = this.#rowTime;
    this.#cells.write(row);
  }

  #writeRows(rows: number, { nodes, time }: KernelShape, json: JsonRows): void {
    const { cells } = json;
    const first = this.#rowCount;
    this.#rowCount += rows;
    while (this.#rowCount > this.#times.length) this.#growTimes();
    const { halves } = cells[time]!;
    for (let i = 0; i < rows; i++)
      this.#times[first + i] = halves[2 * i + 1]! * 4_294_967_296 + (halves[2 * i]! >>> 0);
    const block = { first, rows, growth: growthFor(rows, this.#columns.size) };
    for (const [i, { column }] of nodes.entries()) {
      if (column === null || cells[i]!.missing === rows) continue;
      if (column.type === "int") column.writeNumbers(block, cells[i]!);
      else column.writeTexts(block, cells[i]!, json.packTexts(i, hashSeed));
    }
  }

  #growTimes(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times);
    this.#times = times;
  }

  #createChild(parent: PathNode, key: string): PathNode {
    const node = createPath(parent, key, { timeName: this.#timeName, rules: this.#rules });
    this.#newNodes++;
    node.column = this.#columns.get(node.name) ?? null;
    return node;
  }

  #createColumn(node: PathNode): ColumnBuilder {
    let column = this.#columns.get(node.name);
    if (column === undefined) {
      if (this.#columns.size >= columnsMax) {
        throw new RowRejected(
          "too-many-columns",
          `Column ${quote(node.name)} is one more than the ${columnsMax} that a batch may have (columnsMax).`,
        );
      }
      column = new ColumnBuilder(node.name, node.rule);
      this.#columns.set(node.name, column);
      this.#newColumns.push(column);
    }
    node.column = column;
    return column;
  }

  #forgetNewColumns(): void {
    for (const column of this.#newColumns) this.#columns.delete(column.name);
    // The paths too: they may lead to columns that are gone.
    if (this.#newNodes > 0 || this.#newColumns.length > 0) this.#forgetPaths();
    this.#newColumns.length = 0;
  }

  #forgetPaths(): void {
    this.#shape = null;
    this.#root = createRoot();
    this.#plainRows = new PlainRowReader(this.#root, this);
  }
}
