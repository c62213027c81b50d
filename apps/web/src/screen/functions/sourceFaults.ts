import { type FunctionTrialResult, HadalError } from "@hadal/sdk";
import type { SourceFault } from "./CodeEditor.js";

/** The places in the source that a refusal or a trial speaks of, each once. */
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

/** What went wrong, with its place where the text does not say it. */
export function messageOf(error: HadalError): string {
  const [first] = error.errors;
  if (first?.line === undefined || /line \d/i.test(error.message)) return error.message;
  return `Line ${first.line}: ${first.detail}`;
}
