import { type CachePool, HadalError, type Query, type Result, timeoutMsDefault } from "@hadal/sdk";
import { neverStops } from "../base/schedule/steps.js";
import { usedFunctions } from "../plan/schema/userFunctions.js";
import { isNoAnswer } from "../tree/askOnce.js";
import { AnswerSession } from "./answerSession.js";
import type { AnswerCache } from "./cache/answerCache.js";
import { isMoving } from "./run/closedParts.js";
import type { CacheOptions, QueryDeps, RunOptions } from "./run/queryDeps.js";
import { neverLess, runQuery } from "./run/runQuery.js";
import { withoutWork } from "./run/withoutWork.js";
import { isWhole, type KeptResult, KeptResults, questionKey } from "./share/keptResult.js";
import type { SharedAnswer, SharedAnswers, SharedQuestion } from "./share/sharedAnswers.js";

/** Answers that may be given again: those that were, and those that are under way. */
export interface KnownAnswers {
  readonly cache: AnswerCache;
  readonly shared: SharedAnswers;
}

export type AnswerOptions = Omit<RunOptions, "cache"> & {
  /** Who asks: its answers are never of an earlier moment than the one before. */
  readonly session?: AnswerSession;
  /** No answer of an earlier moment is given. Default: that of the session's newest answer. */
  readonly floor?: number;
  /** What asks. Default: a person. */
  readonly pool?: CachePool;
};

/** Answers a checked query, by default with no older answer than its session was given before it asked. */
export async function answerQuery(
  query: Query,
  deps: QueryDeps,
  known: KnownAnswers,
  {
    session = new AnswerSession(),
    floor = session.newestAsOf,
    pool = "ad-hoc",
    scans,
    ...options
  }: AnswerOptions,
): Promise<Result> {
  const { cache = "use" } = query;
  return session.ask(
    options,
    async (given) => {
      const run = { ...given, ...(scans && { scans }) };
      if (cache === "off") return runQuery(query, deps, run);
      const question = new Question(query, deps, known, { floor, pool, run: neverLess(run) });
      if (cache === "refresh") return question.askAlone();
      const result = await question.answer();
      known.cache.note(pool, result.stats.cache);
      return result;
    },
    floor,
  );
}

interface QuestionOptions {
  readonly floor: number;
  readonly pool: CachePool;
  readonly run: RunOptions;
}

/** With less time left a query is not asked again. */
const askAgainShare = 0.5;
/** An answer that is older than this share of what it may be is asked again while it is given. */
const refreshShare = 0.5;

/** One asking of a query, with what may be known of its answer. */
class Question {
  readonly #query: Query;
  readonly #deps: QueryDeps;
  readonly #shared: SharedAnswers;
  readonly #results: KeptResults;
  readonly #options: QuestionOptions;
  readonly #key: string;
  readonly #cache: CacheOptions;
  readonly #timeoutMs: number;
  readonly #askedAt: number;
  /** When all of its round were asked: they grow too old together. */
  readonly #freshAt: number;

  constructor(query: Query, deps: QueryDeps, known: KnownAnswers, options: QuestionOptions) {
    this.#query = query;
    this.#deps = deps;
    this.#shared = known.shared;
    this.#results = new KeptResults(known.cache, options.pool);
    this.#options = options;
    this.#key = questionKey(query, usedFunctions(query, deps.functions()), deps.readableKey);
    this.#cache = { answers: known.cache, pool: options.pool, mayFind: query.cache !== "refresh" };
    this.#timeoutMs = query.timeoutMs ?? timeoutMsDefault;
    this.#askedAt = deps.now();
    this.#freshAt = options.run.scans?.askedAt(deps.now) ?? this.#askedAt;
  }

