import { randomUUID } from "node:crypto";
import { type Completeness, HadalError } from "@hadal/sdk";
import { decodePartialResult } from "../aggregate/merge/partialCodec.js";
import type { PartialResult } from "../aggregate/partial/partialResult.js";
import { afterMs } from "../base/schedule/deadlines.js";
import { StopController, type StopSignal } from "../base/schedule/stopController.js";
import type { LeafQueryStats } from "../cluster/leafReply.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import {
  addSides,
  countCompleteness,
  inDoubt,
  readDoubt,
  readExpected,
  rowsAnswered,
} from "./countCompleteness.js";
import type { ExpectedRows } from "./expectedRows.js";

/** A leaf that the tree can ask, such as a LeafConnection. */
export interface QueriedLeaf {
  readonly id: string;
  streamQuery(
    query: ResolvedQuery,
    options: {
      readonly budgetMs: number;
      readonly signal: StopSignal;
      readonly onPartial: (partial: {
        readonly done: boolean;
        readonly workMs: number;
        readonly stats: LeafQueryStats;
        readonly body: Uint8Array;
      }) => void;
    },
  ): Promise<void>;
}

/** The latest answer of one leaf. Answers are cumulative: each replaces the one before. */
export interface LeafAnswer {
  readonly leafId: string;
  readonly partial: PartialResult;
  readonly stats: LeafQueryStats;
  readonly done: boolean;
  /** The leaf's time, from the query to the encoded answer. */
  readonly workMs: number;
  /** The time from asking the leaf to the arrival of the answer. */
  readonly waitMs: number;
  /** The time to decode the answer here. */
  readonly decodeMs: number;
}

export interface TreeAnswers {
  /** Rows that each leaf should hold for the query. */
  readonly expected: ReadonlyMap<string, number>;
  /** The same for each side of the query. */
  readonly expectedOfSides: readonly ReadonlyMap<string, number>[];
  readonly answers: readonly LeafAnswer[];
  readonly completeness: Completeness;
  /** Why leaves did not answer, for those that sent a problem. */
  readonly failures: ReadonlyMap<string, HadalError>;
}

