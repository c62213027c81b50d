import type { LeafHints } from "../../cluster/leafReply.js";
import type { Doubt } from "../ledger/ledgerDoubts.js";
import type { BatchIntent } from "../ledger/ledgerEvents.js";
import { askLeaf } from "./askLeaf.js";
import type { LeafTarget } from "./leafTarget.js";
import { type PlacerDeps, sentBy } from "./outgoingBatch.js";

type FoundHint = LeafHints["batches"][number];

/** Notes whether a batch was sent since the watch began. */
export interface SendWatch {
  readonly isSent: boolean;
  end(): void;
}

/**
 * Hinted batches that the ledger does not list: it was damaged, or its end is lost. They may have
 * been acknowledged. Where a leaf has stored the batch the hint is dropped; where none has, the
 * batch is in doubt again, and then stored.
 */
export class OrphanBatches {
  readonly #deps: PlacerDeps;
  readonly #watch: (table: string, batchId: string) => SendWatch;
  /** The ledger's damage when all leaves were searched; undefined: they were not. */
  #searchedAt: Doubt | null | undefined;
  #searching: Promise<void> | null = null;
  /** Intents made for such batches since the start, by table and id. */
  readonly #adopted = new Map<string, BatchIntent>();

  constructor(deps: PlacerDeps, watch: (table: string, batchId: string) => SendWatch) {
    this.#deps = deps;
    this.#watch = watch;
  }

  /** Whether all were found since the ledger was last damaged. */
  get areFound(): boolean {
    // Another gateway searches for them.
    if (this.#deps.others?.isLeader === false) return true;
    return this.#searchedAt === this.#damage;
  }

  get #damage(): Doubt | null {
    const { ledger, others } = this.#deps;
    return others === undefined ? ledger.damage : others.damage;
  }

  /** The intent of such a batch; it may be settled since. */
  find(table: string, batchId: string): BatchIntent | undefined {
    return this.#adopted.get(`${table}\n${batchId}`);
  }

  /**
   * Needs all leaves: any of them may have stored the batch of a hint. Callers share one search.
   */
  search(): Promise<void> {
    this.#searching ??= this.#searchAll().finally(() => {
      this.#searching = null;
    });
    return this.#searching;
  }

  async #searchAll(): Promise<void> {
    const damage = this.#damage;
    const { others } = this.#deps;
    if (others?.isLeader === false) return;
    const leaves = this.#deps.leaves();
    const canAll = (this.#deps.leavesLeftOut ?? []).length === 0 && leaves.every(isAlive);
    if (this.areFound || !canAll) return;
    if (!(await this.#fenceAll(leaves))) return;
    // One after the other: two may have the same batch.
    for (const leaf of leaves) if (!(await this.#searchLeaf(leaf, leaves))) return;
    this.#searchedAt = damage;
  }

  /** From here on no gateway stores a batch of which another has taken over the hint. */
  async #fenceAll(leaves: readonly LeafTarget[]): Promise<boolean> {
    const { others } = this.#deps;
    if (others === undefined) return true;
    const fenced = await Promise.allSettled(leaves.map((leaf) => others.fence(leaf)));
    return fenced.every(({ status }) => status === "fulfilled");
  }

  /** False: it has to be searched again. */
  async #searchLeaf(leaf: LeafTarget, leaves: readonly LeafTarget[]): Promise<boolean> {
    let areAll = true;
    for (let after: string | null = null; ; ) {
      const found: LeafHints | null = await askHints(leaf, after);
      if (found === null) return false;
      const listed = await this.#withoutOthers(found.batches);
      if (listed === null) return false;
      for (const batch of listed) if (!(await this.#settle(leaf, batch, leaves))) areAll = false;
      if (found.next === null) return areAll;
      after = found.next;
    }
  }

  /** The hints of no other gateway; null: that is not known now. */
  async #withoutOthers(batches: readonly FoundHint[]): Promise<readonly FoundHint[] | null> {
    const { others } = this.#deps;
    if (others === undefined || batches.length === 0) return batches;
    const theirs = await others.hintsOfOthers();
    if (theirs === null) return null;
    return batches.filter(({ table, batchId }) => !theirs.has(`${table}\n${batchId}`));
  }

  async #settle(
    leaf: LeafTarget,
    { table, batchId, contentHash, rows }: FoundHint,
    leaves: readonly LeafTarget[],
  ): Promise<boolean> {
    const { ledger, nowMs } = this.#deps;
    if (ledger.hints.find(table, batchId)?.leaves.has(leaf.id) === true) return true;
    const isOpen = (): boolean =>
      ledger.findPending(table, batchId) !== undefined ||
      ledger.drops.leavesDropping(table).length > 0;
    if (isOpen()) return false;
    const watch = this.#watch(table, batchId);
    try {
      const held = await Promise.all(leaves.map((one) => hashHeld(one, table, batchId)));
      // The batch may have been sent again meanwhile, to a leaf that had already answered.
      if (held.includes("unknown") || watch.isSent || isOpen()) return false;
      const hashes = held.filter((one) => one !== null);
      if (hashes.length > 0) {
        // Another batch under this id decides nothing about this one.
        if (!hashes.includes(contentHash)) return true;
        const sender = sentBy(this.#deps.others);
        const request = { kind: "dropAside", table, batchId, ...sender } as const;
        const answer = await askLeaf(
          leaf,
          request,
          undefined,
          ({ kind }) => kind === "done" || null,
        );
        return answer.kind === "answered";
      }
      const found = { table, batchId, contentHash, leaf: leaf.id, rows, atMs: nowMs() };
      const adopting = ledger.adopt({ ...found, key: null, requestHash: "" });
      const intent = ledger.findPending(table, batchId);
      if (intent !== undefined) this.#adopted.set(`${table}\n${batchId}`, intent);
      return await adopting.then(
        () => true,
        () => false,
      );
    } finally {
      watch.end();
    }
  }
}

async function askHints(leaf: LeafTarget, after: string | null): Promise<LeafHints | null> {
  const answer = await askLeaf(leaf, { kind: "asides", after }, undefined, (header) =>
    header.kind === "asides" ? header : null,
  );
  return answer.kind === "answered" ? answer.outcome : null;
}

const isAlive = ({ state }: LeafTarget): boolean => state === "alive";

/** The content hash of a batch on a leaf; null: the leaf does not have it. */
export async function hashHeld(
  leaf: LeafTarget,
  table: string,
  batchId: string,
): Promise<string | null | "unknown"> {
  const request = { kind: "holds", table, batchIds: [batchId] } as const;
  const answer = await askLeaf(leaf, request, undefined, (header) =>
    header.kind === "holding" ? header : null,
  );
  if (answer.kind !== "answered") return "unknown";
  return answer.outcome.batches.find((one) => one.batchId === batchId)?.contentHash ?? null;
}
