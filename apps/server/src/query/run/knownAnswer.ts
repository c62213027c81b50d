import { inTurns, neverStops } from "../../base/schedule/steps.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { usesFunctions } from "../answer/finishFunctions.js";
import {
  type AnsweredParts,
  answerOfKept,
  isKeepable,
  type KeptAnswer,
  keepSteps,
} from "../cache/keptAnswer.js";
import { answerKey, rowsVersion } from "../cache/rowsVersion.js";
import type { CacheOptions, QueryDeps } from "./queryDeps.js";

type RowsDeps = Pick<QueryDeps, "expectedRows" | "leafStates">;

/** An answer that was given before to the same query about the same rows, which are all that there are at `asOf`. */
export interface KnownAnswer extends AnsweredParts {
  readonly asOf: number;
}

/** Whether two runs about the same rows answer the same: functions of users may not. */
export function isRepeatable(split: SplitQuery): boolean {
  const { derived = [] } = split.resolved;
  return !usesFunctions(split) && derived.every(({ how }) => how.kind === "expression");
}

/** What names the rows of a query at this moment; null: its answer cannot be kept. */
export function versionOfRows(
  split: SplitQuery,
  { expectedRows, leafStates = () => "" }: RowsDeps,
): string | null {
  return isRepeatable(split) ? rowsVersion(split.resolved, { expectedRows, leafStates }) : null;
}

/** Null: none is known. */
export async function findAnswer(
  split: SplitQuery,
  deps: RowsDeps & Pick<QueryDeps, "wallMs">,
  { answers, pool }: CacheOptions,
): Promise<KnownAnswer | null> {
  // In one turn: every row that was acknowledged before this moment is of the version.
  const asOf = deps.wallMs();
  const key = keyOfRows(split, deps);
  const kept = key === null ? null : await answers.find<KeptAnswer>(key, pool);
  return kept === null ? null : { asOf, ...answerOfKept(kept, split.resolved) };
}

/** The key of the answer about the rows that there are now; null: they are not named. */
export function keyOfRows(split: SplitQuery, deps: RowsDeps): string | null {
  const version = versionOfRows(split, deps);
  return version === null ? null : answerKey(split.resolved, version);
}

/** A larger one is encoded while others are answered. */
const soonGroupsMax = 10_000;

/**
 * Keeps an answer about the rows of a version, if it is whole and they are still the same: then no leaf can have shown other
 * ones in between. Resolves when it is kept; of a large one before.
 */
export async function keepAnswer(
  parts: AnsweredParts,
  split: SplitQuery,
  version: string | null,
  deps: RowsDeps & Pick<QueryDeps, "logError">,
  cache: CacheOptions,
): Promise<void> {
  const isSame = version !== null && versionOfRows(split, deps) === version;
  if (!isSame || !isKeepable(parts)) return;
  const keeping = fill(parts, split.resolved, version, cache).catch((error: unknown) =>
    deps.logError("an answer could not be kept", error),
  );
  if (groupsOf(parts) <= soonGroupsMax) await keeping;
}

async function fill(
  parts: AnsweredParts,
  resolved: ResolvedQuery,
  version: string,
  { answers, pool }: CacheOptions,
): Promise<void> {
  const lease = await answers.lease(answerKey(resolved, version), resolved.table);
  if (lease === null) return;
  try {
    await answers.fill(lease, pool, await inTurns(keepSteps(parts, resolved), neverStops));
  } finally {
    answers.giveUp(lease);
  }
}

const groupsOf = ({ completed }: AnsweredParts): number =>
  completed.parts.reduce(
    (sum, { partial: { sides, sample } }) =>
      sum + (sample?.rowCount ?? 0) + sides.reduce((all, side) => all + side.groupCount, 0),
    0,
  );