export interface AskOptions {
  readonly resolved: ResolvedQuery;
  readonly leaves: readonly QueriedLeaf[];
  readonly expectedRows: Pick<ExpectedRows, "expected" | "doubt">;
  /** On the clock of `now`. */
  readonly deadline: number;
  /** Wait, retry, and refuse rather than answer with less than all. */
  readonly exact: boolean;
  readonly signal: StopSignal;
  /** Called after every answer but the last. */
  readonly onAnswers: (answers: TreeAnswers) => void;
  /** For the log: an error of this process, which people see only as an internal problem. */
  readonly onError: (text: string, error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** An exact query asks a leaf that could not answer again after this time. */
const retryMs = 100;
/** A thread that died is replaced; a fault that repeats is permanent, and asking again is useless. */
const failuresMax = 2;
/** How often a leaf is asked whose whole answer lacks rows: rows that it lost do not come back. */
const lackingMax = 3;

/**
 * Asks all leaves in parallel and collects answers until the deadline. A leaf that is late, dead or broken
 * is left out and named; what it sent before stays, so that completeness never falls.
 */
export async function askLeaves(options: AskOptions): Promise<TreeAnswers> {
  const { signal } = options;
  if (signal.aborted) throw new HadalError("cancelled");
  const controller = new StopController();
  const stopAll = (): void => controller.abort();
  signal.addEventListener("abort", stopAll, { once: true });
  const cancelDeadline = afterMs(options.deadline - options.now(), stopAll);
  const collected = new CollectedAnswers(options, controller.signal);
  try {
    await Promise.all(
      options.leaves.map(async (leaf) => {
        const failed = await askLeaf(leaf, {
          ...options,
          expected: collected.expected,
          signal: controller.signal,
          onAnswer: (answer) => collected.add(answer),
        });
        if (failed !== null) collected.failures.set(leaf.id, failed);
      }),
    );
  } finally {
    cancelDeadline();
    signal.removeEventListener("abort", stopAll);
    // A problem of the query itself ends it on the other leaves too.
    controller.abort();
  }
  if (signal.aborted) throw new HadalError("cancelled");
  return checkAnswers(collected.answers(), options);
}

/** The latest answer of each leaf, and the rows that each should have. */
class CollectedAnswers {
  readonly expected: RowsOfLeaves;
  readonly failures = new Map<string, HadalError>();
  readonly #options: AskOptions;
  readonly #stopped: StopSignal;
  readonly #doubt: ReturnType<typeof readDoubt>;
  readonly #latest = new Map<string, LeafAnswer>();
  /** Leaves without a whole answer. */
  readonly #open: Set<string>;

  constructor(options: AskOptions, stopped: StopSignal) {
    const { resolved, expectedRows, leaves } = options;
    const ofSides = readExpected(resolved, expectedRows).map((side) => new Map(side));
    this.expected = { all: addSides(ofSides), ofSides };
    this.#doubt = readDoubt(resolved, expectedRows);
    this.#options = options;
    this.#stopped = stopped;
    this.#open = new Set(leaves.map(({ id }) => id));
  }

  add(answer: LeafAnswer): void {
    if (this.#stopped.aborted) return;
    const rows = this.expected.all.get(answer.leafId) ?? 0;
    const before = this.#latest.get(answer.leafId);
    // A leaf that is asked a second time starts over: its first answer stays until the second covers more.
    if (before !== undefined && coverageOf(before, rows) > coverageOf(answer, rows)) return;
    this.#latest.set(answer.leafId, answer);
    if (answer.done) this.#open.delete(answer.leafId);
    if (this.#open.size === 0) return;
    const answers = this.answers();
    // Zero rows would be shown while leaves that have some are still to answer.
    if (leavesOfLostSide(answers) === null) this.#options.onAnswers(answers);
  }

  answers(): TreeAnswers {
    const answers = [...this.#latest.values()];
    const shares = answers.map(({ leafId, stats, done }) => ({
      leafId,
      rowsHeld: stats.rowsHeld,
      share: stats.share,
      done,
    }));
    const { all: expected, ofSides: expectedOfSides } = this.expected;
    const leafIds = this.#options.leaves.map(({ id }) => id);
    const completeness = inDoubt(countCompleteness(leafIds, expected, shares), this.#doubt);
    return { expected, expectedOfSides, answers, completeness, failures: this.failures };
  }
}

function checkAnswers(collected: TreeAnswers, options: AskOptions): TreeAnswers {
  const { completeness, answers } = collected;
  const missing = completeness.leaves.missing.join(", ");
  const isEmpty = answers.every(({ done, stats }) => !done && stats.share === 0);
  if (isEmpty) {
    throw (
      whyNothing(collected) ?? new HadalError("no-leaves", { missing: missing || "there are none" })
    );
  }
  if (options.exact && (completeness.fraction < 1 || missing !== "")) {
    // Never "100 %": it is refused because something is missing.
    if (isFault(collected)) throw leafFailed(collected);
    const percent = Math.min(99.9, Math.floor(completeness.fraction * 1_000) / 10);
    throw new HadalError("incomplete", {
      percent,
      missing: completeness.reason ?? (missing || "rows of leaves that answered"),
    });
  }
  checkRowsAnswered(collected, options);
  return collected;
}

/** Throws when none of the expected rows answered: an answer of zero rows would look right. */
function checkRowsAnswered(
  collected: TreeAnswers,
  { resolved, expectedRows }: Pick<AskOptions, "resolved" | "expectedRows">,
): void {
  if (leavesOfLostSide(collected) === null) return;
  // Rows that retention removed since the query began are not missing.
  const now = readExpected(resolved, expectedRows);
  const expectedOfSides = collected.expectedOfSides.map((side, i) => {
    const left = [...side].map(([id, rows]) => [id, Math.min(rows, now[i]!.get(id) ?? 0)] as const);
    return new Map(left);
  });
  const lost = leavesOfLostSide({ ...collected, expectedOfSides });
  if (lost === null) return;
  const { failures } = collected;
  if (lost.some((id) => failures.get(id)?.code === "internal")) throw leafFailed(collected);
  throw new HadalError("no-leaves", { missing: lost.join(", ") });
}

/** The leaves with the rows of a side of which none answered; null where every side has an answer or no rows. */
function leavesOfLostSide({
  expectedOfSides,
  answers,
}: Pick<TreeAnswers, "expectedOfSides" | "answers">): readonly string[] | null {
  const holding = new Set(
    answers.flatMap(({ leafId, stats }) => (stats.rowsHeld > 0 && stats.share > 0 ? [leafId] : [])),
  );
  for (const side of expectedOfSides) {
    const leafIds = [...side].flatMap(([leafId, rows]) => (rows > 0 ? [leafId] : []));
    if (leafIds.length > 0 && !leafIds.some((leafId) => holding.has(leafId))) return leafIds;
  }
  return null;
}

/** The problem that all missing leaves sent; null where they differ or some sent none. */
function whyNothing(collected: TreeAnswers): HadalError | null {
  if (isFault(collected)) return leafFailed(collected);
  const { failures, completeness } = collected;
  const [first, ...others] = failures.values();
  if (first === undefined || failures.size < completeness.leaves.missing.length) return null;
  return others.every(({ code }) => code === first.code) ? first : null;
}

function isFault({ failures }: TreeAnswers): boolean {
  return [...failures.values()].some(({ code }) => code === "internal");
}

function leafFailed({ failures }: TreeAnswers): HadalError {
  const faults = [...failures].filter(([, { code }]) => code === "internal");
  faults.sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  const parts = faults.map(([leafId, { code, message }]) => ({
    code,
    detail: `${leafId}: ${message}`,
  }));
  const leaves = faults.map(([leafId]) => leafId).join(", ");
  return new HadalError("leaf-failed", { leaves, detail: parts[0]?.detail ?? "" }, parts);
}

/**
 * Asks one leaf until it has answered, has failed for good, or time is up; resolves with its last problem.
 * Rejects only with a problem of the query.
 */
async function askLeaf(leaf: QueriedLeaf, options: AskLeafOptions): Promise<HadalError | null> {
  const { resolved, expected, signal, onAnswer } = options;
  let failed: HadalError | null = null;
  let failureCount = 0;
  let lackingCount = 0;
  while (!signal.aborted) {
    let isWhole = false;
    let isDone = false;
    try {
      const askedMs = options.now();
      const budgetMs = Math.max(0, options.deadline - askedMs);
      const asked = leaf.streamQuery(resolved, {
        budgetMs,
        signal,
        onPartial({ done, workMs, stats, body }) {
          const startedMs = options.now();
          const partial = decodePartialResult(body, resolved);
          const decodeMs = options.now() - startedMs;
          const waitMs = startedMs - askedMs;
          const answer = { leafId: leaf.id, partial, stats, done, workMs, waitMs, decodeMs };
          if (options.exact && done) forgetRemovedRows(expected, leaf.id, options);
          const rows = expected.all.get(leaf.id) ?? 0;
          isDone = done;
          isWhole = done && rowsAnswered(stats, rows) === rows;
          onAnswer(answer);
        },
      });
      await untilAborted(asked, signal);
      failed = null;
    } catch (error) {
      if (isAboutQuery(error)) throw error;
      failed = isLost(error) ? null : asProblem(error, leaf.id, options.onError);
      failureCount += failed?.code === "internal" ? 1 : 0;
    }
    if (isDone && !isWhole) lackingCount++;
    const isLeft = failureCount >= failuresMax || lackingCount >= lackingMax;
    if (isWhole || !options.exact || isLeft) return failed;
    await pause(retryMs, signal);
  }
  return failed;
}

interface AskLeafOptions extends AskOptions {
  readonly expected: RowsOfLeaves;
  readonly onAnswer: (answer: LeafAnswer) => void;
}

/** Rows that each leaf should hold: over all sides of the query, and by side. */
interface RowsOfLeaves {
  readonly all: Map<string, number>;
  readonly ofSides: readonly Map<string, number>[];
}

/** Does not wait for rows that retention removed since the query began. */
function forgetRemovedRows(
  { all, ofSides }: RowsOfLeaves,
  leafId: string,
  { resolved, expectedRows }: AskOptions,
): void {
  let total = 0;
  readExpected(resolved, expectedRows).forEach((now, i) => {
    const side = ofSides[i]!;
    const rows = Math.min(side.get(leafId) ?? 0, now.get(leafId) ?? 0);
    if (side.has(leafId)) side.set(leafId, rows);
    total += rows;
  });
  if (all.has(leafId)) all.set(leafId, total);
}

/** No answer: the leaf is gone, or the query has ended. */
function isLost(error: unknown): boolean {
  if (!(error instanceof HadalError)) return false;
  return error.code === "connection-lost" || error.code === "cancelled";
}

function asProblem(error: unknown, leafId: string, onError: AskOptions["onError"]): HadalError {
  if (error instanceof HadalError) return error;
  const id = randomUUID();
  onError(`problem ${id}, with the answer of ${leafId}`, error);
  return new HadalError("internal", { id });
}

/** How many of a leaf's rows its answer covers; whole answers count more. */
function coverageOf(answer: LeafAnswer, expected: number): number {
  const rows = rowsAnswered(answer.stats, expected);
  return rows + (answer.done ? 1 : answer.stats.share / 2);
}

/** Whether a query failed only because leaves did not answer. */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof HadalError && error.code !== "cancelled" && !isAboutQuery(error);
}

/** Problems that any leaf would have with this query, or that binding the query again solves. */
function isAboutQuery(error: unknown): boolean {
  if (!(error instanceof HadalError)) return false;
  if (error.code === "schema-changed") return true;
  return !error.retry && error.status < 500 && error.code !== "cancelled";
}

/** Does not wait for a leaf that is slow to notice the abort. */
function untilAborted(asked: Promise<void>, signal: StopSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve();
    signal.addEventListener("abort", stop, { once: true });
    asked.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function pause(forMs: number, signal: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, forMs);
    signal.addEventListener("abort", end, { once: true });
  });
}
