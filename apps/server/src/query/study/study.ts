import { mergePartials, mergeSteps } from "../../aggregate/merge/mergePartials.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { inTurns } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { bindColumns } from "../../plan/schema/bindColumns.js";
import type { TableSchema } from "../../plan/schema/tableSchema.js";
import {
  askLeaves,
  isNoAnswer,
  type LeafAnswer,
  type QueriedLeaf,
  type TreeAnswers,
} from "../../tree/askLeaves.js";
import { completeGroups, standsFor } from "../answer/completeGroups.js";
import type { QueryDeps } from "../run/runQuery.js";

/** Questions about the same rows, which one scan answers. */
export interface Study {
  readonly resolved: ResolvedQuery;
  /** Each question as a query of its own; aligned with the branches of `resolved`. */
  readonly branches: readonly SplitQuery[];
}

export interface StudyOptions {
  /** On the clock of the deps. */
  readonly deadline: number;
  readonly signal: StopSignal;
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
  const { sides, derived } = rows;
  const branches = splits.map(({ resolved, finish }): SplitQuery => {
    const cut = { ...resolved.cut, max: Math.max(resolved.cut.max, branchGroupsMin) };
    const own = { ...resolved, sides, cut, ...(derived === undefined ? {} : { derived }) };
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

/** Asks all leaves; where some do not answer, the others' answers tell so. */
export function askStudy(
  resolved: ResolvedQuery,
  leaves: readonly QueriedLeaf[],
  deps: QueryDeps,
  { deadline, signal }: StudyOptions,
  onAnswers: (answers: TreeAnswers) => void = () => {},
): Promise<TreeAnswers> {
  const { expectedRows, logError: onError, now } = deps;
  return askLeaves({
    ...{ resolved, leaves, expectedRows, deadline, exact: false, signal, onAnswers, onError, now },
  });
}

/** The same; null where no leaf answers. */
export function tryStudy(...asked: Parameters<typeof askStudy>): Promise<TreeAnswers | null> {
  return askStudy(...asked).catch((error) => (isNoAnswer(error) ? null : Promise.reject(error)));
}

/**
 * A further question about the rows that `first` is the answer to, answered by the leaves that answered then. Null where it stands on fewer of them, for a leaf is
 * late or has started anew: its numbers are no part of those of the first.
 */
export async function askFurther(
  first: TreeAnswers,
  resolved: ResolvedQuery,
  leaves: readonly QueriedLeaf[],
  deps: QueryDeps,
  options: StudyOptions,
): Promise<TreeAnswers | null> {
  const second = await tryStudy(resolved, leaves, deps, options);
  const isPart = first.answers.some((before) => {
    const after = second?.answers.find(({ leafId }) => leafId === before.leafId);
    return after === undefined || !standsFor(before, after);
  });
  if (isPart || second === null) return null;
  const asked = new Set(first.answers.map(({ leafId }) => leafId));
  return { ...second, answers: second.answers.filter(({ leafId }) => asked.has(leafId)) };
}

/** What leaves have said so far, merged. */
export function mergeStudy(gathered: TreeAnswers, study: Study): PartialResult {
  return mergePartials(
    gathered.answers.map(({ partial }) => partial),
    study.resolved,
  );
}

/** How many branches are asked about again at once: each is a scan. */
const completedAtOnce = 4;

/**
 * The merged answer, in which every number is whole: branches of which some leaf left groups out are asked about again,
 * as queries are, where that `isOfUse`.
 */
export async function completeStudy(
  gathered: TreeAnswers,
  study: Study,
  leaves: readonly QueriedLeaf[],
  deps: QueryDeps,
  options: StudyOptions,
  isOfUse: (branch: number) => boolean = () => true,
): Promise<PartialResult> {
  const merged = mergeStudy(gathered, study);
  const branches = [...(merged.branches ?? [])];
  const open = study.branches.flatMap((split, index) => {
    const first = answersOfBranch(gathered, index);
    return first !== null && isCut(first) && isOfUse(index) ? [{ split, index, first }] : [];
  });
  const completeNext = async (): Promise<void> => {
    const next = open.shift();
    if (next === undefined) return;
    const { split, index, first } = next;
    const askAgain = async (asked: readonly QueriedLeaf[]): Promise<readonly LeafAnswer[]> =>
      (await tryStudy(split.resolved, asked, deps, options))?.answers ?? [];
    const completed = await completeGroups(first, split, leaves, askAgain, options.signal);
    const parts = completed.parts.map(({ partial }) => partial);
    branches[index] = await inTurns(mergeSteps(parts, split.resolved), options.signal);
    return completeNext();
  };
  await Promise.all(Array.from({ length: completedAtOnce }, completeNext));
  return { ...merged, branches };
}

/** Whether some leaf left groups of it out, so that numbers of those that were sent may lack a part. */
export function isBranchCut(gathered: TreeAnswers, branch: number): boolean {
  const first = answersOfBranch(gathered, branch);
  return first !== null && isCut(first);
}

function isCut({ answers }: TreeAnswers): boolean {
  return answers.some(({ partial }) => partial.sides.some(({ groupsCut }) => groupsCut > 0));
}

/** What leaves said to one question; null where one of them could not. */
function answersOfBranch(gathered: TreeAnswers, index: number): TreeAnswers | null {
  const answers: LeafAnswer[] = [];
  for (const answer of gathered.answers) {
    const partial = answer.partial.branches?.[index] ?? null;
    if (partial === null) return null;
    answers.push({ ...answer, partial });
  }
  return { ...gathered, answers };
}
