import {
  groupsToAskAgain,
  joinDecided,
  joinParts,
  type LeafPart,
  type SecondQuestion,
} from "../../aggregate/cut/askedGroups.js";
import { type DecidedParts, decideSteps } from "../../aggregate/cut/decidedParts.js";
import { leaveOutGroups } from "../../aggregate/cut/leaveOutGroups.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { inTurns } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { LeafAnswer, QueriedLeaf, TreeAnswers } from "../../tree/askLeaves.js";

/** What leaves say to a second question; empty where none says anything more. */
export type AskAgain = (leaves: readonly QueriedLeaf[]) => Promise<readonly LeafAnswer[]>;

/** What leaves said first. */
export const partsOf = ({ answers }: TreeAnswers): readonly LeafPart[] => answers;

export interface CompletedParts {
  readonly parts: readonly LeafPart[];
  /** No group that is not among them could be among those to be shown. */
  readonly isDecided: boolean;
  /** Groups that some leaf sent are not among them, since another did not say what it has of them. */
  readonly areLeftOut: boolean;
}

/**
 * What to merge: the answers, and what a second question brings of the groups to be shown where a leaf's
 * cut may have left a part of them out, so that every number shown is whole. Where a leaf does not answer
 * a second time, its first answer stays, and the groups that it may have a part of are left out instead.
 */
export async function completeGroups(
  first: TreeAnswers,
  split: SplitQuery,
  leaves: readonly QueriedLeaf[],
  askAgain: AskAgain,
  signal: StopSignal,
): Promise<CompletedParts> {
  const { resolved } = split;
  const decided = await inTurns(decideSteps(first.answers, split), signal);
  if (decided?.question === null) {
    const parts = withPartials(first.answers, decided.parts);
    return { parts, isDecided: decided.unsentIsLess, areLeftOut: false };
  }
  const again = decided?.question ?? undecided(first, resolved);
  if (again === null) return { parts: partsOf(first), isDecided: false, areLeftOut: false };
  const asked = leaves.map((leaf): QueriedLeaf => {
    const only = again.of(leaf.id);
    return {
      id: leaf.id,
      streamQuery: (query, options) => leaf.streamQuery({ ...query, only }, options),
    };
  });
  const second = await askAgain(asked);
  const answers = first.answers.map((before, i) => ({
    before,
    after: second.find(({ leafId }) => leafId === before.leafId),
    decided: decided?.parts[i] ?? null,
  }));
  return joinAnswers(answers, again, decided, resolved);
}

function undecided({ answers }: TreeAnswers, resolved: ResolvedQuery): SecondQuestion | null {
  return resolved.sample === null ? groupsToAskAgain(answers, resolved) : null;
}

/** What one leaf said. */
interface BothAnswers {
  readonly before: LeafAnswer;
  readonly after: LeafAnswer | undefined;
  /** Of its first answer what may be shown; null: that is not known. */
  readonly decided: PartialResult | null;
}

function joinAnswers(
  answers: readonly BothAnswers[],
  again: SecondQuestion,
  decided: DecidedParts | null,
  resolved: ResolvedQuery,
): CompletedParts {
  const parts = answers.flatMap(({ before, after, decided }): readonly LeafPart[] => {
    const own = (partial: PartialResult): LeafPart => ({ ...before, partial });
    const first = decided ?? before.partial;
    if (after === undefined || !standsFor(before, after)) return [own(first)];
    // A leaf that was not done was asked for all of its part of the groups.
    if (!before.done) return [after];
    const joined =
      decided === null
        ? joinParts(first, after.partial, resolved)
        : joinDecided(first, after.partial);
    return joined.map(own);
  });
  // A leaf that was not done is named as missing with what it did not say: only of the others more is claimed.
  const unknown = answers.filter(
    ({ before, after }) => before.done && (after === undefined || !standsFor(before, after)),
  );
  const lacking = unknown.map(({ before }) => again.of(before.leafId));
  const areLeftOut = lacking.some(({ groupCount }) => groupCount > 0);
  const unasked = areLeftOut ? decided?.unasked : null;
  if (unasked != null) lacking.push(...answers.map(({ before }) => unasked.of(before.leafId)));
  const whole = leaveOutGroups(
    parts.map(({ partial }) => partial),
    lacking,
    resolved,
  );
  // No group is left out that could be shown, once those left open are whole.
  const isDecided = decided?.unsentIsLess === true;
  return { parts: withPartials(parts, whole), isDecided, areLeftOut };
}

function withPartials(
  parts: readonly LeafPart[],
  partials: readonly PartialResult[],
): readonly LeafPart[] {
  return parts.map(({ leafId, done }, i) => ({ leafId, done, partial: partials[i]! }));
}

/** Whether a second answer stands on all the rows that the first one did: a leaf may have started anew in between. */
export function standsFor(before: LeafAnswer, after: LeafAnswer): boolean {
  const rowsOf = ({ stats }: LeafAnswer): number => Math.floor(stats.rowsHeld * stats.share);
  return (after.done || !before.done) && rowsOf(after) >= rowsOf(before);
}
