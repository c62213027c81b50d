import { LeafMinutes, withoutNewest } from "../../aggregate/estimate/leafMinutes.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { ExpectedRows } from "../../tree/expectedRows.js";

/** By side of a query: the expected rows of each leaf per minute. */
export type ExpectedMinutes = (side: number) => ReadonlyMap<string, LeafMinutes>;

/**
 * Reads the minutes on first use, when rows are missing: most queries do not need them. `expectedOfSides`: expected rows of
 * each leaf when the query began; later ones are left out.
 */
export function expectedMinutes(
  { table, sides }: ResolvedQuery,
  expectedRows: Pick<ExpectedRows, "expectedMinutes">,
): (expectedOfSides: readonly ReadonlyMap<string, number>[]) => ExpectedMinutes {
  const known: ReadonlyMap<string, LeafMinutes>[] = [];
  return (expectedOfSides) => (side) => {
    const { fromMs, toMs } = sides[side]!;
    known[side] ??= new Map(
      [...expectedRows.expectedMinutes(table, fromMs, toMs)].map(([leafId, rows]) => {
        const before = expectedOfSides[side]!.get(leafId) ?? 0;
        return [leafId, new LeafMinutes(withoutNewest(rows, before))] as const;
      }),
    );
    return known[side];
  };
}
