import type { KernelOperations } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { scaledNumber } from "../../base/number/scaledNumber.js";
import { Dictionary } from "../../column/dictionary.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { NumberValues, StringValues } from "../../function/sandbox/sandboxMessages.js";
import type { ResolvedDerived } from "../../plan/query/resolvedQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { valueOverflow } from "../value/valueOverflow.js";

/** Maximum bytes of a derived column's distinct strings on a leaf's heap. */
const functionStringsBytesMax = 64 * 2 ** 20;

/**
 * A function's results for some rows: doubles (NaN is missing), or codes of the query's dictionary
 * (0 is missing).
 */
export type ReturnedValues = Float64Array | Uint32Array;

/** The strings that a function returned in this query, by code. */
export class ReturnedStrings {
  readonly dictionary = new Dictionary();
  /** Codes of the dictionary, by the sandbox's numbers. */
  #codes: number[] = [0];

  /** As the sandbox answers, in its order: each string comes once. */
  take({ codes, added, resets }: StringValues): Uint32Array {
    if (resets) this.#codes = [0];
    for (const text of readStrings(added)) {
      this.#codes.push(this.dictionary.intern(toWellFormed(text)));
      if (this.dictionary.bytes > functionStringsBytesMax) throw tooManyBytes();
    }
    const own = new Uint32Array(codes.length);
    for (let i = 0; i < codes.length; i++) own[i] = this.#codes[codes[i]!]!;
    return own;
  }
}

/** A function can change JSON in its realm, and return any text. */
function readStrings(added: string): readonly string[] {
  let found: unknown = null;
  try {
    found = JSON.parse(added);
  } catch {
    // Checked below.
  }
  if (Array.isArray(found) && found.every((one) => typeof one === "string")) return found;
  throw new HadalError("function-failed", {
    detail: "it changed how its realm writes JSON: what it returned cannot be read",
  });
}

function tooManyBytes(): HadalError {
  const what = "returned too many bytes of distinct strings in one query";
  const limitName = "functionStringsBytesMax";
  return new HadalError("function-limit", { what, max: functionStringsBytesMax, limitName });
}

/** Invalid surrogates become U+FFFD. */
function toWellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text;
}

export const numbersOf = ({ values }: NumberValues): Float64Array => values;

/**
 * Rows of a segment for which functions are called: ascending numbers, and the same as a bitmap; 0:
 * all rows.
 */
export interface AskedRows {
  readonly rows: Uint32Array;
  readonly rowCount: number;
  readonly marked: number;
}

/** First of these rows where they are one run; -1 where they are not. */
export function startOfRun(rows: Uint32Array): number {
  const [first] = rows;
  return first !== undefined && rows.at(-1)! - first === rows.length - 1 ? first : -1;
}

/** Bitmap of these rows in the query's memory; 0 where they are all. */
export function markRows(
  rows: Uint32Array,
  rowCount: number,
  memory: QueryMemory,
  kernel: Pick<KernelOperations, "selectRows">,
): number {
  if (rows.length === rowCount) return 0;
  const address = memory.bitmap(rowCount);
  const start = startOfRun(rows);
  if (start >= 0) {
    kernel.selectRows(address, rowCount, start, start + rows.length);
    return address;
  }
  const bits = memory.leaf.bytes;
  for (const row of rows) bits[address + (row >> 3)]! |= 1 << (row & 7);
  return address;
}

/**
 * Writes what came back for these rows, part by part, as a plain column of a segment; other rows
 * have no value.
 */
export function writeStrings(
  parts: readonly ReturnedValues[],
  { rows, rowCount }: AskedRows,
  dictionary: Dictionary,
  memory: QueryMemory,
): SegmentColumn {
  const address = memory.allocate(rowCount * 4);
  const codes = new Uint32Array(memory.leaf.memory.buffer, address, rowCount).fill(0);
  const start = startOfRun(rows);
  let from = 0;
  for (const part of parts) {
    if (start >= 0) codes.set(part, start + from);
    else for (let i = 0; i < part.length; i++) codes[rows[from + i]!] = part[i]!;
    from += part.length;
  }
  return {
    kind: "coded",
    type: "string",
    values: { address, width: 4 },
    encoded: null,
    dictionary,
  };
}

export function writeNumbers(
  parts: readonly ReturnedValues[],
  asked: AskedRows,
  derived: Pick<ResolvedDerived, "name" | "decimals">,
  memory: QueryMemory,
): SegmentColumn {
  const writer = new NumberWriter(asked, derived, memory);
  let from = 0;
  for (const part of parts) {
    writer.write(part, from);
    from += part.length;
  }
  return writer.column();
}

