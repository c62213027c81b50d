import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { type ColumnQuestions, placesOf } from "../study/columnStudy.js";
import { sampleOf } from "./columnCandidates.js";
import { addSamples, nothing, type Sample } from "./compareShares.js";
import type { Sets } from "./rankChanges.js";

/**
 * Both sets, whole. Of a group without others leaves estimate the squares of the weights from some of its rows; where a
 * column parts all rows among its groups, their squares add up to the truth.
 */
export function readSets(
  { sides, branches = [] }: PartialResult,
  { finish }: SplitQuery,
  questions: readonly ColumnQuestions[],
): Sets {
  const spreadIndex = finish.aggregates[0]?.spreadIndex ?? null;
  const parted = partedBranch(branches, questions);
  const [a, b] = sides.map((side, i): Sample => {
    const whole = sampleOf(side, 0, spreadIndex);
    const groups = parted?.sides[i];
    if (groups === undefined) return whole;
    let { squares } = nothing;
    for (let group = 0; group < groups.groupCount; group++) {
      squares = addSamples({ ...nothing, squares }, sampleOf(groups, group, spreadIndex)).squares;
    }
    return { ...whole, squares };
  });
  if (a === undefined || b === undefined) throw new Error("two sets are compared");
  return { a, b };
}

/** The groups of a column of which every row is in one, and none is left out. */
function partedBranch(
  branches: NonNullable<PartialResult["branches"]>,
  questions: readonly ColumnQuestions[],
): PartialResult | null {
  const places = placesOf(questions);
  for (const [i, { column }] of questions.entries()) {
    const { values, ranges } = places[i]!;
    const isList = column.type === "set" || column.type === "vector";
    for (const place of isList ? [] : [ranges, values]) {
      const found = branches[place] ?? null;
      if (found?.sides.every(({ groupsCut }) => groupsCut === 0) === true) return found;
    }
  }
  return null;
}
