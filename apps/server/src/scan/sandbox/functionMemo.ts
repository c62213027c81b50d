import { type ColumnReader, createColumnReader } from "../../column/readColumn.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { ResolvedDerived } from "../../plan/query/resolvedQuery.js";
import type { ReturnedValues } from "./functionValues.js";

/** Maximum number of remembered rows: a place of four bytes and a result of eight each. */
const placesMax = 2 ** 20;
/** Integers over a wider range are as good as all different. */
const intSpanMax = 4_096;

/**
 * Remembers a function's results where its inputs have few distinct values: it is called once for
 * each combination in a query. Otherwise it is called for every row.
 */
export class FunctionMemo {
  readonly #reader: ColumnReader;
  /**
   * How the inputs were numbered when the places were given out; they are dropped when that
   * changes.
   */
  #shape: string | null = null;
  #dictionaries: readonly unknown[] = [];
  /** 1 + place among the values, by key. */
  #places = new Int32Array(0);
  #values: ReturnedValues;
  #count = 0;

  readonly #isString: boolean;

  constructor(memory: WebAssembly.Memory, { type }: Pick<ResolvedDerived, "type">) {
    this.#isString = type === "string";
    this.#reader = createColumnReader(memory);
    this.#values = this.#room(1_024);
  }

  /**
   * A number below {@link placesMax} for each row, equal where all inputs are; null where there
   * could be too many.
   */
  keysOf(columns: readonly (SegmentColumn | undefined)[], rows: Uint32Array): Uint32Array | null {
    const digits = columns.map((column) => digitOf(column));
    let product = 1;
    for (const digit of digits) {
      if (digit === null) return null;
      product *= digit.cardinality;
    }
    if (product > placesMax) return null;
    this.#begin(digits as Digit[], product);
    const keys = new Uint32Array(rows.length);
    digits.forEach((digit, k) => {
      const column = columns[k];
      if (digit === null || column === undefined) return;
      this.#addDigits(keys, digit.cardinality, column, rows);
    });
    return keys;
  }

  #addDigits(
    keys: Uint32Array,
    cardinality: number,
    column: SegmentColumn,
    rows: Uint32Array,
  ): void {
    const reader = this.#reader;
    if (column.kind === "coded") {
      for (let i = 0; i < rows.length; i++) {
        keys[i] = keys[i]! * cardinality + reader.code(column.values, rows[i]!);
      }
    } else if (column.kind === "int") {
      const { present, base, min, values } = column;
      const offset = values.width === 8 ? 0 : Number(base - min) + 1;
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        let digit = 0;
        if (reader.isPresent(present, row)) {
          digit =
            values.width === 8
              ? Number(reader.int(column, row) - min) + 1
              : reader.code(values, row) + offset;
        }
        keys[i] = keys[i]! * cardinality + digit;
      }
    }
  }

  /** The rows whose key has not been seen, each key once; they get their places. */
  unknownRows(keys: Uint32Array, rows: Uint32Array): Uint32Array {
    const unknown: number[] = [];
    for (let i = 0; i < keys.length; i++) {
      if (this.#places[keys[i]!] !== 0) continue;
      this.#places[keys[i]!] = ++this.#count;
      unknown.push(rows[i]!);
    }
    return Uint32Array.from(unknown);
  }

  /** `parts`: one behind the other, of the rows that were unknown. The value of every row. */
  take(keys: Uint32Array, parts: readonly ReturnedValues[]): ReturnedValues {
    let at = this.#count - parts.reduce((count, { length }) => count + length, 0);
    if (this.#count > this.#values.length) {
      const grown = this.#room(this.#count * 2);
      grown.set(this.#values as never);
      this.#values = grown;
    }
    for (const part of parts) {
      this.#values.set(part as never, at);
      at += part.length;
    }
    const values = this.#room(keys.length);
    for (let i = 0; i < keys.length; i++) {
      values[i] = this.#values[this.#places[keys[i]!]! - 1]!;
    }
    return values;
  }

  #begin(digits: readonly Digit[], product: number): void {
    const shape = digits.map(({ cardinality, origin }) => `${cardinality}/${origin}`).join();
    const dictionaries = digits.map(({ dictionary }) => dictionary);
    const isSame =
      shape === this.#shape && dictionaries.every((one, k) => one === this.#dictionaries[k]);
    if (isSame) return;
    this.#shape = shape;
    this.#dictionaries = dictionaries;
    this.#places = new Int32Array(product);
    this.#count = 0;
  }

  #room(length: number): ReturnedValues {
    return this.#isString ? new Uint32Array(length) : new Float64Array(length);
  }
}

interface Digit {
  readonly cardinality: number;
  /** The factor of the digit. */
  readonly origin: bigint;
  readonly dictionary: unknown;
}

/**
 * What one input can be; null: too much. Rooms are rounded up, so that a dictionary may grow and
 * the range of another segment be a little else.
 */
function digitOf(column: SegmentColumn | undefined): Digit | null {
  if (column === undefined) return { cardinality: 1, origin: 0n, dictionary: null };
  if (column.kind === "text") return null;
  if (column.kind === "coded") {
    const cardinality = 2 ** Math.ceil(Math.log2(column.dictionary.codeCount + 1));
    return { cardinality, origin: 0n, dictionary: column.dictionary };
  }
  const { min, max } = column;
  if (min > max) return { cardinality: 1, origin: 0n, dictionary: null };
  if (max - min >= BigInt(intSpanMax)) return null;
  return { cardinality: Number(max - min) + 2, origin: min, dictionary: null };
}
