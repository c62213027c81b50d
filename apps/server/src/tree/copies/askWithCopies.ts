import type { HadalError } from "@hadal/sdk";
import { afterMs } from "../../base/schedule/deadlines.js";
import { StopController } from "../../base/schedule/stopController.js";
import type { LeafReport } from "../../cluster/treeProtocol.js";
import type { NodeProgress } from "../askedNodes.js";
import { type AskOnceOptions, askOnce, type OnAnswer } from "../askOnce.js";
import type { PartAnswer } from "../partAnswer.js";
import { leafIdsOf, type PartitionCopies, type QueriedNode } from "../queriedNode.js";

export interface AskWithCopiesOptions extends AskOnceOptions {
  /** The whole answer of a copy: of one partition. */
  readonly onCopy: (answer: PartAnswer, progress: NodeProgress) => void;
  /** Whether a leaf's own answer may have rows that this whole one of its copy has not. */
  readonly isShort: (leaf: LeafReport) => boolean;
}

/** A partition without an answer after this share of the time is late. */
const lateShare = 0.5;

/**
 * Asks a node, and copies of the partitions that it does not answer: at once where it failed, after
 * half of the time where they are late (C9). Resolves and rejects like {@link askOnce}.
 */
export function askWithCopies(
  node: QueriedNode,
  options: AskWithCopiesOptions,
  onAnswer: OnAnswer,
): Promise<HadalError | null> {
  const { copies } = node;
  if (copies === undefined) return askOnce(node, options, onAnswer);
  return new AskedNode(node, copies, options).ask(onAnswer);
}

/** A node, and copies of its partitions. Of both ways to a partition the slower one is cancelled. */
class AskedNode {
  readonly #node: QueriedNode;
  readonly #copies: PartitionCopies;
  readonly #options: AskWithCopiesOptions;
  readonly #first = new StopController();
  /** The copies that are asked, or were, by partition. */
  readonly #asked = new Map<string, StopController>();
  readonly #asking: Promise<unknown>[] = [];
  /** Partitions whose rows are in the node's answer, though perhaps not merged yet. */
  #scanned: ReadonlySet<string> = new Set();
  #done: ReadonlySet<string> = new Set();
  readonly #copied = new Set<string>();
  #fail: (error: unknown) => void = () => undefined;

  constructor(node: QueriedNode, copies: PartitionCopies, options: AskWithCopiesOptions) {
    this.#node = node;
    this.#copies = copies;
    this.#options = options;
  }

  async ask(onAnswer: OnAnswer): Promise<HadalError | null> {
    const { signal, deadline, now } = this.#options;
    if (signal.aborted) return null;
    this.#copies.budget.addAsked(leafIdsOf(this.#node).length);
    const stopAll = (): void => this.#stopAll();
    signal.addEventListener("abort", stopAll, { once: true });
    const callOff = afterMs(lateShare * (deadline - now()), () => this.#askLate());
    try {
      return await new Promise((resolve, reject) => {
        this.#fail = reject;
        this.#askAll(onAnswer).then(resolve, reject);
      });
    } finally {
      callOff();
      signal.removeEventListener("abort", stopAll);
      stopAll();
    }
  }

  async #askAll(onAnswer: OnAnswer): Promise<HadalError | null> {
    const asked = { ...this.#options, signal: this.#first.signal };
    const failed = await askOnce(this.#node, asked, (answer, sent) => {
      onAnswer(answer, sent);
      this.#hear(answer);
      for (const leafId of sent.failures?.keys() ?? []) this.#replace(leafId);
    });
    for (const leafId of leafIdsOf(this.#node)) this.#replace(leafId);
    await Promise.all(this.#asking);
    return failed;
  }

  #hear(answer: readonly PartAnswer[]): void {
    const leaves = answer.flatMap((part) => part.leaves);
    const idsWhere = (isIt: (leaf: (typeof leaves)[number]) => boolean): ReadonlySet<string> =>
      new Set(leaves.filter(isIt).map(({ leafId }) => leafId));
    this.#scanned = idsWhere(({ stats }) => stats.share === 1);
    const { onShort } = this.#copies;
    const isShort = (leaf: LeafReport): boolean =>
      leaf.done && onShort !== undefined && this.#options.isShort(leaf);
    this.#done = idsWhere((leaf) => leaf.done && !isShort(leaf));
    for (const { leafId } of leaves.filter(isShort)) {
      if (!this.#asked.has(leafId)) onShort?.(leafId);
      this.#replace(leafId);
    }
    for (const leafId of this.#done) this.#asked.get(leafId)?.abort();
    this.#endIfWhole();
  }

  /** Asks the copy of a partition that has failed. */
  #replace(leafId: string): void {
    if (this.#done.has(leafId) || this.#options.signal.aborted) return;
    if (this.#askCopy(leafId, () => true)) this.#copies.budget.addReplaced();
  }

  #askLate(): void {
    for (const leafId of leafIdsOf(this.#node)) {
      if (this.#scanned.has(leafId)) continue;
      this.#askCopy(leafId, () => this.#copies.budget.takeHedge());
    }
  }

  /** Returns whether it is asked now. */
  #askCopy(leafId: string, mayAsk: () => boolean): boolean {
    if (this.#asked.has(leafId)) return false;
    const copy = this.#copies.of(leafId);
    if (copy === null || !mayAsk()) return false;
    const controller = new StopController();
    this.#asked.set(leafId, controller);
    const asked = { ...this.#options, signal: controller.signal };
    const asking = askOnce(copy, asked, (answer, progress) =>
      this.#hearCopy(leafId, answer, progress),
    );
    asking.catch(this.#fail);
    this.#asking.push(asking);
    return true;
  }

  #hearCopy(leafId: string, answer: readonly PartAnswer[], progress: NodeProgress): void {
    const [part] = answer;
    // Only what is whole can stand for the partition: nothing of it is merged with another answer.
    if (part?.done !== true || this.#done.has(leafId)) return;
    this.#copied.add(leafId);
    this.#options.onCopy(part, progress);
    this.#endIfWhole();
  }

  #endIfWhole(): void {
    const isThere = (leafId: string): boolean => this.#done.has(leafId) || this.#copied.has(leafId);
    if (this.#copied.size > 0 && leafIdsOf(this.#node).every(isThere)) this.#first.abort();
  }

  #stopAll(): void {
    this.#first.abort();
    for (const controller of this.#asked.values()) controller.abort();
  }
}
