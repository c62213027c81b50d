import { HadalError } from "../problem/problem.js";

/** The farthest a Date can be from 1970. */
export const timeMsMax = 8_640_000_000_000_000;

/** What is wrong with a time or a length of time that somebody wrote. */
export function invalidTime(detail: string): HadalError {
  return new HadalError("time-range-invalid", { detail });
}

/** Long or strange texts are cut: an error is to be read. */
export function quoted(text: string | number): string {
  const printed = JSON.stringify(text) ?? String(text);
  return printed.length > 60 ? `${printed.slice(0, 60)}…` : printed;
}
