import { LeafMinutes } from "../../aggregate/estimate/leafMinutes.js";
import { createTimeSizes, type TimeSizes } from "../../aggregate/estimate/timeSizes.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { TreeAnswers } from "../../tree/askLeaves.js";
import type { ExpectedMinutes } from "./expectedMinutes.js";

/** By side of a query: expected rows of the leaves that are done (in the order of answers) and of the others. */
export type SizesOfSides = (side: number) => TimeSizes;

const noMinutes = new LeafMinutes({ minutes: [], counts: [] });

/** Computed on first use. */
export function sizesOfSides(
  { answers }: Pick<TreeAnswers, "answers">,
  { sides }: Pick<ResolvedQuery, "sides">,
  minutes: ExpectedMinutes,
): SizesOfSides {
  const done = answers.filter((answer) => answer.done);
  const doneIds = new Set(done.map(({ leafId }) => leafId));
  const known: TimeSizes[] = [];
  return (side) => {
    const ofLeaves = minutes(side);
    known[side] ??= createTimeSizes(
      done.map(({ leafId }) => ofLeaves.get(leafId) ?? noMinutes),
      [...ofLeaves].flatMap(([id, rows]) => (doneIds.has(id) ? [] : [rows])),
      sides[side]!.toMs - sides[side]!.fromMs,
    );
    return known[side];
  };
}
