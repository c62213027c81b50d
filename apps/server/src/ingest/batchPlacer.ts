import { HadalError } from "@hadal/sdk";
import { systemFault } from "../base/systemFault.js";
import type { Attempt } from "./batchWindow.js";
import type { Sender } from "./fairOrder.js";
import type { LeafIngestRequest, LeafTarget } from "./leafTarget.js";
import { LeafWindow } from "./leafWindow.js";
import { choosePlacement, openLeaves } from "./placement.js";
import type { BatchIntent, BatchOutcome, RowCountLedger } from "./rowCountLedger.js";

export interface PlacerDeps {
  readonly leaves: () => readonly LeafTarget[];
  readonly ledger: RowCountLedger;
  readonly random: () => number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A batch, and what the ledger should know of it. */
export interface OutgoingBatch {
  readonly intent: Omit<BatchIntent, "leaf" | "atMs" | "contentHash">;
  readonly sender: Sender;
  /** What it takes, about. */
  readonly size: number;
  /** Called once a leaf has room for it. */
  encode(): Promise<EncodedBatch>;
  readonly durable: boolean;
  /** The leaf that is tried first; null: one is chosen. */
  readonly leafId: string | null;
}

export interface EncodedBatch {
  readonly bytes: Uint8Array;
  readonly contentHash: string;
}

/** Long enough for a busy disk's sync; the leaf's own group syncs take milliseconds. */
const appendTimeoutMs = 10_000;
const retryMsMin = 20;
const retryMsMax = 500;

type LeafAnswer =
  | { readonly kind: "stored" | "known" }
  | { readonly kind: "refused"; readonly problem: HadalError }
  | { readonly kind: "unknown" };

/** Puts each batch on exactly one leaf. */
export class BatchPlacer {
  /** Batches whose request is on its way: nobody else asks about them meanwhile. */
  private readonly inFlight = new Set<string>();
  private readonly windows = new Map<string, LeafWindow>();

  constructor(private readonly deps: PlacerDeps) {}

  /**
   * Resolves when one leaf holds the batch. Throws `leaf-unreachable` when a leaf may hold it and cannot be asked in
   * time, and the leaf's own problem when every leaf refused it.
   */
  async place(batch: OutgoingBatch, deadlineMs: number): Promise<void> {
    const { table, batchId } = batch.intent;
    const { drops } = this.deps.ledger;
    const refusedBy = new Set<string>();
    let refusal: HadalError | null = null;
    let retryMs = retryMsMin;
    const pause = async (): Promise<void> => {
      if (this.deps.nowMs() >= deadlineMs) throw noLeaf();
      await this.deps.sleep(retryMs);
      retryMs = Math.min(retryMs * 2, retryMsMax);
    };
    for (;;) {
      const pending = this.deps.ledger.findPending(table, batchId);
      if (pending !== undefined) {
        if ((await this.resolve(pending, deadlineMs)) === "stored") return;
        // A leaf that is there and fails would be asked again without end, and at once.
        await pause();
        continue;
      }
      const closed = new Set([...refusedBy, ...drops.leavesDropping(table)]);
      const open = openLeaves(this.deps.leaves(), closed);
      const wanted = open.find(({ id }) => id === batch.leafId);
      const leaf = wanted ?? choosePlacement(open, closed, this.deps.random);
      if (leaf === null) {
        if (refusal !== null) throw refusal;
        await pause();
        continue;
      }
      const answer = await this.sendInWindow(batch, leaf, deadlineMs);
      if (answer === null) continue;
      if (answer.kind === "stored" || answer.kind === "known") return;
      if (answer.kind === "refused") {
        refusal = answer.problem;
        if (!mayFitElsewhere(refusal)) throw refusal;
        refusedBy.add(leaf.id);
      }
    }
  }

