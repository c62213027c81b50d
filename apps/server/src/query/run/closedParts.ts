import { HadalError, isRelativeTime, type Query, type Result } from "@hadal/sdk";
import { neverStops } from "../../base/schedule/steps.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { askLeaves } from "../../tree/askLeaves.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { queryCost } from "../admit/queryCost.js";
import { leaseMs } from "../cache/cacheTier.js";
import { type DividedQuery, divideQuery } from "../cache/closedPart.js";
import { answerOfKept, isCut, type KeptAnswer } from "../cache/keptAnswer.js";
import { isRepeatable, keepAnswer, keyOfRows, versionOfRows } from "./knownAnswer.js";
import type { CacheOptions, QueryDeps } from "./queryDeps.js";

/** Whether its range is another one whenever it is asked: then the answer to the whole is of no use to others. */
export const isMoving = ({ from, to }: Pick<Query, "from" | "to">): boolean =>
  isRelativeTime(from) || isRelativeTime(to);

/** Null: it cannot be divided. */
export function divide(split: SplitQuery, deps: QueryDeps): DividedQuery | null {
  if (!isRepeatable(split)) return null;
  const nowMs = deps.wallMs();
  const lateMs = deps.expectedRows.lateMs?.(split.resolved.table, nowMs) ?? 0;
  return divideQuery(split.resolved, { nowMs, lateMs });
}

/** The query about the closed part. */
export const closedOf = ({ finish }: SplitQuery, { closed }: DividedQuery): SplitQuery => ({
  ...{ finish, resolved: closed },
});

/** What is known of the closed part, and by which key. */
export interface KnownPart {
  readonly key: string;
  readonly closed: TreeAnswers;
}

/** Null: nothing is known. */
export async function findClosed(
  split: SplitQuery,
  divided: DividedQuery,
  deps: QueryDeps,
  { answers, pool }: CacheOptions,
): Promise<KnownPart | null> {
  const key = keyOfRows(closedOf(split, divided), deps);
  const kept = key === null ? null : await answers.find<KeptAnswer>(key, pool);
  if (key === null || kept === null) return null;
  return { key, closed: answerOfKept(kept, divided.closed).answered };
}

/** Reads the closed part in the background for those who ask next, if the query has been asked before. */
export function fillNext(
  result: Result,
  split: SplitQuery,
  divided: DividedQuery,
  deps: QueryDeps,
  cache: CacheOptions,
): void {
  const { shapes } = cache.answers;
  const isAskedAgain = shapes.noteAsked(divided.shape);
  const { fraction, known, leaves } = result.completeness;
  // Where a leaf is missing now, it would be missing there, too.
  const isWhole = fraction === 1 && known !== false && leaves.missing.length === 0;
  if (!isAskedAgain || !isWhole || !shapes.beginFill(divided.shape, divided.gridMs / 2)) return;
  fillClosed(split, divided, deps, cache).catch((error: unknown) => {
    // Who asks next reads all rows.
    if (!(error instanceof HadalError)) deps.logError("a closed part could not be kept", error);
  });
}

async function fillClosed(
  split: SplitQuery,
  divided: DividedQuery,
  deps: QueryDeps,
  cache: CacheOptions,
): Promise<void> {
  const { closed } = divided;
  const { expectedRows, now, logError: onError } = deps;
  const deadline = now() + leaseMs;
  const cost = queryCost(closed, closed.states.length, expectedRows);
  const demand = { client: fillClient, deadline, signal: neverStops, cost };
  await deps.admission.run(demand, async () => {
    const part = closedOf(split, divided);
    const version = versionOfRows(part, deps);
    if (version === null) return;
    const answered = await askLeaves({
      ...{ resolved: { ...closed, background: true }, leaves: deps.leaves(), expectedRows },
      ...{ deadline, exact: false, signal: neverStops, onAnswers: () => undefined, onError, now },
    });
    // Such parts are not put together.
    if (isCut(answered)) return cache.answers.shapes.giveUp(divided.shape);
    const completed = { parts: answered.answers, isDecided: false, areLeftOut: false };
    await keepAnswer({ answered, completed }, part, version, deps, cache);
  });
}

/** Waits behind people. */
const fillClient = "cache";
