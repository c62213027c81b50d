import { HadalError, type Query, type QueryStats, type Result, timeoutMsDefault } from "@hadal/sdk";
import { groupsToAskAgain } from "../aggregate/askedGroups.js";
import { finalizeResult } from "../aggregate/finalizeResult.js";
import { mergePartials } from "../aggregate/mergePartials.js";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import { resolveQuery } from "../plan/resolveQuery.js";
import type { SplitQuery } from "../plan/splitQuery.js";
import {
  askLeaves,
  type LeafAnswer,
  type QueriedLeaf,
  type TreeAnswers,
} from "../tree/askLeaves.js";
import type { ExpectedRows } from "../tree/expectedRows.js";
import { createPartialPacer } from "./partialPacer.js";
import type { TableCatalogue } from "./tableCatalogue.js";

export interface QueryDeps {
  readonly catalogue: Pick<TableCatalogue, "schema">;
  readonly leaves: () => readonly QueriedLeaf[];
  readonly expectedRows: ExpectedRows;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly wallMs: () => number;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Called with answers so far, in order, at most every 50 ms; never after the final one. */
  readonly onPartial?: (partial: Result) => void;
}

/** Runs a checked query to its final result. Rejects with a HadalError; what is missing is told in the result, unless `exact`. */
export async function runQuery(
  query: Query,
  deps: QueryDeps,
  options: RunOptions,
): Promise<Result> {
  const startedAt = deps.now();
  const deadline = startedAt + (query.timeoutMs ?? timeoutMsDefault);
  const schema = await deps.catalogue.schema(query.table);
  const split = resolveQuery(query, schema, deps.wallMs());
  // Whatever was acknowledged before this instant is in the leaves' snapshots.
  const asOf = deps.wallMs();
  const finish = (gathered: TreeAnswers, final: boolean): Result =>
    finishAnswers(gathered, split, final, { startedAt, asOf, now: deps.now });

  const { onPartial } = options;
  const pacer = createPartialPacer(deps.now, (gathered: TreeAnswers) => {
    const partial = finishPartial(() => finish(gathered, false));
    if (partial !== null) onPartial?.(partial);
  });
  try {
    const ask: AskOnce = (resolved, onAnswers) =>
      askLeaves({
        resolved,
        leaves: deps.leaves(),
        expectedRows: deps.expectedRows,
        deadline,
        exact: query.exact ?? false,
        signal: options.signal,
        onAnswers,
        now: deps.now,
      });
    const gathered = await ask(split.resolved, onPartial === undefined ? () => {} : pacer.offer);
    pacer.stop();
    return finish(await completeGroups(gathered, split, ask), true);
  } finally {
    pacer.stop();
  }
}

type AskOnce = (
  resolved: ResolvedQuery,
  onAnswers: (answers: TreeAnswers) => void,
) => Promise<TreeAnswers>;

/**
 * Asks again for the groups to be shown where a leaf's cut may have left a part of them out, so that every
 * number shown is whole. What the first answers tell stays if the second ones stand on fewer rows.
 */
async function completeGroups(
  first: TreeAnswers,
  { resolved }: SplitQuery,
  ask: AskOnce,
): Promise<TreeAnswers> {
  const partials = first.answers.map(({ partial }) => partial);
  if (resolved.sample !== null) return first;
  const only = groupsToAskAgain(partials, () => mergePartials(partials, resolved), resolved);
  if (only === null) return first;
  try {
    const second = await ask({ ...resolved, only }, () => {});
    return second.completeness.fraction < first.completeness.fraction ? first : second;
  } catch (error) {
    if (error instanceof HadalError && error.code === "no-leaves") return first;
    throw error;
  }
}

/** A partial answer runs on a timer, where an error would end the process: it is left out. What is wrong beyond a sum that overflows only so far, the final answer tells. */
function finishPartial(finish: () => Result): Result | null {
  try {
    return finish();
  } catch {
    return null;
  }
}

interface FinishContext {
  readonly startedAt: number;
  readonly asOf: number;
  readonly now: () => number;
}

function finishAnswers(
  { answers, completeness }: TreeAnswers,
  split: SplitQuery,
  final: boolean,
  { startedAt, asOf, now }: FinishContext,
): Result {
  const mergeStart = now();
  const merged = mergePartials(
    answers.map(({ partial }) => partial),
    split.resolved,
  );
  const rowsMatched = total(answers, ({ stats }) => stats.rowsMatched);
  const finalized = finalizeResult(merged, split, rowsMatched);
  const endedAt = now();
  return {
    ...finalized,
    completeness,
    intervals: {},
    asOf,
    final,
    stats: statsOf(answers, endedAt - startedAt, endedAt - mergeStart),
  };
}

function statsOf(answers: readonly LeafAnswer[], elapsedMs: number, mergeMs: number): QueryStats {
  return {
    rowsScanned: total(answers, ({ stats }) => stats.rowsScanned),
    rowsMatched: total(answers, ({ stats }) => stats.rowsMatched),
    bytesScanned: total(answers, ({ stats }) => stats.bytesScanned),
    segments: total(answers, ({ stats }) => stats.segments),
    segmentsSkipped: total(answers, ({ stats }) => stats.segmentsSkipped),
    cache: "miss",
    elapsedMs: roundMs(elapsedMs),
    scanMs: roundMs(answers.reduce((longest, { stats }) => Math.max(longest, stats.scanMs), 0)),
    mergeMs: roundMs(mergeMs),
  };
}

function total(answers: readonly LeafAnswer[], numberOf: (answer: LeafAnswer) => number): number {
  return answers.reduce((sum, answer) => sum + numberOf(answer), 0);
}

function roundMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
