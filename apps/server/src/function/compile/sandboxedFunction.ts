import type { BodyPiece } from "./functionBody.js";
import type { FunctionResult } from "./inferType.js";

/** A function that runs in a sandbox. Its values are truncated at the column's decimals, or taken as strings. */
export interface SandboxedFunction {
  readonly kind: "sandbox";
  readonly source: string;
  readonly call: FunctionCall;
  /** The body alone, where it means the same in a loop over rows. */
  readonly body: readonly BodyPiece[] | null;
  readonly result: FunctionResult;
}

/**
 * How a row reaches a function: as an object of the inputs by their names, as arguments, or as the parameters
 * `$0`, `$1` … that stand in its source where the object's properties stood, which spares making the object. Their list
 * is a line before those that the user wrote.
 */
export type FunctionCall = "row" | "values" | "parameters";
