import type { BinaryForm } from "@hadal/sdk";
import type { Data, DataType, Decimal, FixedSizeList, Timestamp } from "apache-arrow";
import { hashBytes, hashSeed } from "../../../base/bytes/byteDictionary.js";
import type { ArrowLibrary } from "../../../base/format/arrowLibrary.js";
import { compareCodePoints } from "../../../base/text/codePointOrder.js";
import { elementText } from "../../column/cellChecks.js";
import type { ColumnBuilder } from "../../column/columnBuilder.js";
import type { PathNode } from "../../column/rowPath.js";
import { createListKey, type ListKey } from "./arrowListKey.js";
import { openDates, openDecimals, openNumbers, openTimestamps } from "./arrowNumbers.js";
import { brokenArrow, unstoredType } from "./arrowProblems.js";
import { type ArrowCells, expectLength, presenceOf, writeKeyRows } from "./arrowRows.js";
import { type ArrowStrings, isBinary, openStrings, type ReadBudget } from "./arrowStrings.js";
import { buildBits, buildKeyed, buildTexts, KeyedTexts } from "./runStrings.js";

/**
 * Codes of a dictionary's values are remembered in an array up to this size, and not much larger
 * than the batch, beyond in a Map.
 */
const denseCodesMax = 65_536;
const denseCodesPerRow = 8;
const denseCodesLeast = 256;
/** Bytes of a list's element while its row is read, without its text. */
const elementBytes = 8;
/** Bytes of a dictionary's part while a batch is read. */
const pieceBytes = 64;

/** What reading one body needs beside its columns. */
export interface ArrowContext {
  readonly arrow: ArrowLibrary;
  readonly budget: ReadBudget;
  /** What becomes of columns of bytes. */
  readonly binary: BinaryForm;
  /**
   * Dictionaries that are open, by their first piece and by column: the next batch's have the same
   * pieces, and more.
   */
  readonly dictionaries: WeakMap<Data<DataType>, Map<string, DictionaryValues>>;
  /** Values of dictionaries that were looked at whole; null: they are read one by one. */
  readonly keyedTexts: WeakMap<Data<DataType>, KeyedTexts | null>;
}

const missingCells: ArrowCells = {
  value: () => null,
  write: () => undefined,
  writeRows: () => undefined,
};

/**
 * Opens a column; throws where its buffers are shorter than its length says, or its type cannot be
 * stored.
 */
export function openCells(context: ArrowContext, data: Data<DataType>, node: PathNode): ArrowCells {
  const { arrow } = context;
  const { DataType: is } = arrow;
  const { type } = data;
  // All values are missing: no bitmap is needed.
  if (is.isNull(type)) return missingCells;
  const presentBits = (data.nullBitmap?.length ?? 0) * 8;
  if (data.nullCount > 0 && presentBits < data.length) throw brokenArrow(node.name);
  if (is.isInt(type) || is.isFloat(type)) return openNumbers(arrow, data, node);
  if (is.isDecimal(type)) return openDecimals(data as Data<Decimal>, node);
  if (is.isTimestamp(type)) return openTimestamps(data as Data<Timestamp>, node);
  if (is.isDate(type)) return openDates(data, node);
  if (is.isBool(type)) {
    expectLength(data.values.length * 8, data, node);
    const bits = data.values as Uint8Array;
    const cells = textCells(data, (row) => String((bits[row >> 3]! & (1 << (row & 7))) !== 0));
    return { ...cells, buildRun: buildBits(data, bits) };
  }
  if (is.isDictionary(type)) return openDictionary(context, data, node);
  if (is.isList(type) || is.isFixedSizeList(type) || is.isLargeList(type)) {
    return openLists(context, data, node);
  }
  const strings = openStrings(context, data, node.name);
  if (strings === null) throw unstoredType(node.name, type);
  if (context.binary === "hex" && isBinary(arrow, type))
    return textCells(data, (row) => hexOf(strings, row, context.budget));
  const cells = stringCells(data, strings, node);
  const { consecutive } = strings;
  if (consecutive === undefined) return cells;
  return { ...cells, buildRun: buildTexts(data, consecutive, context.budget) };
}

function textCells(data: Data<DataType>, read: (row: number) => string): ArrowCells {
  const value = (row: number): string | null => (data.getValid(row) ? read(row) : null);
  return {
    value,
    write(builder, row, at) {
      const text = value(row);
      if (text !== null) builder.writeString(at, text);
    },
  };
}

