import { type FunctionTrialResult, HadalError } from "@hadal/sdk";
import type { CodeFault } from "../../ui/code/CodeEditor.js";

/** An error at a position of the source; line and column start at 1. */
export interface SourceFault {
  readonly line: number;
  readonly column: number;
  readonly detail: string;
}

/** The distinct positions that an error or a trial reports. */
export function faultsOf(from: HadalError | FunctionTrialResult): readonly SourceFault[] {
  const parts =
    from instanceof HadalError
      ? from.errors
      : from.results.flatMap((result) => ("error" in result ? [result.error] : []));
  const faults = new Map<string, SourceFault>();
  for (const { detail, line, column } of parts) {
    if (line === undefined) continue;
    const at = typeof column === "number" ? column : 1;
    faults.set(`${line}:${at} ${detail}`, { line, column: at, detail });
  }
  return [...faults.values()].slice(0, 20);
}

/** The word at each fault, limited to its line. */
export function placesIn(source: string, faults: readonly SourceFault[]): readonly CodeFault[] {
  const lines = source.split("\n");
  return faults.map(({ line, column, detail }) => {
    const index = Math.min(Math.max(1, line), lines.length) - 1;
    const start = lines.slice(0, index).reduce((sum, { length }) => sum + length + 1, 0);
    const text = lines[index] ?? "";
    const from = start + Math.min(Math.max(0, column - 1), text.length);
    const word = /^[\p{L}\p{N}_$]+/u.exec(text.slice(from - start))?.[0].length ?? 1;
    return { from, to: Math.min(from + word, source.length), detail };
  });
}

/** The error message, with the line if the message has none. */
export function messageOf(error: HadalError): string {
  const [first] = error.errors;
  if (first?.line === undefined || /line \d/i.test(error.message)) return error.message;
  return `Line ${first.line}: ${first.detail}`;
}
