import type { Values } from "@hadal/kernel-wasm";
import { SharedObject } from "../../base/bytes/plainCodec.js";
import type { TypedExpression } from "../../function/term/typedExpression.js";
import type { PrintedSource, StringTable, TextSource } from "./textSource.js";

/** How a scan thread computes the values of a derived column, for the rows of one segment. */
export type DeriveTask = CompiledDerive | EvaluatedDerive;

interface DeriveOutput {
  readonly column: DerivedName;
  /** Bitmaps to write; 0: every row has a value, none can overflow. */
  readonly present: number;
  readonly overflown: number;
}

/** By code that was emitted for it. */
export interface CompiledDerive extends DeriveOutput {
  readonly kind: "compiled";
  readonly code: DeriveCode;
  /** Integers are written as value − base. */
  readonly base: bigint;
  /** In the order of the code's parameters. */
  readonly slots: readonly FilledSlot[];
}

export type FilledSlot =
  | {
      readonly kind: "ints";
      readonly values: Values;
      readonly base: bigint;
      readonly present: number;
      readonly overflown: number;
    }
  | {
      readonly kind: "table";
      readonly values: Values;
      readonly entries: number;
      readonly states: number;
    };

/** Row by row. Strings are not written: only which rows have one. */
export interface EvaluatedDerive extends DeriveOutput {
  readonly kind: "evaluated";
  readonly row: RowExpression;
}

/** The objects below are the same for many segments: they travel once. */
export class DerivedName extends SharedObject {
  constructor(readonly name: string) {
    super();
  }
}

export class DeriveCode extends SharedObject {
  constructor(readonly module: WebAssembly.Module) {
    super();
  }
}

export class SharedExpression extends SharedObject {
  constructor(readonly expression: TypedExpression) {
    super();
  }
}

/** An expression, and its inputs in one segment. */
export interface RowExpression {
  readonly shared: SharedExpression;
  readonly inputs: readonly RowInput[];
}

export type RowInput =
  | { readonly kind: "absent" }
  /** Integers at `shift` digits more (or, negative, fewer) than they are stored with. */
  | {
      readonly kind: "int";
      readonly values: Values;
      readonly base: bigint;
      readonly present: number;
      readonly overflown: number;
      readonly shift: number;
    }
  /** asList: a list with the string alone. */
  | {
      readonly kind: "string";
      readonly source: TextSource | PrintedSource | EvaluatedSource;
      readonly asList: boolean;
    }
  /** Codes, and their values. */
  | {
      readonly kind: "codes";
      readonly values: Values;
      readonly texts: StringTable;
      readonly asList: boolean;
    }
  /** Codes of lists; of a list only its length is known, u32 by code. */
  | { readonly kind: "lists"; readonly values: Values; readonly lengths: number };

/** Strings of a derived column, evaluated for the rows that are read. */
export interface EvaluatedSource {
  readonly kind: "evaluated";
  readonly column: DerivedName;
  readonly row: RowExpression;
  /** There is no bitmap: a reader evaluates the row. */
  readonly present: 0;
}
