import { HadalError } from "../problem/problem.js";

/** The farthest a Date can be from 1970. */
export const timeMsMax = 8_640_000_000_000_000;

/** The error for a time, or a length of time, that cannot be read. */
export function invalidTime(detail: string): HadalError {
  return new HadalError("time-range-invalid", { detail });
}

/** A text for an error message: quoted, and cut when it is long. */
export function quoted(text: string | number): string {
  const printed = JSON.stringify(text) ?? String(text);
  return printed.length > 60 ? `${printed.slice(0, 60)}…` : printed;
}
