import { mergePartials, mergeSteps } from "../../aggregate/merge/mergePartials.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import type { UnitSnapshot } from "../../base/row/unitSnapshot.js";
import { inTurns } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { bindColumns } from "../../plan/schema/bindColumns.js";
import type { TableSchema } from "../../plan/schema/tableSchema.js";
import { askLeaves } from "../../tree/askLeaves.js";
import { isNoAnswer } from "../../tree/askOnce.js";
import { completeGroups, standsFor } from "../../tree/completeGroups.js";
import type { PartAnswer } from "../../tree/partAnswer.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { answersOfBranch } from "../run/joinQueries.js";
import type { QueryDeps } from "../run/queryDeps.js";

/** Questions about the same rows, which one scan answers. */
export interface Study {
  readonly resolved: ResolvedQuery;
  /** Each question as a separate query; aligned with the branches of `resolved`. */
  readonly branches: readonly SplitQuery[];
}

export interface StudyOptions {
  /** On the clock of the deps. */
  readonly deadline: number;
  readonly signal: StopSignal;
}

/** The leaves to ask, with the deadline. */
export interface LeavesToAsk {
  readonly leaves: readonly QueriedNode[];
  readonly deps: QueryDeps;
  readonly timing: StudyOptions;
  /** The units that an earlier answer has shown; absent: those of now. */
  readonly snapshot?: UnitSnapshot;
}

/** The leaves that are members at this moment. */
export function currentLeaves(deps: QueryDeps, timing: StudyOptions): LeavesToAsk {
  return { leaves: deps.leaves(), deps, timing };
}

/** Fewer groups than this are not worth a second question: a thousand values, and rows without one. */
const branchGroupsMin = 1_001;

/** `rows` says which rows are meant, and what columns are derived; `stored` are those of the table. */
export function joinStudy(
  rows: ResolvedQuery,
  splits: readonly SplitQuery[],
  stored: TableSchema,
  { background = false }: { readonly background?: boolean } = {},
): Study {
  const { sides, derived, granted } = rows;
  const branches = splits.map(({ resolved, finish }): SplitQuery => {
    const cut = { ...resolved.cut, max: Math.max(resolved.cut.max, branchGroupsMin) };
    const own = {
      ...{ ...resolved, sides, cut },
      ...(derived === undefined ? {} : { derived }),
      ...(granted === undefined ? {} : { granted }),
    };
    return { finish, resolved: bindColumns(own, stored) };
  });
  const asked = branches.map(({ resolved: { groupBy, states, cut } }) => ({
    groupBy,
    states,
    cut,
  }));
  return {
    resolved: bindColumns(
      { ...rows, branches: asked, ...(background ? { background: true } : {}) },
      stored,
    ),
    branches,
  };
}

/** Asks all leaves. The completeness of the result shows where some did not answer. */
export function askStudy(
  resolved: ResolvedQuery,
  { leaves, deps, timing: { deadline, signal }, snapshot }: LeavesToAsk,
  onAnswers: (answers: TreeAnswers) => void = () => {},
): Promise<TreeAnswers> {
  const { expectedRows, logError: onError, now } = deps;
  return askLeaves({
    resolved,
    leaves,
    expectedRows,
    deadline,
    exact: false,
    signal,
    onAnswers,
    onError,
    now,
    ...(snapshot && { snapshot }),
  });
}

/** The same; null where no leaf answers. */
export function tryStudy(...asked: Parameters<typeof askStudy>): Promise<TreeAnswers | null> {
  return askStudy(...asked).catch((error) => (isNoAnswer(error) ? null : Promise.reject(error)));
}

/**
 * Asks a further question about the rows of `first`, of those that answered it. Null where one of them
 * is late or has restarted with fewer rows: the numbers would not belong to those of the first answer.
 */
export async function askFurther(
  first: TreeAnswers,
  resolved: ResolvedQuery,
  asked: Omit<LeavesToAsk, "leaves">,
): Promise<TreeAnswers | null> {
  const leaves = first.answers.map(({ source }) => source);
  const second = await tryStudy(resolved, { ...asked, leaves, snapshot: first.snapshot });
  const isPart = first.answers.some((before) => {
    const after = second?.answers.find(({ partId }) => partId === before.partId);
    return after === undefined || !standsFor(before, after);
  });
  return isPart ? null : second;
}

/** The answers so far, merged. */
export function mergeStudy(answered: TreeAnswers, study: Study): PartialResult {
  return mergePartials(
    answered.answers.map(({ partial }) => partial),
    study.resolved,
  );
}

/** How many branches are completed at once: each is a scan. */
const completedAtOnce = 4;

/**
 * The merged answer with complete numbers: a branch of which some leaf left groups out is asked again, as
 * queries are, where it `isOfUse`.
 */
export async function completeStudy(
  answered: TreeAnswers,
  study: Study,
  { deps, timing }: Omit<LeavesToAsk, "leaves">,
  isOfUse: (branch: number) => boolean = () => true,
): Promise<PartialResult> {
  const merged = mergeStudy(answered, study);
  const branches = [...(merged.branches ?? [])];
  const open = study.branches.flatMap((split, index) => {
    const first = answersOfBranch(answered, index);
    return first !== null && isCut(first) && isOfUse(index) ? [{ split, index, first }] : [];
  });
  const completeNext = async (): Promise<void> => {
    const next = open.shift();
    if (next === undefined) return;
    const { split, index, first } = next;
    const { snapshot } = answered;
    const askAgain = async (asked: readonly QueriedNode[]): Promise<readonly PartAnswer[]> =>
      (await tryStudy(split.resolved, { leaves: asked, deps, timing, snapshot }))?.answers ?? [];
    const { signal } = timing;
    const completed = await completeGroups(first, split, { askAgain, signal });
    const parts = completed.parts.map(({ partial }) => partial);
    branches[index] = await inTurns(mergeSteps(parts, split.resolved), signal);
    return completeNext();
  };
  await Promise.all(Array.from({ length: completedAtOnce }, completeNext));
  return { ...merged, branches };
}

/** Whether some leaf left groups out, so that numbers of the other groups may be incomplete. */
export function isBranchCut(answered: TreeAnswers, branch: number): boolean {
  const first = answersOfBranch(answered, branch);
  return first !== null && isCut(first);
}

function isCut({ answers }: TreeAnswers): boolean {
  return answers.some(({ partial }) => partial.sides.some(({ groupsCut }) => groupsCut > 0));
}