function hexOf(strings: ArrowStrings, row: number, budget: ReadBudget): string {
  const { bytes, start, end } = strings.spanOf(row);
  budget.take(2 * (end - start));
  return Buffer.from(bytes.subarray(start, end)).toString("hex");
}

function stringCells(data: Data<DataType>, strings: ArrowStrings, node: PathNode): ArrowCells {
  const isPresent = presenceOf(data);
  return {
    value: (row) => (isPresent(row) ? strings.text(row, node) : null),
    write(builder, row, at) {
      if (isPresent(row)) strings.write(builder, row, at, node);
    },
  };
}

/** Each value of the dictionary is looked at once for a batch of rows. */
function openDictionary(context: ArrowContext, data: Data<DataType>, node: PathNode): ArrowCells {
  expectLength(data.values.length, data, node);
  const values = openValues(context, data.dictionary?.data ?? [], node);
  const keys = data.values as Exclude<typeof data.values, undefined>;
  const keyOf = (row: number): number => {
    const key = Number(keys[row]);
    if (key >= 0 && key < values.count) return key;
    throw brokenArrow(node.name);
  };
  const isPresent = presenceOf(data);
  let builderBefore: ColumnBuilder | null = null;
  let codes = createCodes(0, 0);
  const codesFor = (builder: ColumnBuilder): CodeMemory => {
    if (builder !== builderBefore) {
      builderBefore = builder;
      codes = createCodes(values.count, data.length);
    }
    return codes;
  };
  const write = (builder: ColumnBuilder, row: number, at: number): void => {
    if (!isPresent(row)) return;
    const own = codesFor(builder);
    const key = keyOf(row);
    const known = own.get(key);
    if (known > 0) {
      builder.writeKnown(at, known);
      return;
    }
    const { cells, isPresent: isValue, start } = values.pieceOf(key);
    cells.write(builder, key - start, at);
    // A value that is missing has written nothing.
    if (isValue(key - start)) own.set(key, builder.codeAt(at));
  };
  return {
    value(row) {
      if (!isPresent(row)) return null;
      const key = keyOf(row);
      const { cells, start } = values.pieceOf(key);
      return cells.value(key - start);
    },
    write,
    writeRows: writeKeyRows(keys, isPresent, (builder) => codesFor(builder).dense, write),
    ...buildByKeys(context, data, node),
  };
}

function buildByKeys(
  context: ArrowContext,
  data: Data<DataType>,
  node: PathNode,
): Pick<ArrowCells, "buildRun"> {
  const { arrow, budget, binary } = context;
  const pieces = data.dictionary?.data ?? [];
  const [piece] = pieces;
  const keys = data.values as Exclude<typeof data.values, undefined>;
  const isSmall = piece !== undefined && !isLargeDictionary(piece.length, data.length);
  if (!isSmall || pieces.length > 1 || keys instanceof BigInt64Array) return {};
  if (isBinary(arrow, piece.type) && binary === "hex") return {};
  const texts = (): KeyedTexts | null => keyedTextsOf(context, piece, node);
  return { buildRun: buildKeyed(data, keys as Int32Array, { texts, budget }) };
}

function keyedTextsOf(
  context: ArrowContext,
  piece: Data<DataType>,
  node: PathNode,
): KeyedTexts | null {
  const known = context.keyedTexts.get(piece);
  if (known !== undefined) return known;
  const texts = openStrings(context, piece, node.name)?.consecutive;
  const opened = texts === undefined ? null : KeyedTexts.open(piece, texts);
  context.keyedTexts.set(piece, opened);
  return opened;
}

/** A run of a dictionary's values, from one message. */
interface DictionaryPiece {
  readonly cells: ArrowCells;
  readonly isPresent: (index: number) => boolean;
  readonly start: number;
  readonly end: number;
}

/** Deltas are pieces of one dictionary. */
class DictionaryValues {
  readonly #pieces: DictionaryPiece[] = [];
  #last: Data<DataType> | null = null;

  get count(): number {
    return this.#pieces.at(-1)?.end ?? 0;
  }

