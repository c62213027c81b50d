import { nearestHint } from "../problem/nearestName.js";
import type { ProblemList } from "../problem/problemList.js";

/** What a query's result columns are called, as far as that is known before its table is. */
export interface ResultNames {
  readonly names: ReadonlySet<string>;
  /** Columns of lists, not numbers. */
  readonly histograms: ReadonlySet<string>;
  readonly isSample: boolean;
  /** Whether a name that is not among them is none. */
  readonly complete: boolean;
}

/** Adds a problem when no result column has the name. */
export function checkResultName(
  name: string,
  path: string,
  { complete, names }: ResultNames,
  problems: ProblemList,
): void {
  if (!complete || names.has(name)) return;
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  const detail = `The result has no column "${shown}".${nearestHint(name, names)}`;
  problems.add(path, "unknown-result-column", detail);
}
