import { HadalError } from "@hadal/sdk";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { filterColumns } from "../../plan/schema/bindColumns.js";
import type { SchemaColumn } from "../../plan/schema/tableSchema.js";

/** A question about columns that scans alone can answer. */
export interface ScannedColumns {
  readonly rows: SplitQuery;
  readonly columns: readonly SchemaColumn[];
  /** Columns that are left out. */
  readonly left: readonly string[];
}

/**
 * Leaves out the derived columns that need the sandbox, and what is derived from them: a question about all columns would
 * wait for them. Refuses a filter by one, and a question about no others.
 */
export function withoutSandbox(rows: SplitQuery, columns: readonly SchemaColumn[]): ScannedColumns {
  const { derived = [], ...stored } = rows.resolved;
  const slow = new Set<string>();
  for (const { name, inputs, how } of derived) {
    if (how.kind === "sandbox" || inputs.some((input) => slow.has(input.name))) slow.add(name);
  }
  if (slow.size === 0) return { rows, columns, left: [] };
  const kept = columns.filter(({ name }) => !slow.has(name));
  const isFilter = filterColumns(rows.resolved).some((name) => slow.has(name));
  if (isFilter || (kept.length === 0 && columns.length > 0)) refuseSandbox(rows.resolved);
  const scanned = derived.filter(({ name }) => !slow.has(name));
  const resolved = scanned.length === 0 ? stored : { ...stored, derived: scanned };
  const left = columns.flatMap(({ name }) => (slow.has(name) ? [name] : []));
  return { rows: { ...rows, resolved }, columns: kept, left };
}

/** Functions that need the sandbox are asked row by row, in rounds that no other question shares. */
export function refuseSandbox({ derived = [] }: ResolvedQuery): void {
  const found = derived.find(({ how }) => how.kind === "sandbox");
  if (found === undefined) return;
  const what = "A function that needs the sandbox, in questions about all columns,";
  const advice = "Filter by stored columns, or by what compiles.";
  throw new HadalError("unsupported", { what, advice }, [
    {
      path: `derive[${found.index}]`,
      code: "unsupported",
      detail: `${what} is not supported. ${advice}`,
    },
  ]);
}
