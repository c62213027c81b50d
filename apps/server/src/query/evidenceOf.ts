import type { LeafPart } from "../aggregate/askedGroups.js";
import type { Evidence } from "../aggregate/leafEvidence.js";
import type { TreeAnswers } from "../tree/askLeaves.js";
import { rowsAnswered } from "../tree/countCompleteness.js";

/**
 * What stands behind an answer. A leaf that is not done counts as missing: of a table in order of time it has
 * scanned some stretches, which say little of the others. Where leaves that are done lack rows, or have cut
 * groups of which others sent a part, nobody can tell what is missing of which group.
 */
export function evidenceOf(
  { expected, expectedOfSides, answers, completeness }: TreeAnswers,
  parts: readonly LeafPart[],
  final: boolean,
): Evidence {
  if (completeness.fraction === 1 && completeness.leaves.missing.length === 0) {
    return { kind: "whole" };
  }
  const done = answers.filter((answer) => answer.done);
  const rowsOf = (leafId: string): number => expected.get(leafId) ?? 0;
  const lacksRows = done.some(
    ({ leafId, stats }) => rowsAnswered(stats, rowsOf(leafId)) < rowsOf(leafId),
  );
  // The final answer has asked for what was cut.
  const isCut = parts.some(({ partial }) => partial.sides.some(({ groupsCut }) => groupsCut > 0));
  if (lacksRows || (isCut && !final)) return { kind: "unknown" };
  const doneIds = new Set(done.map(({ leafId }) => leafId));
  const missingRows = expectedOfSides.map((side) => {
    let missing = 0;
    for (const [leafId, rows] of side) if (!doneIds.has(leafId)) missing += rows;
    return missing;
  });
  if (missingRows.every((rows) => rows === 0)) return { kind: "whole" };
  const leaves = done.map(({ leafId }) => ({
    rows: expectedOfSides.map((side) => side.get(leafId) ?? 0),
    parts: parts.flatMap((part) => (part.leafId === leafId ? [part.partial] : [])),
  }));
  const mergesUnfinished = parts.some((part) => !doneIds.has(part.leafId));
  return { kind: "leaves", leaves, missingRows, mergesUnfinished };
}
