import { decimalsMax } from "@hadal/sdk";
import type { Data, DataType, Decimal, FixedSizeList, Timestamp } from "apache-arrow";
import type { ArrowLibrary } from "../base/arrowLibrary.js";
import { hashBytes, hashSeed } from "../base/byteDictionary.js";
import { compareCodePoints } from "../base/codePointOrder.js";
import { brokenArrow, unstoredType } from "./arrowFaults.js";
import { createListKey, type ListKey } from "./arrowListKey.js";
import { presenceOf, type WriteRows, writeKeyRows, writeNumberRows } from "./arrowRows.js";
import { type ArrowStrings, openStrings, type ReadBudget } from "./arrowStrings.js";
import { elementText } from "./cellChecks.js";
import type { ColumnBuilder } from "./columnBuilder.js";
import { NumberText, readNumberText, scaleFraction } from "./numberText.js";
import type { PathNode } from "./rowPath.js";
import { quote, RowRejected } from "./rowRejected.js";
import { decimalsOf } from "./ruledValue.js";

/** The cells of one Arrow column within one record batch, by the number of their row there. */
export interface ArrowCells {
  /** The value as a JSON row would have it: null where it is missing. */
  value(row: number): unknown;
  /** Writes what `value` tells as the cell of row `at`; throws RowRejected. */
  write(builder: ColumnBuilder, row: number, at: number): void;
  /** Does so for many rows; absent where `write` is all there is. */
  readonly writeRows?: WriteRows;
}

/** Codes of a dictionary's values are remembered in an array up to this size, beyond in a Map. */
const denseCodesMax = 65_536;
/** Counts of a second per Timestamp unit: s, ms, µs, ns. */
const unitsPerSecond = [1n, 1_000n, 1_000_000n, 1_000_000_000n];
/** Milliseconds with six digits behind the point are nanoseconds. */
const nanosPerSecond = 1_000_000_000n;
const nanosPerMs = 1_000_000n;
const msPerDay = 86_400_000;
const decimalScaleMax = 6;
/** Digits of the widest decimal that Arrow has. */
const scaleMax = 76;
/** What a list's element takes while its row is read, its text aside. */
const elementBytes = 8;
/** What a piece of a dictionary takes while a batch is read. */
const pieceBytes = 64;

/** What reading one body needs beside its columns. */
export interface ArrowContext {
  readonly arrow: ArrowLibrary;
  readonly budget: ReadBudget;
}

/** Opens a column; throws where its buffers do not hold what its length says, or its type is not stored. */
export function openCells(context: ArrowContext, data: Data<DataType>, node: PathNode): ArrowCells {
  const { arrow } = context;
  const { DataType: is } = arrow;
  const { type } = data;
  // All of it is missing, which no bitmap has to say.
  if (is.isNull(type)) return numberCells(data, () => null);
  const presentBits = (data.nullBitmap?.length ?? 0) * 8;
  if (data.nullCount > 0 && presentBits < data.length) throw brokenArrow(node.name);
  if (is.isInt(type) || is.isFloat(type)) return openNumbers(arrow, data, node);
  if (is.isDecimal(type)) return openDecimals(data as Data<Decimal>, node);
  if (is.isTimestamp(type)) return openTimestamps(data as Data<Timestamp>, node);
  if (is.isDate(type)) return openDates(data, node);
  if (is.isBool(type)) {
    expectLength(data.values.length * 8, data, node);
    const bits = data.values as Uint8Array;
    return textCells(data, (row) => String((bits[row >> 3]! & (1 << (row & 7))) !== 0));
  }
  if (is.isDictionary(type)) return openDictionary(context, data, node);
  if (is.isList(type) || is.isFixedSizeList(type) || is.isLargeList(type)) {
    return openLists(context, data, node);
  }
  const strings = openStrings(context, data, node.name);
  if (strings === null) throw unstoredType(node.name, type);
  return stringCells(data, strings, node);
}

