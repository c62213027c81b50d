import { HadalError } from "@hadal/sdk";
import { groupsToAskAgain, joinParts, type SecondQuestion } from "../aggregate/askedGroups.js";
import { decidedParts } from "../aggregate/decidedParts.js";
import { leaveOutGroups } from "../aggregate/leaveOutGroups.js";
import type { PartialResult } from "../aggregate/partialResult.js";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import type { SplitQuery } from "../plan/splitQuery.js";
import type { LeafAnswer, QueriedLeaf, TreeAnswers } from "../tree/askLeaves.js";

export type AskOnce = (
  leaves: readonly QueriedLeaf[],
  onAnswers: (answers: TreeAnswers) => void,
) => Promise<TreeAnswers>;

export const partsOf = ({ answers }: TreeAnswers): readonly PartialResult[] =>
  answers.map(({ partial }) => partial);

/**
 * What to merge: the answers, and what a second question brings of the groups to be shown where a leaf's
 * cut may have left a part of them out, so that every number shown is whole. Where a leaf does not answer
 * a second time, its first answer stays, and the groups that it may have a part of are left out instead.
 */
export async function completeGroups(
  first: TreeAnswers,
  split: SplitQuery,
  leaves: readonly QueriedLeaf[],
  ask: AskOnce,
): Promise<readonly PartialResult[]> {
  const { resolved } = split;
  const decided = decidedParts(first.answers, split);
  if (decided !== null) return decided;
  const again = resolved.sample === null ? groupsToAskAgain(first.answers, resolved) : null;
  if (again === null) return partsOf(first);
  const asked = leaves.map((leaf): QueriedLeaf => {
    const only = again.of(leaf.id);
    return {
      id: leaf.id,
      streamQuery: (query, options) => leaf.streamQuery({ ...query, only }, options),
    };
  });
  return joinAnswers(first.answers, await askAgain(asked, ask), again, resolved);
}

async function askAgain(
  leaves: readonly QueriedLeaf[],
  ask: AskOnce,
): Promise<readonly LeafAnswer[]> {
  try {
    return (await ask(leaves, () => {})).answers;
  } catch (error) {
    if (error instanceof HadalError && error.code === "no-leaves") return [];
    throw error;
  }
}

function joinAnswers(
  first: readonly LeafAnswer[],
  second: readonly LeafAnswer[],
  again: SecondQuestion,
  resolved: ResolvedQuery,
): readonly PartialResult[] {
  const firstOf = new Map(first.map((answer) => [answer.leafId, answer]));
  const secondOf = new Map(second.map((answer) => [answer.leafId, answer]));
  const parts = [...firstOf.values()].flatMap((before) => {
    const after = secondOf.get(before.leafId);
    if (after === undefined || !standsFor(before, after)) return before.partial;
    // A leaf that was not done was asked for all of its part of the groups.
    return before.done ? joinParts(before.partial, after.partial, resolved) : after.partial;
  });
  // A leaf that was not done is named as missing with what it did not say: only of the others more is claimed.
  const unknown = first.filter((before) => {
    const after = secondOf.get(before.leafId);
    return before.done && (after === undefined || !standsFor(before, after));
  });
  return leaveOutGroups(
    parts,
    unknown.map(({ leafId }) => again.of(leafId)),
    resolved,
  );
}

/** Whether a second answer stands on all the rows that the first one did: a leaf may have started anew in between. */
function standsFor(before: LeafAnswer, after: LeafAnswer): boolean {
  const rowsOf = ({ stats }: LeafAnswer): number => Math.floor(stats.rowsHeld * stats.share);
  return (after.done || !before.done) && rowsOf(after) >= rowsOf(before);
}