class NumberWriter {
  readonly #address: number;
  readonly #words: Int32Array;
  readonly #wide: BigInt64Array;
  readonly #start: number;
  #present: number;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #min = 2n ** 63n - 1n;
  #max = -(2n ** 63n);

  readonly #asked: AskedRows;
  readonly #derived: Pick<ResolvedDerived, "name" | "decimals">;
  readonly #memory: QueryMemory;

  constructor(
    asked: AskedRows,
    derived: Pick<ResolvedDerived, "name" | "decimals">,
    memory: QueryMemory,
  ) {
    this.#asked = asked;
    this.#derived = derived;
    this.#memory = memory;
    const { rows, rowCount, marked } = asked;
    const { buffer } = memory.leaf.memory;
    this.#address = memory.allocate(rowCount * 8);
    this.#words = new Int32Array(buffer, this.#address, rowCount * 2).fill(0);
    this.#wide = new BigInt64Array(buffer, this.#address, rowCount);
    this.#start = startOfRun(rows);
    this.#present = marked;
  }

  /** What came back for the rows from the one at `from` on. */
  write(part: ReturnedValues, from: number): void {
    const { rows } = this.#asked;
    const inRun = this.#start >= 0 && this.#derived.decimals === 0;
    for (let i = 0; i < part.length; i++) {
      if (inRun) i = this.#writeWords(part, i, this.#start + from);
      if (i < part.length) this.#writeOne(part[i]!, rows[from + i]!);
    }
  }

  column(): SegmentColumn {
    let [min, max] = [this.#min, this.#max];
    if (this.#least <= this.#most) {
      if (BigInt(this.#least) < min) min = BigInt(this.#least);
      if (BigInt(this.#most) > max) max = BigInt(this.#most);
    }
    const { decimals } = this.#derived;
    const values = { address: this.#address, width: 8 } as const;
    const present = this.#present;
    return { kind: "int", decimals, values, base: 0n, encoded: null, present, min, max };
  }

  /**
   * Copies values from `first` on while they need no conversion, as most do; returns the index of
   * the first that does.
   */
  #writeWords(part: ReturnedValues, first: number, firstRow: number): number {
    const words = this.#words;
    let least = this.#least;
    let most = this.#most;
    let i = first;
    for (; i < part.length; i++) {
      const value = part[i]!;
      const whole = value | 0;
      if (whole !== value) break;
      const at = (firstRow + i) * 2;
      words[at] = whole;
      words[at + 1] = whole >> 31;
      if (whole < least) least = whole;
      if (whole > most) most = whole;
    }
    this.#least = least;
    this.#most = most;
    return i;
  }

  #writeOne(value: number, row: number): void {
    const { decimals, name } = this.#derived;
    const isPlain = decimals === 0 && (value | 0) === value;
    const scaled = isPlain ? value : scaledNumber(value, decimals);
    if (scaled === null) {
      if (Number.isFinite(value)) throw valueOverflow(name);
      this.#unmark(row);
      return;
    }
    if (typeof scaled === "bigint") {
      this.#wide[row] = scaled;
      if (scaled < this.#min) this.#min = scaled;
      if (scaled > this.#max) this.#max = scaled;
      return;
    }
    this.#words[row * 2] = scaled % 2 ** 32;
    // A division for each of them would be a third of the loop.
    this.#words[row * 2 + 1] =
      (scaled | 0) === scaled ? scaled >> 31 : Math.floor(scaled / 2 ** 32);
    if (scaled < this.#least) this.#least = scaled;
    if (scaled > this.#most) this.#most = scaled;
  }

  #unmark(row: number): void {
    const { rowCount, marked } = this.#asked;
    const { bytes } = this.#memory.leaf;
    if (this.#present === marked) {
      this.#present = this.#memory.bitmap(rowCount);
      if (marked === 0) {
        bytes.fill(0xff, this.#present, this.#present + (rowCount >> 3));
        if ((rowCount & 7) !== 0)
          bytes[this.#present + (rowCount >> 3)] = (1 << (rowCount & 7)) - 1;
      } else bytes.copyWithin(this.#present, marked, marked + Math.ceil(rowCount / 8));
    }
    bytes[this.#present + (row >> 3)]! &= ~(1 << (row & 7));
  }
}
