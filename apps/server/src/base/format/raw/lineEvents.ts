import type { LinePattern } from "./lineValues.js";

const newline = 0x0a;
/** How stack traces of Java and Python go on without being indented. */
const goesOn = /^(?:[ \t]|Caused by: |Traceback |\.\.\. \d+ (?:more|common))/;

/** Whether a line is the first one of an event. */
export function startsEvent(pattern: LinePattern, line: string): boolean {
  if (pattern.multiline === "none") return true;
  if (pattern.multiline === "indented") return !goesOn.test(line);
  return line.length <= pattern.lineUnitsMax && pattern.match(line) !== null;
}

/**
 * Where the last event of whole lines starts: what is before it is whole, whatever follows. 0 where
 * there is one event, or none.
 */
export function lastEventStart(pattern: LinePattern, bytes: Buffer): number {
  let end = bytes.lastIndexOf(newline) + 1;
  if (pattern.multiline === "none") return end;
  while (end > 0) {
    const start = end < 2 ? 0 : bytes.lastIndexOf(newline, end - 2) + 1;
    const line = textOfLine(bytes, start, end);
    if (line !== "" && startsEvent(pattern, line)) return start;
    end = start;
  }
  return 0;
}

function textOfLine(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("utf8", start, end).replace(/\r?\n$/, "");
}
