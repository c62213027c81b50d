import { HadalError } from "@hadal/sdk";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { readExpected } from "./countCompleteness.js";
import type { ExpectedRows } from "./expectedRows.js";
import type { TreeAnswers } from "./treeAnswers.js";

export interface CheckOptions {
  readonly resolved: ResolvedQuery;
  readonly expectedRows: Pick<ExpectedRows, "expected">;
  /** Refuse rather than answer with less than all. */
  readonly exact: boolean;
}

/** Throws where so little answered that it would look right but be wrong, or less than an exact query needs. */
export function checkAnswers(collected: TreeAnswers, options: CheckOptions): TreeAnswers {
  const { completeness, answers } = collected;
  const missing = completeness.leaves.missing.join(", ");
  const isEmpty = answers.every(({ done, stats }) => !done && stats.share === 0);
  if (isEmpty) {
    throw (
      whyNothing(collected) ?? new HadalError("no-leaves", { missing: missing || "there are none" })
    );
  }
  if (options.exact && (completeness.fraction < 1 || missing !== "")) {
    // Never "100 %": it is refused because something is missing.
    if (isFault(collected)) throw leafFailed(collected);
    const percent = Math.min(99.9, Math.floor(completeness.fraction * 1_000) / 10);
    throw new HadalError("incomplete", {
      percent,
      missing: completeness.reason ?? (missing || "rows of leaves that answered"),
    });
  }
  checkRowsAnswered(collected, options);
  return collected;
}

/** Throws when none of the expected rows answered: an answer of zero rows would look right. */
function checkRowsAnswered(
  collected: TreeAnswers,
  { resolved, expectedRows }: Pick<CheckOptions, "resolved" | "expectedRows">,
): void {
  if (leavesOfLostSide(collected) === null) return;
  // Rows that retention removed since the query began are not missing.
  const now = readExpected(resolved, expectedRows);
  const expectedOfSides = collected.expectedOfSides.map((side, i) => {
    const left = [...side].map(([id, rows]) => [id, Math.min(rows, now[i]!.get(id) ?? 0)] as const);
    return new Map(left);
  });
  const lost = leavesOfLostSide({ ...collected, expectedOfSides });
  if (lost === null) return;
  const { failures } = collected;
  if (lost.some((id) => failures.get(id)?.code === "internal")) throw leafFailed(collected);
  throw new HadalError("no-leaves", { missing: lost.join(", ") });
}

/** The leaves with the rows of a side of which none answered; null where every side has an answer or no rows. */
export function leavesOfLostSide({
  expectedOfSides,
  answers,
}: Pick<TreeAnswers, "expectedOfSides" | "answers">): readonly string[] | null {
  const holding = new Set(
    answers.flatMap(({ leaves }) =>
      leaves.flatMap(({ leafId, stats }) =>
        stats.rowsHeld > 0 && stats.share > 0 ? [leafId] : [],
      ),
    ),
  );
  for (const side of expectedOfSides) {
    const leafIds = [...side].flatMap(([leafId, rows]) => (rows > 0 ? [leafId] : []));
    if (leafIds.length > 0 && !leafIds.some((leafId) => holding.has(leafId))) return leafIds;
  }
  return null;
}

/** The problem that all missing leaves sent; null where they differ or some sent none. */
function whyNothing(collected: TreeAnswers): HadalError | null {
  if (isFault(collected)) return leafFailed(collected);
  const { failures, completeness } = collected;
  const [first, ...others] = failures.values();
  if (first === undefined || failures.size < completeness.leaves.missing.length) return null;
  return others.every(({ code }) => code === first.code) ? first : null;
}

function isFault({ failures }: TreeAnswers): boolean {
  return [...failures.values()].some(({ code }) => code === "internal");
}

function leafFailed({ failures }: TreeAnswers): HadalError {
  const faults = [...failures].filter(([, { code }]) => code === "internal");
  faults.sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  const parts = faults.map(([leafId, { code, message }]) => ({
    code,
    detail: `${leafId}: ${message}`,
  }));
  const leaves = faults.map(([leafId]) => leafId).join(", ");
  return new HadalError("leaf-failed", { leaves, detail: parts[0]?.detail ?? "" }, parts);
}