  /** Whether what it has is how these begin. */
  begins(pieces: readonly Data<DataType>[]): boolean {
    return pieces[this.#pieces.length - 1] === this.#last;
  }

  open(context: ArrowContext, pieces: readonly Data<DataType>[], node: PathNode): void {
    for (const piece of pieces.slice(this.#pieces.length)) {
      context.budget.take(pieceBytes);
      const [start, cells] = [this.count, openCells(context, piece, node)];
      this.#pieces.push({ cells, isPresent: presenceOf(piece), start, end: start + piece.length });
      this.#last = piece;
    }
  }

  pieceOf(key: number): DictionaryPiece {
    let [from, to] = [0, this.#pieces.length - 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (key < this.#pieces[middle]!.end) to = middle;
      else from = middle + 1;
    }
    return this.#pieces[from]!;
  }
}

function openValues(
  context: ArrowContext,
  pieces: readonly Data<DataType>[],
  node: PathNode,
): DictionaryValues {
  const [first] = pieces;
  if (first === undefined) throw brokenArrow(node.name);
  const { dictionaries } = context;
  const byColumn = dictionaries.get(first) ?? new Map<string, DictionaryValues>();
  dictionaries.set(first, byColumn);
  const known = byColumn.get(node.name);
  const values = known?.begins(pieces) === true ? known : new DictionaryValues();
  byColumn.set(node.name, values);
  values.open(context, pieces, node);
  return values;
}

interface CodeMemory {
  /** By key; null where they are too many. */
  readonly dense: Uint32Array | null;
  get(key: number): number;
  set(key: number, code: number): void;
}

function isLargeDictionary(count: number, rowCount: number): boolean {
  return count > Math.min(denseCodesMax, denseCodesPerRow * rowCount + denseCodesLeast);
}

function createCodes(count: number, rowCount: number): CodeMemory {
  if (isLargeDictionary(count, rowCount)) {
    const codes = new Map<number, number>();
    return {
      dense: null,
      get: (key) => codes.get(key) ?? 0,
      set: (key, code) => void codes.set(key, code),
    };
  }
  const codes = new Uint32Array(count);
  return {
    dense: codes,
    get: (key) => codes[key]!,
    set(key, code) {
      codes[key] = code;
    },
  };
}

/** Lists of values that are no lists or structs; vectors, or sets where the field is marked so. */
function openLists(context: ArrowContext, data: Data<DataType>, node: PathNode): ArrowCells {
  const [child] = data.children;
  if (child === undefined) throw brokenArrow(node.name);
  const elements = openCells(context, child, node);
  const strings = openStrings(context, child, node.name);
  const isText = strings !== null && !isBinary(context.arrow, child.type);
  const key = isText ? createListKey(strings, child) : null;
  const offsets = data.valueOffsets as Int32Array | BigInt64Array | undefined;
  const size = context.arrow.DataType.isFixedSizeList(data.type)
    ? (data.type as FixedSizeList).listSize
    : null;
  if (size === null) expectLength((offsets?.length ?? 0) - 1, data, node);
  const startOf = (row: number): number => (size === null ? Number(offsets![row]) : row * size);
  const endOf = (row: number): number =>
    size === null ? Number(offsets![row + 1]) : (row + 1) * size;
  const value = (row: number): string[] | null => {
    if (!data.getValid(row)) return null;
    const [start, end] = [startOf(row), endOf(row)];
    if (start < 0 || start > end || end > child.length) throw brokenArrow(node.name);
    context.budget.take((1 + end - start) * elementBytes);
    const texts: string[] = [];
    for (let i = start; i < end; i++) {
      texts.push(elementText(elements.value(i), i - start, node));
    }
    return texts;
  };
  const keyOf = (key: ListKey, row: number): number => {
    const [start, end] = [startOf(row), endOf(row)];
    return start < 0 || start > end || end > child.length ? 0 : key.write(start, end);
  };
  return {
    value,
    write(builder, row, at) {
      const keyBytes = key === null || !data.getValid(row) ? 0 : keyOf(key, row);
      const hash = keyBytes === 0 ? 0 : hashBytes(key!.view, 0, keyBytes, hashSeed);
      const known = keyBytes === 0 ? 0 : builder.listCodeOf(key!.view, 0, keyBytes, hash);
      if (known > 0) {
        // As much as reading it would: a key has four bytes less for each element.
        const count = endOf(row) - startOf(row);
        context.budget.take(keyBytes + elementBytes + count * (elementBytes - 4));
        builder.writeKnown(at, known);
        return;
      }
      const texts = value(row);
      if (texts === null) return;
      const isSet = node.listType === "set";
      const stored = isSet ? [...new Set(texts)].sort(compareCodePoints) : texts;
      const type = isSet ? "set" : "vector";
      const isKnown = builder.writeList(at, type, JSON.stringify(stored));
      if (isKnown && keyBytes > 0) builder.rememberList(at, key!.view, 0, keyBytes, hash);
    },
  };
}
