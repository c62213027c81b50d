import { type Completeness, HadalError } from "@hadal/sdk";
import { afterMs } from "../base/schedule/deadlines.js";
import { StopController, type StopSignal } from "../base/schedule/stopController.js";
import type { TracedNode } from "../cluster/treeTrace.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { AskedNodes, type NodeProgress } from "./askedNodes.js";
import { askOnce } from "./askOnce.js";
import {
  addSides,
  countCompleteness,
  inDoubt,
  readDoubt,
  readExpected,
  rowsAnswered,
} from "./countCompleteness.js";
import type { ExpectedRows } from "./expectedRows.js";
import type { PartAnswer } from "./partAnswer.js";
import { leafIdsOf, type QueriedNode } from "./queriedNode.js";

export interface TreeAnswers {
  /** Rows that each leaf should hold for the query. */
  readonly expected: ReadonlyMap<string, number>;
  /** The same for each side of the query. */
  readonly expectedOfSides: readonly ReadonlyMap<string, number>[];
  readonly answers: readonly PartAnswer[];
  readonly completeness: Completeness;
  /** Why leaves did not answer, for those that sent a problem. */
  readonly failures: ReadonlyMap<string, HadalError>;
  /** Whom the root asked, and who was asked below it. */
  readonly asked: readonly TracedNode[];
}

export interface AskOptions {
  readonly resolved: ResolvedQuery;
  readonly leaves: readonly QueriedNode[];
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
        const failed = await askNode(leaf, {
          ...options,
          expected: collected.expected,
          signal: controller.signal,
          onAnswer: (answer, progress) => collected.add(leaf, answer, progress),
          onFailures: (failures) => collected.fail(leaf.id, failures),
        });
        if (failed === null) return;
        collected.fail(leaf.id, new Map(leafIdsOf(leaf).map((leafId) => [leafId, failed])));
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
  readonly #options: AskOptions;
  readonly #stopped: StopSignal;
  readonly #doubt: ReturnType<typeof readDoubt>;
  /** By the id of the node that was asked. */
  readonly #latest = new Map<string, readonly PartAnswer[]>();
  readonly #failures = new Map<string, ReadonlyMap<string, HadalError>>();
  /** Nodes without a whole answer. */
  readonly #open: Set<string>;
  readonly #asked: AskedNodes;

  constructor(options: AskOptions, stopped: StopSignal) {
    const { resolved, expectedRows, leaves } = options;
    const ofSides = readExpected(resolved, expectedRows).map((side) => new Map(side));
    this.expected = { all: addSides(ofSides), ofSides };
    this.#doubt = readDoubt(resolved, expectedRows);
    this.#options = options;
    this.#stopped = stopped;
    this.#open = new Set(leaves.map(({ id }) => id));
    this.#asked = new AskedNodes(leaves);
  }

  add(node: QueriedNode, answer: readonly PartAnswer[], progress: NodeProgress): void {
    if (this.#stopped.aborted) return;
    const nodeId = node.id;
    const { all } = this.expected;
    const before = this.#latest.get(nodeId);
    // A node that is asked a second time starts over: its first answer stays until the second covers more.
    if (before !== undefined && coverageOf(before, all) > coverageOf(answer, all)) return;
    this.#latest.set(nodeId, answer);
    this.#asked.note(node, progress);
    if (answer.every(({ done }) => done)) this.#open.delete(nodeId);
    if (this.#open.size === 0) return;
    const answers = this.answers();
    // Zero rows would be shown while leaves that have some are still to answer.
    if (leavesOfLostSide(answers) === null) this.#options.onAnswers(answers);
  }

  /** `failures`: why leaves of the node did not answer. */
  fail(nodeId: string, failures: ReadonlyMap<string, HadalError>): void {
    this.#failures.set(nodeId, failures);
  }

  answers(): TreeAnswers {
    const answers = [...this.#latest.values()].flat();
    const shares = answers.flatMap(({ leaves }) => leaves);
    const { all: expected, ofSides: expectedOfSides } = this.expected;
    const leafIds = this.#options.leaves.flatMap(leafIdsOf);
    const completeness = inDoubt(countCompleteness(leafIds, expected, shares), this.#doubt);
    const failures = new Map([...this.#failures.values()].flatMap((ofNode) => [...ofNode]));
    const asked = this.#asked.all;
    return { expected, expectedOfSides, answers, completeness, failures, asked };
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
    answers.flatMap(({ leaves }) =>
      leaves.flatMap(({ leafId, stats }) =>
        stats.rowsHeld > 0 && stats.share > 0 ? [leafId] : [],
      ),
    ),
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
async function askNode(leaf: QueriedNode, options: AskNodeOptions): Promise<HadalError | null> {
  const { expected, signal, onAnswer } = options;
  let failed: HadalError | null = null;
  let failureCount = 0;
  let lackingCount = 0;
  while (!signal.aborted) {
    let isWhole = false;
    let isDone = false;
    failed = await askOnce(leaf, options, (answer, progress) => {
      const { done, failures } = progress;
      if (options.exact && done) {
        for (const leafId of leafIdsOf(leaf)) forgetRemovedRows(expected, leafId, options);
      }
      isDone = done;
      isWhole = done && isWholeAnswer(leaf, answer, expected.all);
      if (failures !== undefined) options.onFailures(failures);
      onAnswer(answer, progress);
    });
    failureCount += failed?.code === "internal" ? 1 : 0;
    if (isDone && !isWhole) lackingCount++;
    const isLeft = failureCount >= failuresMax || lackingCount >= lackingMax;
    if (isWhole || !options.exact || isLeft) return failed;
    await pause(retryMs, signal);
  }
  return failed;
}

interface AskNodeOptions extends AskOptions {
  readonly expected: RowsOfLeaves;
  readonly onAnswer: (answer: readonly PartAnswer[], progress: NodeProgress) => void;
  readonly onFailures: (failures: ReadonlyMap<string, HadalError>) => void;
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

/** Whether all leaves of the node are done, each with all rows that are expected of it. */
function isWholeAnswer(
  node: QueriedNode,
  answer: readonly PartAnswer[],
  expected: ReadonlyMap<string, number>,
): boolean {
  const leaves = answer.flatMap((part) => part.leaves);
  return (
    leaves.length === leafIdsOf(node).length &&
    leaves.every(({ leafId, done, stats }) => {
      const rows = expected.get(leafId) ?? 0;
      return done && rowsAnswered(stats, rows) === rows;
    })
  );
}

/** How many rows of its leaves a node's answer covers; leaves that are done count more. */
function coverageOf(answer: readonly PartAnswer[], expected: ReadonlyMap<string, number>): number {
  let covered = 0;
  for (const { leaves } of answer) {
    for (const { leafId, done, stats } of leaves) {
      covered += rowsAnswered(stats, expected.get(leafId) ?? 0) + (done ? 1 : stats.share / 2);
    }
  }
  return covered;
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
