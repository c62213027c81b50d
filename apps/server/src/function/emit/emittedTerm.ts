import type { EmittedType } from "../bind/boundTerm.js";
import type { WasmType } from "./wasmBytes.js";

/**
 * Where a term's value of the current row lies, in locals. `present` and `overflown` are 0 or 1; null where they are
 * always 1 and 0. A value that is not present may be anything, also outside of what its facts say.
 */
export interface EmittedTerm {
  readonly value: number;
  readonly present: number | null;
  readonly overflown: number | null;
}

/** The type of the local that holds a value. */
export const wasmTypeOf = (type: EmittedType): WasmType =>
  type === "int" ? "i64" : type === "number" ? "f64" : "i32";
