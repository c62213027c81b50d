import type { Values } from "@hadal/kernel-wasm";

/** Encoded integers or codes. The layouts are drawn in the kernel's packed operations. */
export type EncodedInts = PackedInts | DictionaryInts | BitsInts | SparseInts;

/** Differences of neighbours, in blocks of 128 rows: times, and values that move in small steps. */
export interface PackedInts {
  readonly kind: "packed";
  readonly address: number;
  readonly bytes: number;
}

/**
 * Few distinct values over a wide range: a table of them, ascending, and each row's index into it.
 */
export interface DictionaryInts {
  readonly kind: "dictionary";
  readonly table: Values;
  readonly tableCount: number;
  readonly codes: Values;
}

/** Codes of at most six bits. */
export interface BitsInts {
  readonly kind: "bits";
  readonly address: number;
  readonly bits: number;
}

/**
 * Codes that most rows do not have: which rows do (a bitmap), how many of those are before each of
 * its words (u16), and their codes.
 */
export interface SparseInts {
  readonly kind: "sparse";
  readonly present: number;
  readonly ranks: number;
  readonly codes: Values;
  readonly codeCount: number;
}

/**
 * Address of encoded values before they are decoded: the last page of 4 GiB, which nothing uses.
 * Reading it traps in a smaller memory, and gives zeros in one of 4 GiB.
 */
export const undecodedAddress = 0xffff_0000;