function expectLength(length: number, data: Data<DataType>, node: PathNode): void {
  if (length < data.length) throw brokenArrow(node.name);
}

function openNumbers(arrow: ArrowLibrary, data: Data<DataType>, node: PathNode): ArrowCells {
  expectLength(data.values.length, data, node);
  const values = data.values as Exclude<typeof data.values, undefined>;
  if (arrow.DataType.isFloat(data.type)) {
    // Of 16 bits: only the library reads them.
    const vector = values instanceof Uint16Array ? new arrow.Vector([data]) : null;
    const cells = numberCells(data, (row) => {
      const x = (vector === null ? values[row] : vector.get(row)) as number;
      // What is not a number is missing; JSON has no word for it.
      if (Number.isNaN(x)) return null;
      if (Number.isFinite(x)) return x;
      throw outOfRange(x, node);
    });
    if (vector !== null) return cells;
    return { ...cells, writeRows: writeNumberRows(values, presenceOf(data), cells.write) };
  }
  const cells = numberCells(data, (row) => {
    const x = values[row] as number | bigint;
    return typeof x === "bigint" ? inInt64(x, node) : x;
  });
  return { ...cells, writeRows: writeNumberRows(values, presenceOf(data), cells.write) };
}

function inInt64(x: bigint, node: PathNode): bigint {
  if (BigInt.asIntN(64, x) !== x) throw outOfRange(x, node);
  return x;
}

function outOfRange(x: number | bigint, node: PathNode): RowRejected {
  const detail = `\`${node.name}\` is ${x}, which 64 bits do not hold.`;
  return new RowRejected("number-out-of-range", detail);
}

/** Digits beyond those that the column keeps are cut off, as in rows of JSON. */
function openDecimals(data: Data<Decimal>, node: PathNode): ArrowCells {
  const { scale, bitWidth } = data.type;
  const wordsEach = bitWidth / 32;
  if (![64, 128, 256].includes(bitWidth) || scale < 0 || scale > scaleMax) {
    throw unstoredType(node.name, data.type);
  }
  expectLength(data.values.length / wordsEach, data, node);
  const words = data.values as Uint32Array;
  return numberCells(data, (row) => {
    let value = BigInt.asIntN(32, BigInt(words[(row + 1) * wordsEach - 1]!));
    for (let word = wordsEach - 2; word >= 0; word--) {
      value = (value << 32n) + BigInt(words[row * wordsEach + word]!);
    }
    const text = pointed(value, scale);
    if (readNumberText(text, decimalsOf(node)) === null) {
      throw new RowRejected(
        "number-out-of-range",
        `\`${node.name}\` is ${quote(new NumberText(text))}, which 64 bits do not hold.`,
      );
    }
    return scale === 0 ? value : new NumberText(text);
  });
}

function pointed(value: bigint, scale: number): string {
  const sign = value < 0n ? "-" : "";
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).slice(0, decimalsMax);
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Milliseconds; with digits behind the point where micro- or nanoseconds need them. */
function openTimestamps(data: Data<Timestamp>, node: PathNode): ArrowCells {
  expectLength(data.values.length, data, node);
  const values = data.values as unknown as BigInt64Array;
  const nanosEach = nanosPerSecond / unitsPerSecond[data.type.unit]!;
  return numberCells(data, (row) => {
    const nanos = values[row]! * nanosEach;
    if (nanos % nanosPerMs === 0n) return inInt64(nanos / nanosPerMs, node);
    if (node.role !== "time") return new NumberText(pointed(nanos, decimalScaleMax));
    // The event time is in whole milliseconds: the one that has begun.
    return (
      (nanos - BigInt.asUintN(64, ((nanos % nanosPerMs) + nanosPerMs) % nanosPerMs)) / nanosPerMs
    );
  });
}

function openDates(data: Data<DataType>, node: PathNode): ArrowCells {
  expectLength(data.values.length, data, node);
  const values = data.values as Int32Array | BigInt64Array;
  return numberCells(data, (row) => {
    const value = values[row]!;
    return typeof value === "bigint" ? value : value * msPerDay;
  });
}

