import type { BatchColumn, RowBatch } from "../../src/base/row/rowBatch.js";

/** 29 hours, as the Scuba paper's second query scans. */
export const rangeMs = 29 * 3_600_000;
export const startMs = Date.UTC(2025, 5, 21);
export const endMs = startMs + rangeMs;

/** Times are nearly in order: at most so far apart from it. */
const jitterMs = 3_000;

/** One table of the bench, the same rows for Hadal and for every peer. */
export interface BenchTable {
  readonly name: string;
  /** Columns that are sets or vectors: their JSON text in the file is a list to a peer. */
  readonly lists: readonly string[];
  /** Its rows when the run is about `total` rows. */
  rowCount(total: number): number;
  /** Rows [first, first + count) of `rowCount`; each depends on its number alone. No value is missing. */
  rows(first: number, count: number, rowCount: number): RowBatch;
}

/** The table without some of its columns. */
export const withoutColumns = (table: BenchTable, names: readonly string[]): BenchTable => ({
  ...table,
  rows: (first, count, rowCount) => {
    const batch = table.rows(first, count, rowCount);
    return { ...batch, columns: batch.columns.filter(({ name }) => !names.includes(name)) };
  },
});

/** A number in [0, 1) that depends on the row and the salt (0 to 15) alone. */
export function chance(row: number, salt: number): number {
  return hash32(row * 16 + salt) / 2 ** 32;
}

/** A full-avalanche mix of 32 bits (lowbias32 by Chris Wellons). */
export function hash32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** Spread evenly over the range, a little out of order. */
export function timesOf(first: number, count: number, rowCount: number): Float64Array {
  const times = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const row = first + i;
    const order = startMs + (row / rowCount) * (rangeMs - 2 * jitterMs) + jitterMs;
    times[i] = Math.floor(order + (chance(row, 0) - 0.5) * 2 * jitterMs);
  }
  return times;
}

export function ints(name: string, numbers: Int32Array): BatchColumn {
  const values = new BigInt64Array(numbers.length);
  const words = new Int32Array(values.buffer);
  for (let i = 0; i < numbers.length; i++) {
    words[i * 2] = numbers[i]!;
    words[i * 2 + 1] = numbers[i]! >> 31;
  }
  return { name, type: "int", decimals: 0, values, present: null };
}

/** A dictionary of the values that occur, as a parsed batch has it. */
export function coded(
  name: string,
  numbers: Int32Array,
  print: (number: number) => string,
  type: "string" | "set" | "vector" = "string",
): BatchColumn {
  const codeOf = new Map<number, number>();
  const dictionary: string[] = [];
  const codes = new Uint32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!;
    let code = codeOf.get(number);
    if (code === undefined) {
      code = dictionary.push(print(number));
      codeOf.set(number, code);
    }
    codes[i] = code;
  }
  return { name, type, dictionary, codes };
}
