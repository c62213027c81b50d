import { createHash } from "node:crypto";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { ExpectedRows } from "../../tree/expectedRows.js";

/** What names the rows of a range, and the leaves that have them. */
interface RowsDeps {
  readonly expectedRows: Pick<ExpectedRows, "version">;
  /**
   * Differs once a leaf has started again, as it may have lost rows, or been made again from a copy; and while one is away.
   */
  readonly leafStates: () => string;
}

/** Differs where rows of these ranges do. Null: they are not known, or change now. */
export function rowsVersion(
  { table, sides }: RangesOfTable,
  { expectedRows, leafStates }: RowsDeps,
): string | null {
  const versions = [leafStates()];
  for (const { fromMs, toMs } of sides) {
    const version = expectedRows.version?.(table, fromMs, toMs) ?? null;
    if (version === null) return null;
    versions.push(version);
  }
  return hashOf(versions.join("\n\n"));
}

interface RangesOfTable {
  readonly table: string;
  readonly sides: readonly { readonly fromMs: number; readonly toMs: number }[];
}

/**
 * The key of what leaves answer: of the query as it is bound to columns, with the rows that may be read, the sources of
 * functions and the time ranges; and of the version of its rows.
 */
export const answerKey = (resolved: ResolvedQuery, version: string): string =>
  `rows ${hashOf(`${version}\n${JSON.stringify(resolved)}`)}`;

/** 132 bits. */
export const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 22);
