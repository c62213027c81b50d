import type { Completeness } from "@hadal/sdk";
import type { LeafReport } from "../cluster/treeProtocol.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { ExpectedRows } from "./expectedRows.js";

/** Rows that each leaf should hold, for each side of a query. Read it before asking: rows that come later are not missing. */
export function readExpected(
  { table, sides }: ResolvedQuery,
  expectedRows: Pick<ExpectedRows, "expected">,
): readonly ReadonlyMap<string, number>[] {
  return sides.map(({ fromMs, toMs }) => expectedRows.expected(table, fromMs, toMs));
}

/** How many of the expected rows no query can see, over all sides. */
export const readUnseen = (
  { table, sides }: ResolvedQuery,
  expectedRows: Pick<ExpectedRows, "unseen">,
): number =>
  sides.reduce(
    (sum, { fromMs, toMs }) => sum + (expectedRows.unseen?.(table, fromMs, toMs) ?? 0),
    0,
  );

/** Why the expected rows are unknown; null where they are known. */
export function readDoubt(
  { table, sides }: ResolvedQuery,
  expectedRows: Pick<ExpectedRows, "doubt">,
): string | null {
  const fromMs = Math.min(...sides.map((side) => side.fromMs));
  return expectedRows.doubt(table, fromMs, endOf({ sides }));
}

/** Why rows on leaves that have not answered themselves may be uncounted; null: they are counted. */
export function readDoubtOfLeaves(
  resolved: Pick<ResolvedQuery, "sides">,
  leafIds: readonly string[],
  expectedRows: Pick<ExpectedRows, "doubtOfLeaves">,
): string | null {
  return expectedRows.doubtOfLeaves?.(leafIds, endOf(resolved)) ?? null;
}

const endOf = ({ sides }: Pick<ResolvedQuery, "sides">): number =>
  Math.max(...sides.map(({ toMs }) => toMs));

/** Of uncounted rows the share is unknown; 0 is never too high. */
export function inDoubt(completeness: Completeness, reason: string | null): Completeness {
  return reason === null ? completeness : { ...completeness, fraction: 0, known: false, reason };
}

/** Rows that each leaf should hold, over all sides. */
export function addSides(sides: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const side of sides) {
    for (const [leafId, rows] of side) total.set(leafId, (total.get(leafId) ?? 0) + rows);
  }
  return total;
}

/** Rows of one leaf that stand behind the answer: never more than were expected of it. */
export function rowsAnswered(
  { rowsHeld, share }: Pick<LeafReport["stats"], "rowsHeld" | "share">,
  expected: number,
): number {
  return Math.min(expected, Math.floor(rowsHeld * share));
}

/**
 * Like is compared with like: expected rows of leaves that are no longer listed count as missing too.
 * `unseen`: expected rows that no leaf shows; newer rows of a leaf, which are not counted yet, would
 * hide that they are missing.
 */
export function countCompleteness(
  leafIds: readonly string[],
  expected: ReadonlyMap<string, number>,
  answers: readonly LeafReport[],
  unseen = 0,
): Completeness {
  const byLeaf = new Map(answers.map((answer) => [answer.leafId, answer]));
  const all = [...new Set([...leafIds, ...withRows(expected)])];
  const missing = all.filter((leafId) => byLeaf.get(leafId)?.done !== true);
  let expectedTotal = 0;
  let answeredTotal = 0;
  let silentTotal = 0;
  for (const leafId of all) {
    const rows = expected.get(leafId) ?? 0;
    const answer = byLeaf.get(leafId);
    expectedTotal += rows;
    if (answer !== undefined) answeredTotal += rowsAnswered(answer.stats, rows);
    else silentTotal += rows;
  }
  // Hints are kept for a silent leaf, and counted on another one.
  const shownMax = expectedTotal - silentTotal - unseen;
  answeredTotal = Math.max(0, Math.min(answeredTotal, shownMax));
  const answeredLeaves = all.length - missing.length;
  // Without rows to count (an empty range, a table just made) the leaves themselves are counted.
  const fraction =
    expectedTotal === 0 ? answeredLeaves / Math.max(1, all.length) : answeredTotal / expectedTotal;
  return {
    fraction,
    rowsExpected: expectedTotal,
    rowsAnswered: answeredTotal,
    leaves: { answered: answeredLeaves, total: all.length, missing },
  };
}

function withRows(expected: ReadonlyMap<string, number>): string[] {
  return [...expected].filter(([, rows]) => rows > 0).map(([leafId]) => leafId);
}