  /**
   * Answers with what was said to the same question `freshnessMs` ago at most, if it says how old an answer may be, or joins
   * an identical query that is running; in any case with what is found out from all rows that there are now.
   */
  async answer(): Promise<Result> {
    const { freshnessMs = null } = this.#query;
    const kept =
      freshnessMs === null
        ? null
        : await this.#results.find(this.#key, this.#freshAt - freshnessMs, this.#options.floor);
    if (kept !== null) return this.#giveKept(kept, freshnessMs ?? 0);
    const { result, joined } = await this.#ask(this.#askedAt, this.#timeoutMs);
    if (!joined) return result;
    const now = this.#deps.now();
    const leftMs = this.#timeoutMs - (now - this.#askedAt);
    if (isWhole(result) || leftMs < this.#timeoutMs * askAgainShare) return this.#join(result);
    return this.#askForMore(result, now, leftMs);
  }

  /** Nothing that is known will do; what is found is kept for others. */
  askAlone(): Promise<Result> {
    return this.#run(this.#options.run, this.#timeoutMs, this.#freshAt);
  }

  /** There is time to find what a joined answer lacks, once for all who joined it. */
  async #askForMore(result: Result, now: number, leftMs: number): Promise<Result> {
    const second = await this.#ask(now, leftMs).catch((error: unknown) => {
      if (isNoAnswer(error)) return null;
      throw error;
    });
    const { fraction } = result.completeness;
    if (second === null || second.result.completeness.fraction < fraction)
      return this.#join(result);
    return second.joined ? this.#join(second.result) : second.result;
  }

  #join(result: Result): Result {
    return withoutWork(result, "joined", { elapsedMs: this.#deps.now() - this.#askedAt });
  }

  #giveKept({ result, askedAt, changes }: KeptResult, freshnessMs: number): Result {
    const { now, expectedRows } = this.#deps;
    const isCurrent = changes !== null && changes === expectedRows.changes(this.#query.table);
    const ageMs = Math.max(0, this.#freshAt - askedAt);
    if (!isCurrent && ageMs > freshnessMs * refreshShare) this.#refresh();
    const elapsedMs = now() - this.#askedAt;
    return withoutWork(result, isCurrent ? "hit" : "stale", { elapsedMs, ageMs });
  }

  /** One run finds the answer for those who ask next; whoever has asked now does not wait for it. */
  #refresh(): void {
    const { client, scans } = this.#options.run;
    const key = this.#flightKey();
    if (this.#shared.isRunning(key, this.#askedAt)) return;
    const options = { signal: neverStops, ...(client === undefined ? {} : { client }) };
    const run = (own: RunOptions): Promise<Result> =>
      this.#run({ ...own, ...(scans && { scans }) }, this.#timeoutMs, this.#freshAt);
    const asked = { ...this.#moment(), key, since: this.#askedAt, askedAt: this.#askedAt };
    this.#shared.ask(asked, run, options).catch((error: unknown) => {
      // Whoever asks next meets the same problem, and hears of it.
      if (!(error instanceof HadalError))
        this.#deps.logError("an answer could not be refreshed", error);
    });
  }

  #ask(startedAt: number, leftMs: number): Promise<SharedAnswer> {
    const { run, floor } = this.#options;
    const { scans } = run;
    const { freshnessMs = null } = this.#query;
    // A run that began since the session had an answer as of `floor` is no older than that.
    const sessionSince = this.#askedAt - Math.max(0, this.#deps.wallMs() - floor);
    const since =
      freshnessMs === null
        ? Number.POSITIVE_INFINITY
        : Math.max(this.#freshAt - freshnessMs, sessionSince);
    const keptAt = scans === undefined ? startedAt : this.#freshAt;
    return this.#shared.ask(
      { ...this.#moment(), key: this.#flightKey(), since, askedAt: startedAt },
      (own) => this.#run({ ...own, ...(scans && { scans }) }, leftMs, keptAt),
      run,
    );
  }

  /** What waits otherwise is another run: its answer may lack more, or be a refusal. */
  #flightKey(): string {
    return `${this.#timeoutMs} ${this.#query.exact ?? false}\n${this.#key}`;
  }

  #moment(): Pick<SharedQuestion, "table" | "changes" | "isFixed"> {
    const { table } = this.#query;
    const changes = (): number => this.#deps.expectedRows.changes(table);
    return { table, changes, isFixed: !isMoving(this.#query) };
  }

  async #run(options: RunOptions, timeoutMs: number, keptAt: number): Promise<Result> {
    const { table, freshnessMs = null } = this.#query;
    const query = { ...this.#query, timeoutMs };
    const run = this.#cache.answers.isOn ? { ...options, cache: this.#cache } : options;
    if (freshnessMs === null) return runQuery(query, this.#deps, run);
    const lease = await this.#results.begin(this.#key, table);
    try {
      const before = this.#deps.expectedRows.changes(table);
      const result = await runQuery(query, this.#deps, run);
      const changes = before === this.#deps.expectedRows.changes(table) ? before : null;
      await this.#results.end(lease, { result, askedAt: keptAt, changes });
      return result;
    } finally {
      this.#results.giveUp(lease);
    }
  }
}
