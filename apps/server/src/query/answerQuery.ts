import { type Query, type Result, timeoutMsDefault } from "@hadal/sdk";
import { usedFunctions } from "../plan/schema/userFunctions.js";
import { isNoAnswer } from "../tree/askOnce.js";
import { AnswerSession } from "./answerSession.js";
import { isWhole, questionKey, type RecentAnswers } from "./cache/recentAnswers.js";
import type { SharedAnswer, SharedAnswers } from "./cache/sharedAnswers.js";
import type { QueryDeps, RunOptions } from "./run/queryDeps.js";
import { neverLess, runQuery } from "./run/runQuery.js";

/** Answers that may be given again: those that were, and those that are under way. */
export interface KnownAnswers {
  readonly recent: RecentAnswers;
  readonly shared: SharedAnswers;
}

export type AnswerOptions = RunOptions & {
  /** Who asks: its answers are never of an earlier moment than the one before. */
  readonly session?: AnswerSession;
  /** No answer of an earlier moment is given. Default: that of the session's newest answer. */
  readonly floor?: number;
};

/** Answers a checked query, by default with no older answer than its session was given before it asked. */
export async function answerQuery(
  query: Query,
  deps: QueryDeps,
  known: KnownAnswers,
  { session = new AnswerSession(), floor = session.newestAsOf, scans, ...options }: AnswerOptions,
): Promise<Result> {
  return session.ask(
    options,
    (given) =>
      answerSince(query, deps, known, { floor, options: { ...given, ...(scans && { scans }) } }),
    floor,
  );
}

/**
 * Answers with what was said to the same question `freshnessMs` ago at most, if it says how old an
 * answer may be, or joins an identical query that is already running; in any case
 * with what is being found out from all rows that there are now.
 */
async function answerSince(
  query: Query,
  deps: QueryDeps,
  { recent, shared }: KnownAnswers,
  { floor, options }: { readonly floor: number; readonly options: RunOptions },
): Promise<Result> {
  const freshnessMs = query.freshnessMs ?? null;
  const askedAt = deps.now();
  const freshAt = options.scans?.askedAt(deps.now) ?? askedAt;
  // A run that began since the session had an answer as of `floor` is no older than that.
  const sessionSince = askedAt - Math.max(0, deps.wallMs() - floor);
  const since =
    freshnessMs === null ? Number.POSITIVE_INFINITY : Math.max(freshAt - freshnessMs, sessionSince);
  const rising = neverLess(options);
  const versions = usedFunctions(query, deps.functions());
  const key = questionKey(query, versions, deps.readableKey);
  const known = freshnessMs === null ? null : recent.find(key, freshAt - freshnessMs, floor);
  if (known !== null) return again(known, deps.now() - askedAt);
  const timeoutMs = query.timeoutMs ?? timeoutMsDefault;
  const exact = query.exact ?? false;
  const ask = (startedAt: number, leftMs: number): Promise<SharedAnswer> =>
    shared.ask(
      // What waits otherwise is another run: its answer may lack more, or be a refusal.
      {
        ...{ key: `${timeoutMs} ${exact}\n${key}`, table: query.table },
        ...{ since, askedAt: startedAt },
        changes: () => deps.expectedRows.changes(query.table),
      },
      async (own) => {
        const { scans } = options;
        const asked = { ...query, timeoutMs: leftMs };
        const found = await runQuery(asked, deps, { ...own, ...(scans && { scans }) });
        const keptAt = scans === undefined ? startedAt : freshAt;
        if (freshnessMs !== null) recent.keep(key, query.table, found, keptAt);
        return found;
      },
      rising,
    );
  const { result, joined } = await ask(askedAt, timeoutMs);
  if (!joined) return result;
  const now = deps.now();
  const waitedMs = now - askedAt;
  const leftMs = timeoutMs - waitedMs;
  if (isWhole(result) || leftMs < timeoutMs * askAgainShare) return again(result, waitedMs);
  // There is time to find what it lacks, once for all who joined it.
  const second = await ask(now, leftMs).catch((error: unknown) => {
    if (isNoAnswer(error)) return null;
    throw error;
  });
  const { fraction } = result.completeness;
  if (second === null || second.result.completeness.fraction < fraction) {
    return again(result, deps.now() - askedAt);
  }
  return second.joined ? again(second.result, deps.now() - askedAt) : second.result;
}

/** With less time left the query is not asked again. */
const askAgainShare = 0.5;

/** Nothing is scanned a second time, and the time of a scan was not expected. */
function again(known: Result, elapsedMs: number): Result {
  const { predictedMs: _, ...stats } = known.stats;
  const none = { rowsScanned: 0, bytesScanned: 0, scanMs: 0, mergeMs: 0, levels: [] };
  const elapsed = Math.round(elapsedMs * 1_000) / 1_000;
  return { ...known, stats: { ...stats, ...none, cache: "hit", elapsedMs: elapsed } };
}
