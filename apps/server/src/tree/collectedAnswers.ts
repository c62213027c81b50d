import type { HadalError } from "@hadal/sdk";
import { emptySnapshot, type UnitSnapshot } from "../base/row/unitSnapshot.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { LeafReport } from "../cluster/treeProtocol.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { AskedNodes, type NodeProgress } from "./askedNodes.js";
import { leavesOfLostSide } from "./checkAnswers.js";
import { chooseParts } from "./copies/chooseParts.js";
import {
  addSides,
  countCompleteness,
  inDoubt,
  readDoubt,
  readDoubtOfLeaves,
  readExpected,
  readUnseen,
  rowsAnswered,
} from "./countCompleteness.js";
import type { ExpectedRows } from "./expectedRows.js";
import type { PartAnswer } from "./partAnswer.js";
import { leafIdsOf, type QueriedNode } from "./queriedNode.js";
import { haveShown, shownBy } from "./sameMoment.js";
import type { TreeAnswers } from "./treeAnswers.js";

export interface CollectOptions {
  readonly resolved: ResolvedQuery;
  readonly leaves: readonly QueriedNode[];
  readonly expectedRows: Pick<ExpectedRows, "expected" | "unseen" | "doubt" | "doubtOfLeaves">;
  /** The units that leaves are asked for, read together with the expected rows. */
  readonly snapshot?: UnitSnapshot;
  /** Called after every answer but the last. */
  readonly onAnswers: (answers: TreeAnswers) => void;
}

/** Why no share can be said of an answer that may have a part of a request. */
const partedUnits =
  "leaves showed rows of different moments, and no answer of one moment came in time";

/** The latest answer of each leaf, and the rows that each should have. */
export class CollectedAnswers {
  readonly #options: CollectOptions;
  readonly #stopped: StopSignal;
  readonly #expected: Map<string, number>;
  readonly #expectedOfSides: readonly Map<string, number>[];
  readonly #unseen: number;
  readonly #doubt: ReturnType<typeof readDoubt>;
  /** By the id of the node that was asked. */
  readonly #latest = new Map<string, readonly PartAnswer[]>();
  /** Whole answers of copies, by partition. */
  readonly #copies = new Map<string, PartAnswer>();
  readonly #failures = new Map<string, ReadonlyMap<string, HadalError>>();
  /** Nodes that have not answered for all of their leaves, and may. */
  readonly #open: Set<string>;
  readonly #asked: AskedNodes;
  /** Partitions of which a copy is asked before the leaf. */
  readonly #copyFirst: ReadonlySet<string>;
  /** Those of which the copy may lack rows. */
  readonly #short = new Set<string>();

  constructor(options: CollectOptions, stopped: StopSignal) {
    const { resolved, expectedRows, leaves } = options;
    this.#expectedOfSides = readExpected(resolved, expectedRows).map((side) => new Map(side));
    this.#expected = addSides(this.#expectedOfSides);
    this.#unseen = readUnseen(resolved, expectedRows);
    this.#doubt = readDoubt(resolved, expectedRows);
    this.#options = options;
    this.#stopped = stopped;
    this.#open = new Set(leaves.map(({ id }) => id));
    this.#asked = new AskedNodes(leaves);
    const copyFirst = leaves.filter(({ copies }) => copies?.onShort !== undefined);
    this.#copyFirst = new Set(copyFirst.flatMap(leafIdsOf));
  }

