import type { PageSignature, Values } from "@hadal/kernel-wasm";
import type { StoredTexts } from "../../column/pageTable.js";

/** Texts of a stored column. */
export interface TextSource extends StoredTexts {
  readonly kind: "text";
  readonly signature: PageSignature | null;
  readonly present: number;
}

/** Integers as the texts that results show. */
export interface PrintedSource {
  readonly kind: "printed";
  readonly values: Values;
  readonly base: bigint;
  readonly present: number;
  /** Digits behind the point of the text. */
  readonly decimals: number;
  /** Digits to add (or, negative, to drop) before it is printed. */
  readonly shift: number;
}

/** UTF-8 end to end: the text of code c is bytes [starts[c], starts[c + 1]), starts u32. */
export interface StringTable {
  readonly starts: number;
  readonly bytes: number;
}
