import { randomUUID } from "node:crypto";
import { type Completeness, HadalError } from "@hadal/sdk";
import { decodePartialResult } from "../aggregate/merge/partialCodec.js";
import type { PartialResult } from "../aggregate/partial/partialResult.js";
import { afterMs } from "../base/schedule/deadlines.js";
import { StopController, type StopSignal } from "../base/schedule/stopController.js";
import type { LeafQueryStats } from "../cluster/leafProtocol.js";
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

/** What the tree needs of a leaf; a LeafConnection is one. */
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

/** The latest of one leaf: cumulative, each replaces the one before. */
export interface LeafAnswer {
  readonly leafId: string;
  readonly partial: PartialResult;
  readonly stats: LeafQueryStats;
  readonly done: boolean;
  /** What the leaf took, from the question to the encoded answer. */
  readonly workMs: number;
  /** What it took to read the answer here. */
  readonly decodeMs: number;
}

export interface TreeAnswers {
  /** Rows that each leaf should hold for the query. */
  readonly expected: ReadonlyMap<string, number>;
  /** The same for each side of it. */
  readonly expectedOfSides: readonly ReadonlyMap<string, number>[];
  readonly answers: readonly LeafAnswer[];
  readonly completeness: Completeness;
  /** Why leaves did not answer, of those that said so. */
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
  /** For the log: what came of a leaf's answer here, and is no problem that a person may see. */
  readonly onError: (text: string, error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** A leaf that could not answer is asked again after this long, if all is wanted. */
const retryMs = 100;
/** What is no passing fault (a thread that died is replaced) is not asked for until the deadline. */
const failuresMax = 2;
/** So often a leaf is asked whose whole answer lacks rows: what it has lost does not come back by itself. */
const lackingMax = 3;

/**
 * Asks all leaves in parallel and gathers what comes until the deadline. A leaf that is late, dead or
 * broken is left out and named; what it had sent until then stays, so that completeness never falls.
 */
export async function askLeaves(options: AskOptions): Promise<TreeAnswers> {
  const { resolved, leaves, signal } = options;
  if (signal.aborted) throw new HadalError("cancelled");
  const expectedOfSides = readExpected(resolved, options.expectedRows).map((side) => new Map(side));
  const expected = addSides(expectedOfSides);
  const doubt = readDoubt(resolved, options.expectedRows);
  const latest = new Map<string, LeafAnswer>();
  const failures = new Map<string, HadalError>();
  const controller = new StopController();
  const stopAll = (): void => controller.abort();
  signal.addEventListener("abort", stopAll, { once: true });
  const callOff = afterMs(options.deadline - options.now(), stopAll);
  const open = new Set(leaves.map(({ id }) => id));

  const gather = (): TreeAnswers => {
    const answers = [...latest.values()];
    const shares = answers.map(({ leafId, stats, done }) => ({
      leafId,
      rowsHeld: stats.rowsHeld,
      share: stats.share,
      done,
    }));
    const leafIds = leaves.map(({ id }) => id);
    const completeness = inDoubt(countCompleteness(leafIds, expected, shares), doubt);
    return { expected, expectedOfSides, answers, completeness, failures };
  };
  const note = (answer: LeafAnswer): void => {
    if (controller.signal.aborted) return;
    const rows = expected.get(answer.leafId) ?? 0;
    const before = latest.get(answer.leafId);
    // A leaf that is asked a second time starts over: what it said first stays until it is surpassed.
    if (before !== undefined && coverageOf(before, rows) > coverageOf(answer, rows)) return;
    latest.set(answer.leafId, answer);
    if (answer.done) open.delete(answer.leafId);
    if (open.size === 0) return;
    const gathered = gather();
    // Zero rows would be shown where leaves that hold some are still to answer.
    if (leavesOfLostSide(gathered) === null) options.onAnswers(gathered);
  };

  try {
    await Promise.all(
      leaves.map(async (leaf) => {
        const failed = await askLeaf(leaf, {
          ...options,
          expected: { all: expected, ofSides: expectedOfSides },
          signal: controller.signal,
          onAnswer: note,
        });
        if (failed !== null) failures.set(leaf.id, failed);
      }),
    );
  } finally {
    callOff();
    signal.removeEventListener("abort", stopAll);
    // A problem of the query itself ends it on the other leaves too.
    controller.abort();
  }
  if (signal.aborted) throw new HadalError("cancelled");
  return checkAnswers(gather(), options);
}

function checkAnswers(gathered: TreeAnswers, options: AskOptions): TreeAnswers {
  const { completeness, answers } = gathered;
  const missing = completeness.leaves.missing.join(", ");
  const isEmpty = answers.every(({ done, stats }) => !done && stats.share === 0);
  if (isEmpty) {
    throw (
      whyNothing(gathered) ?? new HadalError("no-leaves", { missing: missing || "there are none" })
    );
  }
  if (options.exact && (completeness.fraction < 1 || missing !== "")) {
    // Never "100 %": it is refused because something is missing.
    if (isFault(gathered)) throw leafFailed(gathered);
    const percent = Math.min(99.9, Math.floor(completeness.fraction * 1_000) / 10);
    throw new HadalError("incomplete", {
      percent,
      missing: completeness.reason ?? (missing || "rows of leaves that answered"),
    });
  }
  checkRowsAnswered(gathered, options);
  return gathered;
}

/** No row answered of those that there are: an error, since an answer of zero rows would look right. */
function checkRowsAnswered(
  gathered: TreeAnswers,
  { resolved, expectedRows }: Pick<AskOptions, "resolved" | "expectedRows">,
): void {
  if (leavesOfLostSide(gathered) === null) return;
  // Rows that retention removed since the query began are not missing.
  const now = readExpected(resolved, expectedRows);
  const expectedOfSides = gathered.expectedOfSides.map((side, i) => {
    const left = [...side].map(([id, rows]) => [id, Math.min(rows, now[i]!.get(id) ?? 0)] as const);
    return new Map(left);
  });
  const lost = leavesOfLostSide({ ...gathered, expectedOfSides });
  if (lost === null) return;
  const { failures } = gathered;
  if (lost.some((id) => failures.get(id)?.code === "internal")) throw leafFailed(gathered);
  throw new HadalError("no-leaves", { missing: lost.join(", ") });
}

/** The leaves that hold the rows of a side of which none answered; null where each side has some, or there are none. */
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

/** What the leaves said instead of an answer; null when that is not known of all. */
function whyNothing(gathered: TreeAnswers): HadalError | null {
  if (isFault(gathered)) return leafFailed(gathered);
  const { failures, completeness } = gathered;
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
 * Asks one leaf until it has answered, has failed for good, or time is up; resolves with what it failed of.
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
      const budgetMs = Math.max(0, options.deadline - options.now());
      const asked = leaf.streamQuery(resolved, {
        budgetMs,
        signal,
        onPartial({ done, workMs, stats, body }) {
          const startedMs = options.now();
          const partial = decodePartialResult(body, resolved);
          const decodeMs = options.now() - startedMs;
          const answer = { leafId: leaf.id, partial, stats, done, workMs, decodeMs };
          if (options.exact && done) bookOut(expected, leaf.id, options);
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

/** Rows that went since the question began, as retention has them go, are not waited for. */
function bookOut(
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

/** How much of a leaf stands behind its answer; whole answers count most. */
function coverageOf(answer: LeafAnswer, expected: number): number {
  const rows = rowsAnswered(answer.stats, expected);
  return rows + (answer.done ? 1 : answer.stats.share / 2);
}

/** Whether the leaves' silence or faults are all there is against the query. */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof HadalError && error.code !== "cancelled" && !isAboutQuery(error);
}

/** Problems that any leaf would have with this query, or that binding it anew mends; the others are one leaf's own. */
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
