import type { LeafAsides } from "../../cluster/leafProtocol.js";
import type { Doubt } from "../ledger/ledgerDoubts.js";
import type { BatchIntent } from "../ledger/rowCountLedger.js";
import { askLeaf } from "./askLeaf.js";
import type { LeafTarget } from "./leafTarget.js";
import type { PlacerDeps } from "./outgoingBatch.js";

type FoundAside = LeafAsides["batches"][number];

/** Tells whether a batch was sent since the watch began. */
export interface SendWatch {
  readonly isSent: boolean;
  end(): void;
}

/**
 * Batches that lie aside on a leaf and of which the ledger knows nothing: it was damaged, or ends early. They may have
 * been acknowledged. Where a leaf holds one it is dropped, and where none does it is in doubt again, and taken in.
 */
export class OrphanBatches {
  readonly #deps: PlacerDeps;
  readonly #watch: (table: string, batchId: string) => SendWatch;
  /** What was known of the ledger's damage when all leaves were searched; undefined: they were not. */
  #searchedAt: Doubt | null | undefined;
  #searching: Promise<void> | null = null;
  /** Those that were in doubt again since the start, by table and id. */
  readonly #adopted = new Map<string, BatchIntent>();

  constructor(deps: PlacerDeps, watch: (table: string, batchId: string) => SendWatch) {
    this.#deps = deps;
    this.#watch = watch;
  }

  /** Whether none is left, as far as can be known since the ledger last lost something. */
  get areFound(): boolean {
    return this.#searchedAt === this.#deps.ledger.damage;
  }

  /** The intent of a batch that was one of these; it may be settled since. */
  find(table: string, batchId: string): BatchIntent | undefined {
    return this.#adopted.get(`${table}\n${batchId}`);
  }

  /** Once all leaves can be asked: any of them may hold what another has aside. One search for all who want it. */
  search(): Promise<void> {
    this.#searching ??= this.#searchAll().finally(() => {
      this.#searching = null;
    });
    return this.#searching;
  }

  async #searchAll(): Promise<void> {
    const { damage } = this.#deps.ledger;
    const leaves = this.#deps.leaves();
    const canAll = (this.#deps.leavesLeftOut ?? []).length === 0 && leaves.every(isAlive);
    if (this.areFound || !canAll) return;
    // One after the other: two may have the same batch.
    for (const leaf of leaves) if (!(await this.#searchLeaf(leaf, leaves))) return;
    this.#searchedAt = damage;
  }

  /** False: it has to be searched again. */
  async #searchLeaf(leaf: LeafTarget, leaves: readonly LeafTarget[]): Promise<boolean> {
    let areAll = true;
    for (let after: string | null = null; ; ) {
      const found: LeafAsides | null = await askAsides(leaf, after);
      if (found === null) return false;
      for (const batch of found.batches)
        if (!(await this.#settle(leaf, batch, leaves))) areAll = false;
      if (found.next === null) return areAll;
      after = found.next;
    }
  }

  async #settle(
    leaf: LeafTarget,
    { table, batchId, contentHash, rows }: FoundAside,
    leaves: readonly LeafTarget[],
  ): Promise<boolean> {
    const { ledger, nowMs } = this.#deps;
    if (ledger.asides.find(table, batchId)?.leaves.has(leaf.id) === true) return true;
    const isOpen = (): boolean =>
      ledger.findPending(table, batchId) !== undefined ||
      ledger.drops.leavesDropping(table).length > 0;
    if (isOpen()) return false;
    const watch = this.#watch(table, batchId);
    try {
      const held = await Promise.all(leaves.map((one) => hashHeld(one, table, batchId)));
      // Sent again meanwhile, it may be on a leaf that did not hold it yet.
      if (held.includes("unknown") || watch.isSent || isOpen()) return false;
      const hashes = held.filter((one) => one !== null);
      if (hashes.length > 0) {
        // Another batch under this id says nothing of this one.
        if (!hashes.includes(contentHash)) return true;
        const request = { kind: "dropAside", table, batchId } as const;
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

async function askAsides(leaf: LeafTarget, after: string | null): Promise<LeafAsides | null> {
  const answer = await askLeaf(leaf, { kind: "asides", after }, undefined, (header) =>
    header.kind === "asides" ? header : null,
  );
  return answer.kind === "answered" ? answer.outcome : null;
}

const isAlive = ({ state }: LeafTarget): boolean => state === "alive";

/** The hash of a batch's contents, where a leaf holds it; null: it does not. */
async function hashHeld(
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
