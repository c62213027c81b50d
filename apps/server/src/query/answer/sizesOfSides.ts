import { addMinutes } from "../../aggregate/estimate/leafMinutes.js";
import { createTimeSizes, type TimeSizes } from "../../aggregate/estimate/timeSizes.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import type { ExpectedMinutes } from "./expectedMinutes.js";

/** By side of a query: expected rows of the parts that are done (in the order of answers) and of the other leaves. */
export type SizesOfSides = (side: number) => TimeSizes;

/** Computed on first use. */
export function sizesOfSides(
  { answers }: Pick<TreeAnswers, "answers">,
  { sides }: Pick<ResolvedQuery, "sides">,
  minutes: ExpectedMinutes,
): SizesOfSides {
  const done = answers.filter((answer) => answer.done);
  const doneIds = new Set(done.flatMap(({ leaves }) => leaves.map(({ leafId }) => leafId)));
  const known: TimeSizes[] = [];
  return (side) => {
    const ofLeaves = minutes(side);
    known[side] ??= createTimeSizes(
      done.map(({ leaves }) =>
        addMinutes(leaves.flatMap(({ leafId }) => ofLeaves.get(leafId) ?? [])),
      ),
      [...ofLeaves].flatMap(([id, rows]) => (doneIds.has(id) ? [] : [rows])),
      sides[side]!.toMs - sides[side]!.fromMs,
    );
    return known[side];
  };
}
