import type { AnswerPart } from "../../aggregate/cut/askedGroups.js";
import type { Evidence } from "../../aggregate/estimate/leafEvidence.js";
import { rowsAnswered } from "../../tree/countCompleteness.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import type { SizesOfSides } from "./sizesOfSides.js";

/**
 * What an answer is based on. A leaf that is not done counts as missing: it has scanned some time ranges, which
 * are no evidence for others. If leaves that are done lack rows, or cut groups of which others sent a part, it is
 * unknown what is missing from which group.
 */
export function evidenceOf(
  { expected, expectedOfSides, answers, completeness }: TreeAnswers,
  parts: readonly AnswerPart[],
  { final, sizesOf }: { readonly final: boolean; readonly sizesOf: SizesOfSides },
): Evidence {
  if (completeness.known === false) return { kind: "unknown" };
  if (completeness.fraction === 1 && completeness.leaves.missing.length === 0) {
    return { kind: "whole" };
  }
  const done = answers.filter((answer) => answer.done);
  const rowsOf = (leafId: string): number => expected.get(leafId) ?? 0;
  const lacksRows = done.some(({ leaves }) =>
    leaves.some(({ leafId, stats }) => rowsAnswered(stats, rowsOf(leafId)) < rowsOf(leafId)),
  );
  // For the final answer the second question has fetched the cut groups.
  const isCut = parts.some(({ partial }) => partial.sides.some(({ groupsCut }) => groupsCut > 0));
  if (lacksRows || (isCut && !final)) return { kind: "unknown" };
  const doneIds = new Set(done.flatMap(({ leaves }) => leaves.map(({ leafId }) => leafId)));
  const isMissing = ([leafId, rows]: readonly [string, number]): boolean =>
    rows > 0 && !doneIds.has(leafId);
  if (!expectedOfSides.some((side) => [...side].some(isMissing))) return { kind: "whole" };
  const sizes = expectedOfSides.map((_, side) => sizesOf(side));
  const leaves = done.map(({ partId }) => ({
    parts: parts.flatMap((part) => (part.partId === partId ? [part.partial] : [])),
  }));
  const doneParts = new Set(done.map(({ partId }) => partId));
  const mergesUnfinished = parts.some(({ partId }) => !doneParts.has(partId));
  return { kind: "leaves", leaves, sizes, mergesUnfinished };
}