  /** The leaves that take rows of a table; waits until there is one. */
  async openLeaves(table: string, deadlineMs: number): Promise<readonly LeafTarget[]> {
    for (let retryMs = retryMsMin; ; retryMs = Math.min(retryMs * 2, retryMsMax)) {
      const dropping = new Set(this.deps.ledger.drops.leavesDropping(table));
      const open = openLeaves(this.deps.leaves(), dropping);
      if (open.length > 0) return open;
      if (this.deps.nowMs() >= deadlineMs) throw noLeaf();
      await this.deps.sleep(retryMs);
    }
  }

  /**
   * Parts of a body that leaves hold, although its key is not known here. Rejects where a leaf cannot be asked: it may
   * hold them.
   */
  async findHeld(table: string, bodyId: string): Promise<ReadonlyMap<string, Attempt>> {
    const found = new Map<string, Attempt>();
    const request = { kind: "holdsOfBody", table, idsStart: `${bodyId}/` } as const;
    await Promise.all(
      this.deps.leaves().map(async (leaf) => {
        const unreachable = new HadalError("leaf-unreachable", { leaf: leaf.id });
        if (leaf.state !== "alive") throw unreachable;
        const { header } = await leaf.request(request, undefined, { timeoutMs: appendTimeoutMs });
        if (header.kind !== "holding") throw unreachable;
        for (const { batchId, contentHash } of header.batches)
          found.set(batchId, { leaf: leaf.id, contentHash, state: "stored" });
      }),
    );
    return found;
  }

  /** Asks the leaves that can be asked about the batches that nobody is waiting for. Returns how many stay open. */
  async resolvePending(): Promise<number> {
    const byId = new Map(this.deps.leaves().map((leaf) => [leaf.id, leaf]));
    for (const intent of this.deps.ledger.pending()) {
      const leaf = byId.get(intent.leaf);
      if (leaf?.state !== "alive" || this.inFlight.has(flightKey(intent))) continue;
      if (!this.isPending(intent)) continue;
      await this.ask(leaf, intent);
    }
    return this.deps.ledger.pending().length;
  }

  /** Null: nothing was sent, as another leaf is to be chosen. Throws `overloaded` where others are before it for too long. */
  private async sendInWindow(
    batch: OutgoingBatch,
    leaf: LeafTarget,
    deadlineMs: number,
  ): Promise<LeafAnswer | null> {
    const window = this.windowOf(leaf.id);
    const waitMs = deadlineMs - this.deps.nowMs();
    const isIn = await window.enter(batch.sender, batch.size, waitMs);
    if (!isIn) {
      if (this.deps.nowMs() >= deadlineMs) throw leafBusy(leaf.id);
      return null;
    }
    try {
      // While it waited the leaf may have gone, and the table too.
      const isDropping = this.deps.ledger.drops.leavesDropping(batch.intent.table);
      if (leaf.state !== "alive" || isDropping.includes(leaf.id)) return null;
      return await this.send(batch, await batch.encode(), leaf);
    } finally {
      window.leave(batch.size);
    }
  }

  private windowOf(leafId: string): LeafWindow {
    let window = this.windows.get(leafId);
    if (window === undefined) {
      window = new LeafWindow();
      this.windows.set(leafId, window);
    }
    return window;
  }

  private async send(
    batch: OutgoingBatch,
    { bytes, contentHash }: EncodedBatch,
    leaf: LeafTarget,
  ): Promise<LeafAnswer> {
    const { ledger, nowMs } = this.deps;
    const { table, batchId } = batch.intent;
    const flight = flightKey(batch.intent);
    this.inFlight.add(flight);
    try {
      await ledger
        .begin({ ...batch.intent, contentHash, leaf: leaf.id, atMs: nowMs() })
        .catch((error: Error) => {
          throw new HadalError("storage-full", { leaf: "gateway", detail: systemFault(error) });
        });
      // A table that was deleted meanwhile took the intent with it, and the leaf would drop these rows with the others.
      if (ledger.findPending(table, batchId) === undefined) return { kind: "unknown" };
      const append = {
        kind: "append",
        table,
        batchId,
        contentHash,
        durable: batch.durable,
      } as const;
      const answer = await askLeaf(leaf, append, bytes, (header) => {
        if (header.kind !== "appended") return null;
        return header.duplicate ? "known" : "stored";
      });
      if (answer.kind !== "unknown") ledger.settle(table, batchId, answer.kind);
      return answer;
    } finally {
      this.inFlight.delete(flight);
    }
  }

