import { mergeSteps } from "../../aggregate/merge/mergePartials.js";
import { decodePartialResult, encodePartialSteps } from "../../aggregate/merge/partialCodec.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { CompletedParts } from "../../tree/completeGroups.js";
import { type PartAnswer, sumOfStats } from "../../tree/partAnswer.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";

/** What a leaf has said of its part. */
export type LeafReport = PartAnswer["leaves"][number];

interface KeptPart {
  readonly leaves: readonly LeafReport[];
  /** An encoded PartialResult. */
  readonly body: Uint8Array;
}

/** The whole answer of all leaves; merged, where that changes nothing of what is finished from it. */
export interface KeptAnswer
  extends Pick<TreeAnswers, "expected" | "expectedOfSides" | "completeness" | "snapshot">,
    Pick<CompletedParts, "isDecided"> {
  /** The first answers. */
  readonly first: readonly KeptPart[];
  /** The same with groups that were asked for a second time; null: there are none. */
  readonly completed: readonly Uint8Array[] | null;
}

/** What was asked and answered. */
export interface AnsweredParts {
  readonly answered: TreeAnswers;
  readonly completed: CompletedParts;
}

/** Whether every leaf has answered, with all of its rows. */
export function isWholeAnswer({ answers, completeness, failures }: TreeAnswers): boolean {
  const { fraction, known, leaves } = completeness;
  if (fraction !== 1 || known === false || leaves.missing.length > 0) return false;
  if (failures.size > 0 || answers.length === 0) return false;
  const reports = answers.flatMap((answer) => answer.leaves);
  return reports.every(({ done, stats }) => done && stats.unreadable === undefined);
}

/**
 * Whether others may get the answer: it is whole, and has exactly the rows that count. Where a leaf has more, it is not known
 * whether these stay.
 */
export function isKeepable({ answered, completed }: AnsweredParts): boolean {
  if (!isWholeAnswer(answered) || completed.areLeftOut) return false;
  const reports = answered.answers.flatMap((answer) => answer.leaves);
  return reports.every(
    ({ leafId, stats }) => stats.rowsHeld === (answered.expected.get(leafId) ?? 0),
  );
}

/** Whether some sender has left groups out. */
export const isCut = ({ answers }: Pick<TreeAnswers, "answers">): boolean =>
  answers.some(({ partial }) => partial.sides.some(({ groupsCut }) => groupsCut > 0));

export function* keepSteps(
  { answered, completed }: AnsweredParts,
  resolved: ResolvedQuery,
): Steps<KeptAnswer> {
  const { expected, expectedOfSides, completeness, snapshot, answers } = answered;
  const { isDecided } = completed;
  const shared = { expected, expectedOfSides, completeness, snapshot, isDecided };
  const partials = completed.parts.map(({ partial }) => partial);
  if (isCut(answered)) {
    // The bounds of what is not shown come from what each sender has cut.
    const first: KeptPart[] = [];
    for (const { partial, leaves } of answers)
      first.push({ leaves, body: yield* encodePartialSteps(partial, resolved) });
    const bodies: Uint8Array[] = [];
    for (const partial of partials) bodies.push(yield* encodePartialSteps(partial, resolved));
    return { ...shared, first, completed: bodies };
  }
  const merged = yield* mergeSteps(partials, resolved);
  const body = yield* encodePartialSteps(merged, resolved);
  const leaves = answers.flatMap((answer) => answer.leaves);
  return { ...shared, first: [{ leaves, body }], completed: null };
}

/** The answer as it was given; no leaf was asked. Throws where it is no answer to this query. */
export function answerOfKept(kept: KeptAnswer, resolved: ResolvedQuery): AnsweredParts {
  const { first, completed, isDecided, ...shared } = kept;
  const read = (body: Uint8Array): PartialResult =>
    // A copy: columns are views of the bytes, which others read, too.
    decodePartialResult(body.slice(), resolved);
  const answers = first.map(({ leaves, body }, i) => partOf(`part ${i}`, leaves, read(body)));
  const parts = completed?.map((body, i) => ({
    ...{ partId: `part ${i}`, done: true, partial: read(body) },
  }));
  return {
    answered: { ...shared, answers, failures: new Map(), asked: [] },
    completed: { parts: parts ?? answers, isDecided, areLeftOut: false },
  };
}

/** A part that no node was asked for. */
export function partOf(
  partId: string,
  leaves: readonly LeafReport[],
  partial: PartialResult,
): PartAnswer {
  return {
    ...{ partId, leaves, partial, done: true, stats: sumOfStats(leaves) },
    ...{ workMs: 0, waitMs: 0, decodeMs: 0 },
    source: { id: partId, streamQuery: () => Promise.reject(new Error(`${partId} is no node`)) },
  };
}
