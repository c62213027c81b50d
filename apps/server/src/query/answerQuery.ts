import type { Query, Result } from "@hadal/sdk";
import { usedFunctions } from "../plan/userFunctions.js";
import { questionKey, type RecentAnswers } from "./recentAnswers.js";
import { type QueryDeps, type RunOptions, runQuery } from "./runQuery.js";

/** Answers a checked query: with what was said to the same question `freshnessMs` ago at most, if it says how old an answer may be. */
export async function answerQuery(
  query: Query,
  deps: QueryDeps,
  recent: RecentAnswers,
  options: RunOptions,
): Promise<Result> {
  const freshnessMs = query.freshnessMs ?? null;
  if (freshnessMs === null) return runQuery(query, deps, options);
  const askedAt = deps.now();
  const key = questionKey(query, usedFunctions(query, deps.functions()));
  const known = recent.find(key, askedAt - freshnessMs);
  if (known !== null) return { ...known, stats: statsOfKnown(known, deps.now() - askedAt) };
  const result = await runQuery(query, deps, options);
  recent.keep(key, query.table, result, askedAt);
  return result;
}

/** Nothing is scanned a second time. */
function statsOfKnown({ stats }: Result, elapsedMs: number): Result["stats"] {
  const none = { rowsScanned: 0, bytesScanned: 0, scanMs: 0, mergeMs: 0 };
  return { ...stats, ...none, cache: "hit", elapsedMs: Math.round(elapsedMs * 1_000) / 1_000 };
}