  /** Waits until the leaf of a lost batch says whether it holds it. */
  private async resolve(intent: BatchIntent, deadlineMs: number): Promise<BatchOutcome> {
    for (let retryMs = retryMsMin; ; retryMs = Math.min(retryMs * 2, retryMsMax)) {
      const leaf = this.deps.leaves().find(({ id }) => id === intent.leaf);
      if (leaf?.state === "alive") {
        const outcome = await this.ask(leaf, intent);
        if (outcome !== null) return outcome;
      }
      if (this.deps.nowMs() >= deadlineMs) {
        throw new HadalError("leaf-unreachable", { leaf: intent.leaf });
      }
      await this.deps.sleep(retryMs);
    }
  }

  private isPending(intent: BatchIntent): boolean {
    return this.deps.ledger.findPending(intent.table, intent.batchId) === intent;
  }

  private async ask(leaf: LeafTarget, intent: BatchIntent): Promise<BatchOutcome | null> {
    const { table, batchId, contentHash } = intent;
    const holds = { kind: "holds", table, batchIds: [batchId] } as const;
    const answer = await askLeaf(leaf, holds, undefined, (header) => {
      if (header.kind !== "holding") return null;
      const held = header.batches.find((batch) => batch.batchId === batchId);
      // Another batch under this id is not ours.
      return held?.contentHash === contentHash ? "stored" : "refused";
    });
    if (answer.kind === "unknown") return null;
    if (answer.kind === "refused" && answer.problem !== notHeld) return null;
    // Settled meanwhile, the batch may be on its way again: the answer says nothing of that attempt.
    if (this.isPending(intent)) this.deps.ledger.settle(table, batchId, answer.kind);
    return answer.kind;
  }
}

/** Stands for the plain answer "I do not hold it". */
const notHeld = new HadalError("unknown-query");

async function askLeaf(
  leaf: LeafTarget,
  request: LeafIngestRequest,
  body: Uint8Array | undefined,
  read: (header: Awaited<ReturnType<LeafTarget["request"]>>["header"]) => BatchOutcome | null,
): Promise<LeafAnswer> {
  try {
    const { header } = await leaf.request(request, body, { timeoutMs: appendTimeoutMs });
    if (header.kind === "problem") throw HadalError.fromProblem(header.problem);
    const outcome = read(header);
    if (outcome === null) return { kind: "unknown" };
    return outcome === "refused" ? { kind: outcome, problem: notHeld } : { kind: outcome };
  } catch (error) {
    const answered = error instanceof HadalError && !saysNothing(error);
    return answered ? { kind: "refused", problem: error } : { kind: "unknown" };
  }
}

/** Problems of the way to the leaf, and those after which a leaf may have acted or not. */
function saysNothing({ code }: HadalError): boolean {
  return (
    code === "connection-lost" ||
    code === "leaf-unreachable" ||
    code === "cancelled" ||
    code === "internal"
  );
}

function mayFitElsewhere({ code }: HadalError): boolean {
  return code === "storage-full" || code === "overloaded" || code === "unavailable";
}

function flightKey(batch: { readonly table: string; readonly batchId: string }): string {
  return `${batch.table}\n${batch.batchId}`;
}

function leafBusy(leafId: string): HadalError {
  const detail = `More rows than ${leafId} can take are on their way to it; these were not stored. Send them again a little later.`;
  return new HadalError("overloaded", { detail });
}

function noLeaf(): HadalError {
  return new HadalError("unavailable", {
    detail: "No leaf could be reached, or took the rows, in time; nothing was stored. Try again.",
  });
}