/** A number's cell. Integers beyond 2^53 are texts in `value`, as JSON is read. */
function numberCells(
  data: Data<DataType>,
  read: (row: number) => number | bigint | NumberText | null,
): ArrowCells {
  const isPresent = presenceOf(data);
  return {
    value(row) {
      const x = isPresent(row) ? read(row) : null;
      if (typeof x !== "bigint") return x;
      const near = Number(x);
      return Number.isSafeInteger(near) ? near : new NumberText(String(x));
    },
    write(builder, row, at) {
      const x = isPresent(row) ? read(row) : null;
      if (x === null) return;
      if (typeof x === "bigint" || Number.isSafeInteger(x)) {
        builder.writeInteger(at, x as number | bigint);
      } else writeFraction(builder, at, x as number | NumberText);
    },
  };
}

function writeFraction(builder: ColumnBuilder, at: number, x: number | NumberText): void {
  const scaled = typeof x === "number" ? scaleFraction(x) : null;
  if (scaled !== null) {
    builder.writeFraction(at, scaled, "");
    return;
  }
  const text = typeof x === "number" ? String(x) : x.text;
  const stored = readNumberText(text);
  if (stored === null) {
    const detail = `\`${builder.name}\` is ${text}, which 64 bits do not hold.`;
    throw new RowRejected("number-out-of-range", detail);
  }
  if (stored.fraction) builder.writeFraction(at, stored.value, text);
  else builder.writeInteger(at, stored.value);
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
  let codes = createCodes(0);
  const codesFor = (builder: ColumnBuilder): CodeMemory => {
    if (builder !== builderBefore) {
      builderBefore = builder;
      codes = createCodes(values.count);
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
  };
}

/** A run of a dictionary's values, as one message told it. */
interface DictionaryPiece {
  readonly cells: ArrowCells;
  readonly isPresent: (index: number) => boolean;
  readonly start: number;
  readonly end: number;
}

/** Deltas are pieces of one dictionary. */
function openValues(context: ArrowContext, pieces: readonly Data<DataType>[], node: PathNode) {
  let end = 0;
  const opened = pieces.map((piece): DictionaryPiece => {
    context.budget.take(pieceBytes);
    const start = end;
    end += piece.length;
    const cells = openCells(context, piece, node);
    return { cells, isPresent: presenceOf(piece), start, end };
  });
  if (opened.length === 0) throw brokenArrow(node.name);
  return {
    count: end,
    pieceOf(key: number): DictionaryPiece {
      let [from, to] = [0, opened.length - 1];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (key < opened[middle]!.end) to = middle;
        else from = middle + 1;
      }
      return opened[from]!;
    },
  };
}

interface CodeMemory {
  /** By key; null where they are too many. */
  readonly dense: Uint32Array | null;
  get(key: number): number;
  set(key: number, code: number): void;
}

function createCodes(count: number): CodeMemory {
  if (count > denseCodesMax) {
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

/** Lists of anything that is no list or struct itself; vectors, or sets where the field says so. */
function openLists(context: ArrowContext, data: Data<DataType>, node: PathNode): ArrowCells {
  const [child] = data.children;
  if (child === undefined) throw brokenArrow(node.name);
  const elements = openCells(context, child, node);
  const strings = openStrings(context, child, node.name);
  const key = strings === null ? null : createListKey(strings, child);
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
    context.budget.take((end - start) * elementBytes);
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
        context.budget.take(keyBytes + (endOf(row) - startOf(row)) * (elementBytes - 4));
        builder.writeKnown(at, known);
        return;
      }
      const texts = value(row);
      if (texts === null) return;
      const isSet = node.listType === "set";
      const stored = isSet ? [...new Set(texts)].sort(compareCodePoints) : texts;
      builder.writeList(at, isSet ? "set" : "vector", JSON.stringify(stored));
      if (keyBytes > 0) builder.rememberList(at, key!.view, 0, keyBytes, hash);
    },
  };
}