  add(node: QueriedNode, answer: readonly PartAnswer[], progress: NodeProgress): void {
    if (this.#stopped.aborted) return;
    const before = this.#latest.get(node.id);
    // A node that is asked a second time starts over: its first answer stays until the second covers more.
    if (before !== undefined && this.#coverageOf(before) > this.#coverageOf(answer)) return;
    this.#latest.set(node.id, answer);
    this.#asked.note(node, progress);
    this.#offer(node);
  }

  /** The whole answer of a copy of one of the node's partitions. */
  addCopy(node: QueriedNode, part: PartAnswer, progress: NodeProgress): void {
    if (this.#stopped.aborted) return;
    const before = this.#copies.get(part.partId);
    if (before !== undefined && this.#coverageOf([before]) > this.#coverageOf([part])) return;
    this.#copies.set(part.partId, part);
    const { machine, leafIds } = part.source;
    const names = { ...(machine !== undefined && { machine }), ...(leafIds && { leafIds }) };
    // Beside the node, which may have the same id.
    this.#asked.note({ id: `copy of ${part.partId}`, ...names }, progress);
    this.#offer(node);
  }

  /** `failures`: why leaves of the node did not answer. */
  fail({ id }: QueriedNode, failures: ReadonlyMap<string, HadalError>): void {
    this.#failures.set(id, failures);
  }

  /** The node answers no more. */
  end({ id }: QueriedNode): void {
    this.#open.delete(id);
  }

  /** Whether all leaves of the node are done, each with all rows that are expected of it. */
  isWhole(node: QueriedNode): boolean {
    const leaves = this.#partsOf(node).flatMap((part) => part.leaves);
    return (
      leaves.length === leafIdsOf(node).length &&
      leaves.every(({ leafId, done, stats }) => {
        const rows = this.#expected.get(leafId) ?? 0;
        return done && rowsAnswered(stats, rows) === rows;
      })
    );
  }

  /** Whether a whole answer of a leaf's copy may lack rows that the leaf has. */
  isShort({ leafId, stats }: LeafReport): boolean {
    const { resolved, expectedRows } = this.#options;
    const rows = this.#expected.get(leafId) ?? 0;
    const isShort =
      rowsAnswered(stats, rows) < rows ||
      readDoubtOfLeaves(resolved, [leafId], expectedRows) !== null;
    if (isShort) this.#short.add(leafId);
    else this.#short.delete(leafId);
    return isShort;
  }

  /** Does not wait for rows that retention removed since the query began. */
  forgetRemovedRows(leafIds: readonly string[]): void {
    const { resolved, expectedRows } = this.#options;
    const now = readExpected(resolved, expectedRows);
    for (const leafId of leafIds) {
      let total = 0;
      now.forEach((rowsNow, i) => {
        const side = this.#expectedOfSides[i]!;
        const rows = Math.min(side.get(leafId) ?? 0, rowsNow.get(leafId) ?? 0);
        if (side.has(leafId)) side.set(leafId, rows);
        total += rows;
      });
      if (this.#expected.has(leafId)) this.#expected.set(leafId, total);
    }
  }

  answers(): TreeAnswers {
    const answers = this.#options.leaves.flatMap((node) => this.#partsOf(node));
    const shares = answers.flatMap(({ leaves }) => leaves);
    const [expected, expectedOfSides] = [this.#expected, this.#expectedOfSides];
    const leafIds = this.#options.leaves.flatMap(leafIdsOf);
    const counted = countCompleteness(leafIds, expected, shares, this.#unseen);
    const { snapshot: wanted = emptySnapshot } = this.#options;
    const snapshot = shownBy(shares, wanted);
    const parted = haveShown(snapshot, shares, wanted) ? null : partedUnits;
    const completeness = inDoubt(counted, this.#doubt ?? parted);
    const failures = this.#failuresBut(shares);
    const asked = this.#asked.all;
    return { expected, expectedOfSides, answers, completeness, snapshot, failures, asked };
  }

  /**
   * The same once none is to come: rows may be uncounted of leaves that have not said themselves
   * what they have.
   */
  lastAnswers(): TreeAnswers {
    const answers = this.answers();
    const { resolved, expectedRows } = this.#options;
    const byCopies = answers.answers.filter((part) => this.#isOfCopy(part));
    const unheard = [
      ...answers.completeness.leaves.missing,
      ...byCopies.flatMap(({ leaves }) => leaves.map(({ leafId }) => leafId)),
    ];
    const doubt = readDoubtOfLeaves(resolved, unheard, expectedRows);
    return { ...answers, completeness: inDoubt(answers.completeness, doubt) };
  }

  /** Whether the part is of a copy, which may lack rows of its leaf. */
  #isOfCopy(part: PartAnswer): boolean {
    const isSecond = this.#copies.get(part.partId) === part;
    if (isSecond) return !this.#copyFirst.has(part.partId);
    return part.leaves.some(({ leafId }) => this.#short.has(leafId));
  }

  /** The failures of leaves that no answer covers. */
  #failuresBut(shares: readonly PartAnswer["leaves"][number][]): ReadonlyMap<string, HadalError> {
    if (this.#failures.size === 0) return new Map();
    const done = new Set(shares.flatMap((leaf) => (leaf.done ? [leaf.leafId] : [])));
    const all = [...this.#failures.values()].flatMap((ofNode) => [...ofNode]);
    return new Map(all.filter(([leafId]) => !done.has(leafId)));
  }

  #offer(node: QueriedNode): void {
    const leaves = this.#partsOf(node).flatMap((part) => part.leaves);
    const doneCount = leaves.filter(({ done }) => done).length;
    if (doneCount === leafIdsOf(node).length) this.#open.delete(node.id);
    if (this.#open.size === 0) return;
    const answers = this.answers();
    // Zero rows would be shown while leaves that have some are still to answer.
    if (leavesOfLostSide(answers) === null) this.#options.onAnswers(answers);
  }

  /** What stands for the node: no partition is in two parts (I7). */
  #partsOf(node: QueriedNode): readonly PartAnswer[] {
    const first = this.#latest.get(node.id) ?? [];
    if (this.#copies.size === 0) return first;
    const copies = leafIdsOf(node).flatMap((leafId) => this.#copies.get(leafId) ?? []);
    const coverageOf = (parts: readonly PartAnswer[]): number => this.#coverageOf(parts);
    const isCopyFirst = leafIdsOf(node).every((leafId) => this.#copyFirst.has(leafId));
    return chooseParts({ first, copies, coverageOf, isCopyFirst });
  }

  /** How many rows of its leaves an answer covers; leaves that are done count more. */
  #coverageOf(answer: readonly PartAnswer[]): number {
    let covered = 0;
    for (const { leaves } of answer) {
      for (const { leafId, done, stats } of leaves) {
        const rows = rowsAnswered(stats, this.#expected.get(leafId) ?? 0);
        covered += rows + (done ? 1 : stats.share / 2);
      }
    }
    return covered;
  }
}
