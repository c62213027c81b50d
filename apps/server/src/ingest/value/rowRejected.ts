import { NumberText } from "./numberText.js";

/** Why a row is refused, for the person who sent it. */
export class RowRejected extends Error {
  readonly code: RowRejectionCode;
  /** Place in the row's text, counted from 1, where one can be named. */
  readonly column: number | undefined;

  constructor(code: RowRejectionCode, detail: string, column?: number) {
    const { stackTraceLimit } = Error;
    // Without a stack, which no one reads and which takes ten times as long as all the rest.
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "RowRejected";
    this.code = code;
    this.column = column;
  }
}

export type RowRejectionCode =
  | "invalid-json"
  | "invalid-csv"
  | "invalid-unicode"
  | "row-not-object"
  | "row-too-long"
  | "line-unmatched"
  | "time-missing"
  | "time-invalid"
  | "sample-rate-invalid"
  | "number-out-of-range"
  | "type-mismatch"
  | "list-invalid"
  | "name-invalid"
  | "name-reserved"
  | "too-deep"
  | "too-many-columns";

/** As JSON.parse; undefined where the text is none. */
export function tryParseJson(text: string): unknown {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const quotedUnitsMax = 60;

/** Long or strange input is cut, so that the reason stays readable. */
export function quote(value: unknown): string {
  let text: string;
  if (value instanceof NumberText) text = value.text;
  else if (value === Infinity || value === -Infinity) text = "a number beyond 1.8e308";
  else if (typeof value === "number") text = String(value);
  else if (typeof value === "object" && value !== null)
    text = Array.isArray(value) ? "a list" : "an object";
  else if (typeof value === "string") text = JSON.stringify(value.slice(0, quotedUnitsMax + 1));
  else text = String(value);
  return text.length > quotedUnitsMax ? `${text.slice(0, quotedUnitsMax)}…` : text;
}
