import { type LineValues, valuesOf } from "../lineValues.js";

const timed =
  /^\[?(?<time>\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|[+-]\d\d(?::?\d\d)?))?)\]?[ \t]+(?<message>.*)$/s;

/** Any line: its time where it begins with one, and the rest. */
export function plainLine(text: string): LineValues {
  const match = timed.exec(text);
  return match === null ? new Map([["message", text]]) : valuesOf(match.groups);
}
