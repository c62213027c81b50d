import type { PageSignature, Values } from "@hadal/kernel-wasm";
import type { ColumnType } from "@hadal/sdk";
import { Dictionary } from "./dictionary.js";
import type { EncodedInts } from "./encodedInts.js";
import type { Part } from "./intEncoding.js";
import { ListDictionary } from "./listDictionary.js";
import type { StoredTexts } from "./pageTable.js";

/**
 * One column of one segment: the addresses of its values in shared memory, and how to read them.
 */
export type SegmentColumn = IntColumn | CodedColumn | TextColumn;

/** Integers from a frame of reference: value = base + stored value, plain or encoded. */
export interface IntColumn {
  readonly kind: "int";
  readonly decimals: number;
  readonly values: Values;
  readonly base: bigint;
  /** The encoding; null: plain values at `values`, which else give only the decoded width. */
  readonly encoded: EncodedInts | null;
  /** Bitmap of rows that have a value; 0: all have. */
  readonly present: number;
  /** Zone map. min > max: no value is present. */
  readonly min: bigint;
  readonly max: bigint;
}

/** The addresses and the form of integers. */
export type StoredInts = Pick<IntColumn, "values" | "base" | "encoded">;

/** Codes of the leaf's dictionary for this column; 0 = missing. */
export type CodedColumn = StringColumn | ListColumn;

export interface StringColumn {
  readonly kind: "coded";
  readonly type: "string";
  readonly values: Values;
  /** As in {@link IntColumn}. */
  readonly encoded: EncodedInts | null;
  readonly dictionary: Dictionary;
}

/** A set's elements are sorted by code point, each once. */
export interface ListColumn {
  readonly kind: "coded";
  readonly type: "set" | "vector";
  readonly values: Values;
  readonly encoded: EncodedInts | null;
  readonly dictionary: ListDictionary;
}

export type ColumnDictionary = Dictionary | ListDictionary;

/**
 * Strings with too many distinct values for a dictionary: UTF-8 end to end in pages of about
 * 64 KB, which may be LZ4 blocks or made from templates.
 */
export interface TextColumn extends StoredTexts {
  readonly kind: "text";
  /** Length of all texts together. */
  readonly textBytes: number;
  /** The table of the templates that pages are made from; null: of none. */
  readonly templates: Part | null;
  /** Excludes pages without a needle; null when reading the pages is as fast. */
  readonly signature: PageSignature | null;
  /** Bitmap of rows that have a value; 0: all have. */
  readonly present: number;
}

export const columnTypeOf = (column: SegmentColumn): ColumnType =>
  column.kind === "int" ? "int" : column.kind === "text" ? "string" : column.type;

export function createDictionary(type: CodedColumn["type"]): ColumnDictionary {
  return type === "string" ? new Dictionary() : new ListDictionary();
}

export function codedColumn(
  type: CodedColumn["type"],
  dictionary: ColumnDictionary,
  values: Values,
  encoded: EncodedInts | null = null,
): CodedColumn {
  if (type === "string") {
    if (!(dictionary instanceof Dictionary)) throw new Error("strings meet a dictionary of lists");
    return { kind: "coded", type, values, encoded, dictionary };
  }
  if (!(dictionary instanceof ListDictionary)) throw new Error("lists meet one of strings");
  return { kind: "coded", type, values, encoded, dictionary };
}
