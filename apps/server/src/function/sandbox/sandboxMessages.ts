import type { Problem } from "@hadal/sdk";
import type { FunctionLimits } from "../../base/limit/functionLimits.js";
import type { BodyPiece } from "../compile/functionBody.js";
import type { FunctionResult } from "../compile/inferType.js";
import type { FunctionCall } from "../compile/sandboxedFunction.js";

/** What a run executes. `source` is one function, or for aggregates one object of functions. */
export type SandboxProgram = ScalarProgram | AggregateProgram | TrialProgram;

/** A value per row. */
export interface ScalarProgram {
  readonly kind: "scalar";
  readonly source: string;
  readonly call: FunctionCall;
  /** If present, runs in place of a call: see {@link BodyPiece}. */
  readonly body: readonly BodyPiece[] | null;
  /** Names of the columns, in the order of a batch's columns. */
  readonly names: readonly string[];
  /** The types that the source can return, found by reading it; "string" is never one of several. */
  readonly result: FunctionResult;
}

/** `init, update, merge, finalize`; update gets the state, the columns' values and the row's weight. */
export interface AggregateProgram {
  readonly kind: "aggregate";
  readonly source: string;
  readonly columnCount: number;
}

/** Either kind on a few rows, each with its value or error. */
export interface TrialProgram {
  readonly kind: "trial";
  readonly source: string;
  readonly call: "row" | "values" | "aggregate";
}

/** Values of one column for the rows of a batch. */
export type BatchColumn =
  /** NaN is missing; `complete`: there is none. */
  | {
      readonly kind: "numbers";
      readonly values: Float64Array | Int32Array;
      readonly complete: boolean;
    }
  /**
   * Indexes into the column's dictionary so far, 0 is missing. `added` is the JSON list of its new entries, strings or
   * lists of strings; `resets` drops the earlier ones first.
   */
  | {
      readonly kind: "codes";
      readonly values: Uint32Array;
      readonly added: string;
      readonly resets: boolean;
    };

export interface SandboxBatch {
  readonly rowCount: number;
  readonly columns: readonly BatchColumn[];
}

/** NaN is missing. */
export interface NumberValues {
  readonly kind: "numbers";
  readonly values: Float64Array;
}

/** Indexes into the dictionary of returned strings, 0 is missing; `added` and `resets` as in a batch's column. */
export interface StringValues {
  readonly kind: "strings";
  readonly codes: Uint32Array;
  readonly added: string;
  readonly resets: boolean;
}

export type SandboxCall =
  | ({ readonly kind: "evaluate" } & SandboxBatch)
  /** `groups`: of each row; those up to `groupCount` that are new start with `init()`. */
  | ({
      readonly kind: "update";
      readonly groups: Uint32Array;
      readonly groupCount: number;
      readonly weights: Uint32Array | null;
    } & SandboxBatch)
  /** Returns the states of all groups and drops them. */
  | { readonly kind: "states" }
  /** JSON lists: of each group, the JSON texts of its states. */
  | { readonly kind: "finalize"; readonly states: string }
  /** `rows`: JSON list of objects, or of lists of arguments. */
  | { readonly kind: "try"; readonly rows: string };

export type SandboxAnswer =
  | NumberValues
  | StringValues
  | { readonly kind: "updated" }
  /** JSON text of each group's state. */
  | { readonly kind: "states"; readonly states: readonly string[] }
  /** JSON list of numbers, strings and nulls. */
  | { readonly kind: "finalized"; readonly values: string }
  /** JSON list of `{value}` or `{error}`. */
  | { readonly kind: "tried"; readonly results: string; readonly log: readonly string[] };

/** Messages from the leaf to its sandbox process, and from that to its threads. */
export type SandboxRequest =
  | {
      readonly kind: "open";
      readonly run: number;
      readonly program: SandboxProgram;
      readonly limits: FunctionLimits;
    }
  | { readonly kind: "call"; readonly run: number; readonly call: SandboxCall }
  | { readonly kind: "close"; readonly run: number };

export type SandboxReply =
  | { readonly kind: "ready" }
  | { readonly kind: "opened"; readonly run: number }
  | { readonly kind: "answer"; readonly run: number; readonly answer: SandboxAnswer }
  /** The run has ended: its other calls get no answer. */
  | { readonly kind: "failed"; readonly run: number; readonly problem: Problem };
