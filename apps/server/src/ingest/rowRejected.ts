import { NumberText } from "./numberText.js";

/** Why a row is refused, for the person who sent it. */
export class RowRejected extends Error {
  readonly code: RowRejectionCode;
  /** Place in the row's text, counted from 1, where one can be named. */
  readonly column: number | undefined;

  constructor(code: RowRejectionCode, detail: string, column?: number) {
    super(detail);
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

/** Long or strange input is cut: a reason is to be read. */
export function quote(value: unknown): string {
  let text: string;
  if (value instanceof NumberText) text = value.text;
  else if (value === Infinity || value === -Infinity) text = "a number beyond 1.8e308";
  else if (typeof value === "number") text = String(value);
  else if (typeof value === "object" && value !== null)
    text = Array.isArray(value) ? "a list" : "an object";
  else text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
