import type { LeafPart } from "../../aggregate/cut/askedGroups.js";
import type { Evidence } from "../../aggregate/estimate/leafEvidence.js";
import type { TreeAnswers } from "../../tree/askLeaves.js";
import { rowsAnswered } from "../../tree/countCompleteness.js";
import type { SizesOfSides } from "./sizesOfSides.js";

/**
 * What stands behind an answer. A leaf that is not done counts as missing: of a table in order of time it has
 * scanned some stretches, which say little of the others. Where leaves that are done lack rows, or have cut
 * groups of which others sent a part, it is unknown what is missing of which group.
 */
export function evidenceOf(
  { expected, expectedOfSides, answers, completeness }: TreeAnswers,
  parts: readonly LeafPart[],
  { final, sizesOf }: { readonly final: boolean; readonly sizesOf: SizesOfSides },
): Evidence {
  if (completeness.known === false) return { kind: "unknown" };
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
  const isMissing = ([leafId, rows]: readonly [string, number]): boolean =>
    rows > 0 && !doneIds.has(leafId);
  if (!expectedOfSides.some((side) => [...side].some(isMissing))) return { kind: "whole" };
  const sizes = expectedOfSides.map((_, side) => sizesOf(side));
  const leaves = done.map(({ leafId }) => ({
    parts: parts.flatMap((part) => (part.leafId === leafId ? [part.partial] : [])),
  }));
  const mergesUnfinished = parts.some((part) => !doneIds.has(part.leafId));
  return { kind: "leaves", leaves, sizes, mergesUnfinished };
}
