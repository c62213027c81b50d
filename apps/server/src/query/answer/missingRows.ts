import type { Evidence } from "../../aggregate/estimate/leafEvidence.js";
import { rowsAnswered } from "../../tree/countCompleteness.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import type { SizesOfSides } from "./sizesOfSides.js";

/** Rows that are missing from an answer. */
export interface MissingRows {
  readonly sizes: SizesOfSides;
  /** Share of its rows that each part which is done has answered with, in the order of answers. */
  readonly answeredShares: readonly number[];
  /** By side of the query: whether rows are missing. */
  readonly isPart: readonly boolean[];
}

/** Null if no row is missing. */
export function missingRows(
  { answers, expected, expectedOfSides }: TreeAnswers,
  { kind }: Evidence,
  sizes: SizesOfSides,
): MissingRows | null {
  if (kind === "whole") return null;
  const done = answers.filter((answer) => answer.done);
  const lacking = new Set<string>();
  const doneIds = new Set<string>();
  const answeredShares = done.map(({ leaves }) => {
    let [of, answered] = [0, 0];
    for (const { leafId, stats } of leaves) {
      const rows = expected.get(leafId) ?? 0;
      const rowsHere = rowsAnswered(stats, rows);
      of += rows;
      answered += rowsHere;
      doneIds.add(leafId);
      if (rowsHere < rows) lacking.add(leafId);
    }
    return of === 0 ? 1 : answered / of;
  });
  const isPart = expectedOfSides.map((side) =>
    [...side].some(([leafId, rows]) => rows > 0 && (lacking.has(leafId) || !doneIds.has(leafId))),
  );
  return { sizes, answeredShares, isPart };
}
