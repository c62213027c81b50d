import {
  type AnswerPart,
  groupsToAskAgain,
  joinDecided,
  joinParts,
  type SecondQuestion,
} from "../aggregate/cut/askedGroups.js";
import { type DecidedParts, decideSteps } from "../aggregate/cut/decidedParts.js";
import { leaveOutGroups } from "../aggregate/cut/leaveOutGroups.js";
import type { PartialResult } from "../aggregate/partial/partialResult.js";
import { inTurns } from "../base/schedule/steps.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { AskedGroups, ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../plan/query/splitQuery.js";
import type { PartAnswer } from "./partAnswer.js";
import { leafIdsOf, type PartitionCopies, type QueriedNode } from "./queriedNode.js";
import type { TreeAnswers } from "./treeAnswers.js";

/** Asks again; returns the answers that arrive. */
export type AskAgain = (nodes: readonly QueriedNode[]) => Promise<readonly PartAnswer[]>;

export interface SecondAsking {
  readonly askAgain: AskAgain;
  readonly signal: StopSignal;
}

/** The first answers, as parts to merge. */
export const partsOf = ({ answers }: TreeAnswers): readonly AnswerPart[] => answers;

export interface CompletedParts {
  readonly parts: readonly AnswerPart[];
  /** Whether no other group could be among the shown ones. */
  readonly isDecided: boolean;
  /** Whether groups of one leaf are left out because another leaf did not send its part. */
  readonly areLeftOut: boolean;
}

/**
 * The parts to merge, so that every number shown is complete. A second question asks for the parts of groups
 * that a leaf's cut may have left out. Where a leaf does not answer it, its first answer stays, and the
 * groups of which it may have a part are left out.
 */
export async function completeGroups(
  first: TreeAnswers,
  split: SplitQuery,
  { askAgain, signal }: SecondAsking,
): Promise<CompletedParts> {
  const { resolved } = split;
  const decided = await inTurns(decideSteps(first.answers, split), signal);
  if (decided?.question === null) {
    const parts = withPartials(first.answers, decided.parts);
    return { parts, isDecided: decided.unsentIsLess, areLeftOut: false };
  }
  const again = decided?.question ?? undecided(first, resolved);
  if (again === null) return { parts: partsOf(first), isDecided: false, areLeftOut: false };
  const second = await askAgain(
    first.answers.map(({ partId, source }) => askedFor(again.of(partId), source)),
  );
  const answers = first.answers.map((before, i) => ({
    before,
    after: second.find(({ partId }) => partId === before.partId),
    decided: decided?.parts[i] ?? null,
  }));
  return joinAnswers(answers, again, decided, resolved);
}

/** The node, asked for these groups. */
export function askedFor(only: AskedGroups, node: QueriedNode): QueriedNode {
  const { id, leafIds, copies } = node;
  // Of several partitions in one part, no copy can stand for one alone.
  const isAlone = copies !== undefined && leafIdsOf(node).length === 1;
  return {
    ...{ id, ...(leafIds && { leafIds }), ...(isAlone && { copies: copiesFor(only, copies) }) },
    ...(node.restrictedTo && {
      restrictedTo: (some) => askedFor(only, node.restrictedTo!(some)),
    }),
    streamQuery: (query, options) => node.streamQuery({ ...query, only }, options),
  };
}

const copiesFor = (only: AskedGroups, { of, budget }: PartitionCopies): PartitionCopies => ({
  budget,
  of(leafId) {
    const copy = of(leafId);
    return copy === null ? null : askedFor(only, copy);
  },
});

function undecided({ answers }: TreeAnswers, resolved: ResolvedQuery): SecondQuestion | null {
  return resolved.sample === null ? groupsToAskAgain(answers, resolved) : null;
}

/** The answers of one leaf. */
interface BothAnswers {
  readonly before: PartAnswer;
  readonly after: PartAnswer | undefined;
  /** The part of its first answer that may be shown; null: not known. */
  readonly decided: PartialResult | null;
}

function joinAnswers(
  answers: readonly BothAnswers[],
  again: SecondQuestion,
  decided: DecidedParts | null,
  resolved: ResolvedQuery,
): CompletedParts {
  const parts = answers.flatMap(({ before, after, decided }): readonly AnswerPart[] => {
    const own = (partial: PartialResult): AnswerPart => ({ ...before, partial });
    const first = decided ?? before.partial;
    if (after === undefined || !standsFor(before, after)) return [own(first)];
    // A leaf that was not done was asked for its whole part of the groups.
    if (!before.done) return [after];
    const joined =
      decided === null
        ? joinParts(first, after.partial, resolved)
        : joinDecided(first, after.partial);
    return joined.map(own);
  });
  // A leaf that was not done counts as partly missing anyway: only the others have to be complete.
  const unknown = answers.filter(
    ({ before, after }) => before.done && (after === undefined || !standsFor(before, after)),
  );
  const lacking = unknown.map(({ before }) => again.of(before.partId));
  const areLeftOut = lacking.some(({ groupCount }) => groupCount > 0);
  const unasked = areLeftOut ? decided?.unasked : null;
  if (unasked != null) lacking.push(...answers.map(({ before }) => unasked.of(before.partId)));
  const whole = leaveOutGroups(
    parts.map(({ partial }) => partial),
    lacking,
    resolved,
  );
  // No group that could be shown is left out, once the open ones are complete.
  const isDecided = decided?.unsentIsLess === true;
  return { parts: withPartials(parts, whole), isDecided, areLeftOut };
}

function withPartials(
  parts: readonly AnswerPart[],
  partials: readonly PartialResult[],
): readonly AnswerPart[] {
  return parts.map(({ partId, done }, i) => ({ partId, done, partial: partials[i]! }));
}

/** Whether a second answer covers all rows of the first: the leaf may have restarted in between. */
export function standsFor(before: PartAnswer, after: PartAnswer): boolean {
  const rowsOf = ({ leaves }: PartAnswer): number =>
    leaves.reduce((sum, { stats }) => sum + Math.floor(stats.rowsHeld * stats.share), 0);
  return (after.done || !before.done) && rowsOf(after) >= rowsOf(before);
}
