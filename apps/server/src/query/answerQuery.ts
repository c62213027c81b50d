import { type Query, type Result, timeoutMsDefault } from "@hadal/sdk";
import { usedFunctions } from "../plan/userFunctions.js";
import { isWhole, questionKey, type RecentAnswers } from "./recentAnswers.js";
import { type QueryDeps, type RunOptions, runQuery } from "./runQuery.js";
import type { SharedAnswers } from "./sharedAnswers.js";

/** Answers that may be given again: those that were, and those that are under way. */
export interface KnownAnswers {
  readonly recent: RecentAnswers;
  readonly shared: SharedAnswers;
}

/**
 * Answers a checked query: with what was said to the same question `freshnessMs` ago at most, if it says how old an
 * answer may be, or with what is being found out for somebody who asked the same since then.
 */
export async function answerQuery(
  query: Query,
  deps: QueryDeps,
  { recent, shared }: KnownAnswers,
  options: RunOptions,
): Promise<Result> {
  const freshnessMs = query.freshnessMs ?? null;
  if (freshnessMs === null) return runQuery(query, deps, options);
  const askedAt = deps.now();
  const since = askedAt - freshnessMs;
  const key = questionKey(query, usedFunctions(query, deps.functions()));
  const known = recent.find(key, since);
  if (known !== null) return again(known, deps.now() - askedAt);
  const timeoutMs = query.timeoutMs ?? timeoutMsDefault;
  const exact = query.exact ?? false;
  const { result, joined } = await shared.ask(
    // What waits otherwise is another run: its answer may lack more, or be a refusal.
    { key: `${timeoutMs} ${exact}\n${key}`, table: query.table, since, askedAt },
    async (own) => {
      const found = await runQuery(query, deps, own);
      recent.keep(key, query.table, found, askedAt);
      return found;
    },
    options,
  );
  if (!joined) return result;
  const waitedMs = deps.now() - askedAt;
  if (isWhole(result)) return again(result, waitedMs);
  // What lacks rows is never somebody else's: there is time left to find more.
  return runQuery({ ...query, timeoutMs: Math.max(1, timeoutMs - waitedMs) }, deps, options);
}

/** Nothing is scanned a second time. */
function again(known: Result, elapsedMs: number): Result {
  const none = { rowsScanned: 0, bytesScanned: 0, scanMs: 0, mergeMs: 0 };
  const elapsed = Math.round(elapsedMs * 1_000) / 1_000;
  return { ...known, stats: { ...known.stats, ...none, cache: "hit", elapsedMs: elapsed } };
}
