/**
 * A function in JavaScript that was saved under a name: `(a, b) => …` gives a value per row, an
 * object of `init, update, merge, finalize` aggregates rows.
 */
export interface UserFunction extends FunctionDraft {
  readonly name: string;
  /** Counts from 1; every change makes the next one. Answers name the one they used. */
  readonly version: number;
  readonly kind: FunctionKind;
  readonly savedMs: number;
  /** It came with Hadal, and cannot be changed or removed; one of the same name takes its place. */
  readonly example: boolean;
}

export type FunctionKind = "scalar" | "aggregate";

/** What one writes of a function. */
export interface FunctionDraft {
  readonly source: string;
  readonly description?: string;
}

/** A function of a query or an answer, by name and version. */
export interface FunctionVersion {
  readonly name: string;
  readonly version: number;
}

/** A function to be tried on given rows, or on the newest rows of a table. */
export interface FunctionTrial {
  readonly source: string;
  /**
   * For functions of arguments, and for aggregates: the columns. Without them the function gets the
   * row.
   */
  readonly args?: readonly string[];
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly table?: string;
  /** Of the table's newest rows; default 20. */
  readonly limit?: number;
}

/** What came of a trial: a value or an error for each row, or one for all rows of an aggregate. */
export interface FunctionTrialResult {
  readonly kind: FunctionKind;
  readonly results: readonly TrialValue[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** What `console.log` was given. */
  readonly log: readonly string[];
  readonly elapsedMs: number;
}

export type TrialValue =
  | { readonly value: string | number | null }
  | {
      readonly error: { readonly detail: string; readonly line?: number; readonly column?: number };
    };

export const functionTrialRowsMax = 1_000;
export const functionTrialLimitDefault = 20;
export const functionDescriptionMax = 2_000;
