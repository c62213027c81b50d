import { HadalError } from "@hadal/sdk";
import { scaledNumber } from "../base/scaledNumber.js";
import { Dictionary } from "../column/dictionary.js";
import type { SegmentColumn } from "../column/segmentColumn.js";
import type { NumberValues, StringValues } from "../function/sandboxMessages.js";
import type { ResolvedDerived } from "../plan/resolvedQuery.js";
import type { QueryMemory } from "./queryMemory.js";
import { valueOverflow } from "./valueOverflow.js";

/** What the distinct strings of one derived column may take of a leaf's heap. */
const functionStringsBytesMax = 64 * 2 ** 20;

/** What a function returned for some rows: doubles (NaN is missing), or codes of the query's dictionary (0 is missing). */
export type ReturnedValues = Float64Array | Uint32Array;

/** The strings that a function returned in this query, by code. */
export class ReturnedStrings {
  readonly dictionary = new Dictionary();
  /** Codes of the dictionary, by what the sandbox calls them. */
  #codes: number[] = [0];

  /** As the sandbox answers, in its order: it tells each string once. */
  take({ codes, added, anew }: StringValues): Uint32Array {
    if (anew) this.#codes = [0];
    for (const text of JSON.parse(added) as readonly string[]) {
      this.#codes.push(this.dictionary.intern(toWellFormed(text)));
    }
    if (this.dictionary.bytes > functionStringsBytesMax) {
      const what = "returned too many bytes of distinct strings in one query";
      const limitName = "functionStringsBytesMax";
      throw new HadalError("function-limit", { what, max: functionStringsBytesMax, limitName });
    }
    const own = new Uint32Array(codes.length);
    for (let i = 0; i < codes.length; i++) own[i] = this.#codes[codes[i]!]!;
    return own;
  }
}

/** What is no text in any encoding becomes the sign for that. */
function toWellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text;
}

export const numbersOf = ({ values }: NumberValues): Float64Array => values;

/** Bitmap of these rows in the query's memory. */
export function bitmapOf(rows: Uint32Array, rowCount: number, memory: QueryMemory): number {
  const address = memory.bitmap(rowCount);
  const bits = memory.leaf.bytes;
  for (const row of rows) bits[address + (row >> 3)]! |= 1 << (row & 7);
  return address;
}

/** Writes what came back for these rows, part by part, as a plain column of a segment; other rows have no value. */
export function writeStrings(
  parts: readonly ReturnedValues[],
  rows: Uint32Array,
  rowCount: number,
  dictionary: Dictionary,
  memory: QueryMemory,
): SegmentColumn {
  const address = memory.allocate(rowCount * 4);
  const codes = new Uint32Array(memory.leaf.memory.buffer, address, rowCount).fill(0);
  let from = 0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) codes[rows[from + i]!] = part[i]!;
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
  rows: Uint32Array,
  rowCount: number,
  { name, decimals }: Pick<ResolvedDerived, "name" | "decimals">,
  memory: QueryMemory,
): SegmentColumn {
  const address = memory.allocate(rowCount * 8);
  const present = memory.bitmap(rowCount);
  const words = new Int32Array(memory.leaf.memory.buffer, address, rowCount * 2).fill(0);
  const wide = new BigInt64Array(memory.leaf.memory.buffer, address, rowCount);
  const bits = memory.leaf.bytes;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let [min, max] = [2n ** 63n - 1n, -(2n ** 63n)];
  let from = 0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const value = part[i]!;
      const row = rows[from + i]!;
      // As most are: they stand for themselves.
      const isPlain = decimals === 0 && (value | 0) === value;
      const scaled = isPlain ? value : scaledNumber(value, decimals);
      if (scaled === null) {
        if (Number.isFinite(value)) throw valueOverflow(name);
        continue;
      }
      bits[present + (row >> 3)]! |= 1 << (row & 7);
      if (typeof scaled === "bigint") {
        wide[row] = scaled;
        if (scaled < min) min = scaled;
        if (scaled > max) max = scaled;
        continue;
      }
      words[row * 2] = isPlain ? scaled : scaled % 2 ** 32;
      // A division for each of them would be a third of this loop.
      words[row * 2 + 1] = isPlain ? scaled >> 31 : Math.floor(scaled / 2 ** 32);
      if (scaled < least) least = scaled;
      if (scaled > most) most = scaled;
    }
    from += part.length;
  }
  if (least <= most) {
    if (BigInt(least) < min) min = BigInt(least);
    if (BigInt(most) > max) max = BigInt(most);
  }
  const values = { address, width: 8 } as const;
  return { kind: "int", decimals, values, base: 0n, encoded: null, present, min, max };
}
