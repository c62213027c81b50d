import { HadalError } from "@hadal/sdk";
import { afterMs } from "../../base/schedule/deadlines.js";
import type { AsideBatch } from "../ledger/asideBatches.js";
import type { BatchIntent, BatchOutcome } from "../ledger/rowCountLedger.js";
import { answerWithin, askLeaf } from "./askLeaf.js";
import type { LeafTarget } from "./leafTarget.js";
import { OrphanBatches, type SendWatch } from "./orphanBatches.js";
import type { EncodedBatch, PlacerDeps } from "./outgoingBatch.js";
import { choosePlacement } from "./placement.js";

/** A leaf that has not answered by then is silent: others are tried. */
export const leafSilentMs = 2_000;
const retryMsMin = 20;
const retryMsMax = 500;

/** What became of a batch in doubt. `aside`: another leaf keeps it until the first one says. */
export type Resolution = "stored" | "refused" | "aside";

type FlyingBatch = Pick<BatchIntent, "table" | "batchId">;

/**
 * Batches whose leaf may hold them or not. They must not be stored by another leaf meanwhile, or their rows would count
 * twice; but another leaf can put them aside, on its disk and out of sight. When the first one answers, either that is
 * dropped or the other leaf takes its rows in.
 */
export class UnconfirmedBatches {
  readonly #deps: PlacerDeps;
  readonly #leavesFor: (table: string) => readonly LeafTarget[];
  /** Batches whose append is about to be sent, or may still be answered: they are not asked about meanwhile. */
  readonly #inFlight = new Set<string>();
  readonly #deciding = new Map<BatchIntent, Promise<void>>();
  readonly #taking = new Map<BatchIntent, Promise<void>>();
  readonly #watches = new Set<{ readonly key: string; isSent: boolean }>();
  readonly #orphans: OrphanBatches;
  readonly #resolutions = new WeakMap<BatchIntent, Exclude<Resolution, "aside">>();

  /** `leavesFor`: those that take batches of a table and answer. */
  constructor(deps: PlacerDeps, leavesFor: (table: string) => readonly LeafTarget[]) {
    this.#deps = deps;
    this.#leavesFor = leavesFor;
    this.#orphans = new OrphanBatches(deps, (table, batchId) => this.#watch({ table, batchId }));
  }

  /** Looks for what lies aside and is not known; resolves when it is found, or cannot be now. */
  searchAsides(): Promise<void> {
    return this.#orphans.search();
  }

  /** Whether the ledger lists all batches that lie aside. */
  get areAsidesKnown(): boolean {
    return this.#orphans.areFound;
  }

  /**
   * Nobody is to ask about the batch until what is returned is called; before its intent is noted, or a leaf may say that
   * it does not hold what is about to be sent.
   */
  fly(batch: FlyingBatch): () => void {
    const key = flightKey(batch);
    this.#inFlight.add(key);
    for (const watch of this.#watches) if (watch.key === key) watch.isSent = true;
    return () => this.#inFlight.delete(key);
  }

  /**
   * Whether a batch of the request, or one that was found aside, has been stored meanwhile: it was in doubt when the
   * request was looked at, and is not to be sent again.
   */
  isStored({ table, batchId, key }: Pick<BatchIntent, "table" | "batchId" | "key">): boolean {
    const entry = key === null ? undefined : this.#deps.ledger.findKey(table, key);
    if (entry?.batches.get(batchId)?.state === "stored") return true;
    const adopted = this.#orphans.find(table, batchId);
    return adopted !== undefined && this.#resolutions.get(adopted) === "stored";
  }

  #watch(batch: FlyingBatch): SendWatch {
    const watch = { key: flightKey(batch), isSent: false, end: () => this.#watches.delete(watch) };
    this.#watches.add(watch);
    return watch;
  }

  /** Its leaf has said what became of it. */
  async settle(intent: BatchIntent, outcome: BatchOutcome): Promise<void> {
    if (!this.#isPending(intent)) return;
    const { table, batchId } = intent;
    if (outcome === "refused" && this.#deps.ledger.asides.find(table, batchId) !== undefined) {
      await this.#takeFromAside(intent);
      return;
    }
    this.#end(intent, outcome);
  }

  /** Waits until the leaf says whether it holds the batch; puts it aside on another one when that takes too long. */
  async resolve(
    intent: BatchIntent,
    encode: () => Promise<EncodedBatch>,
    deadlineMs: number,
  ): Promise<Resolution> {
    const { ledger, nowMs, sleep } = this.#deps;
    const tried = new Set([intent.leaf]);
    for (let retryMs = retryMsMin; ; retryMs = Math.min(retryMs * 2, retryMsMax)) {
      if (this.#isPending(intent) && !this.#inFlight.has(flightKey(intent)))
        await forAtMost(retryMsMax, this.#decide(intent));
      if (!this.#isPending(intent)) return this.#resolutions.get(intent) ?? "refused";
      if (ledger.asides.isHeld(intent.table, intent.batchId)) return "aside";
      const isSilent = nowMs() - intent.atMs >= leafSilentMs;
      const other = isSilent
        ? choosePlacement(this.#leavesFor(intent.table), tried, this.#deps.random)
        : null;
      if (other !== null) {
        tried.add(other.id);
        await this.#putAside(intent, await encode(), other);
        continue;
      }
      if (nowMs() >= deadlineMs) throw new HadalError("leaf-unreachable", { leaf: intent.leaf });
      await sleep(retryMs);
    }
  }

  /** Asks the reachable leaves about batches that no request waits for. Returns how many stay open. */
  async resolvePending(): Promise<number> {
    const { ledger } = this.#deps;
    const byLeaf = new Map<string, BatchIntent[]>();
    for (const intent of ledger.pending())
      byLeaf.set(intent.leaf, [...(byLeaf.get(intent.leaf) ?? []), intent]);
    // One leaf that is silent keeps no other waiting.
    await Promise.all(
      [...byLeaf.values()].map(async (intents) => {
        for (const intent of intents)
          if (this.#isPending(intent) && !this.#inFlight.has(flightKey(intent)))
            await this.#decide(intent);
      }),
    );
    await Promise.all(ledger.asides.list().map((batch) => this.#dropUnneeded(batch)));
    // Those that are found are asked about in the next round.
    await this.searchAsides();
    return ledger.pending().length;
  }

  #isPending(intent: BatchIntent): boolean {
    return this.#deps.ledger.findPending(intent.table, intent.batchId) === intent;
  }

  #end(intent: BatchIntent, outcome: BatchOutcome): void {
    this.#deps.ledger.settle(intent.table, intent.batchId, outcome);
    this.#resolutions.set(intent, outcome === "refused" ? "refused" : "stored");
  }

  /** Asks its leaf, once for all who want to know. */
  #decide(intent: BatchIntent): Promise<void> {
    const running = this.#deciding.get(intent);
    if (running !== undefined) return running;
    const deciding = this.#ask(intent).finally(() => this.#deciding.delete(intent));
    this.#deciding.set(intent, deciding);
    return deciding;
  }

  async #ask(intent: BatchIntent): Promise<void> {
    const { table, batchId, contentHash } = intent;
    const leaf = this.#leafOf(intent.leaf);
    if (leaf === null) return;
    const holds = { kind: "holds", table, batchIds: [batchId] } as const;
    const answer = await askLeaf(leaf, holds, undefined, (header): BatchOutcome | null => {
      if (header.kind !== "holding") return null;
      const held = header.batches.find((batch) => batch.batchId === batchId);
      // Another batch under this id is not ours.
      return held?.contentHash === contentHash ? "stored" : "refused";
    });
    // Settled meanwhile, the batch may be on its way again: the answer says nothing of that attempt.
    if (answer.kind === "answered") await this.settle(intent, answer.outcome);
  }

  /** Where the answer is late the next leaf is tried: what lies aside twice is taken from one. */
  async #putAside(
    intent: BatchIntent,
    { bytes, contentHash }: EncodedBatch,
    leaf: LeafTarget,
  ): Promise<void> {
    const { ledger } = this.#deps;
    const { table, batchId } = intent;
    const wasSent = ledger.asides.find(table, batchId)?.leaves.has(leaf.id) === true;
    const isNoted = await ledger.beginAside(table, batchId, leaf.id).then(
      () => true,
      () => false,
    );
    if (!isNoted || !this.#isPending(intent)) return;
    // Asked to take it in meanwhile, the leaf had nothing, or will get the same answer.
    const isWanted = ledger.asides.find(table, batchId)?.leaves.has(leaf.id) === true;
    if (!isWanted || ledger.asides.find(table, batchId)?.taker === leaf.id) return;
    const request = { kind: "setAside", table, batchId, contentHash } as const;
    const asking = askLeaf(leaf, request, bytes, ({ kind }) => (kind === "done" ? true : null));
    const answer = await answerWithin(leafSilentMs, asking);
    if (!this.#isPending(intent)) return;
    if (answer.kind === "answered") ledger.noteAsideHeld(table, batchId, leaf.id);
    // An earlier attempt may have got there.
    if (answer.kind === "refused" && !wasSent) ledger.noteAsideGone(table, batchId, leaf.id);
  }

  /** Its own leaf does not hold the batch, and never will: one that has it aside takes its rows in. */
  #takeFromAside(intent: BatchIntent): Promise<void> {
    const running = this.#taking.get(intent);
    if (running !== undefined) return running;
    const taking = this.#takeOnce(intent).finally(() => this.#taking.delete(intent));
    this.#taking.set(intent, taking);
    return taking;
  }

  async #takeOnce(intent: BatchIntent): Promise<void> {
    const { ledger } = this.#deps;
    const { table, batchId } = intent;
    for (;;) {
      const aside = ledger.asides.find(table, batchId);
      if (!this.#isPending(intent)) return;
      if (aside === undefined) return this.#end(intent, "refused");
      const leafId = aside.taker ?? chooseTaker(aside);
      const leaf = this.#leafOf(leafId);
      // It may be the one that has it: that is unknown until it is asked.
      if (leaf === null) return;
      const isNoted =
        aside.taker !== null ||
        (await ledger.beginTaking(table, batchId, leafId).then(
          () => true,
          () => false,
        ));
      if (!isNoted) return;
      const request = { kind: "takeAside", table, batchId } as const;
      const answer = await askLeaf(leaf, request, undefined, ({ kind }) => {
        if (kind === "appended") return "taken";
        return kind === "holding" ? "gone" : null;
      });
      if (answer.kind !== "answered" || !this.#isPending(intent)) return;
      if (answer.outcome === "taken") {
        ledger.move(table, batchId, leafId);
        this.#resolutions.set(intent, "stored");
        return;
      }
      ledger.noteAsideGone(table, batchId, leafId);
    }
  }

  /** What lies aside of a batch that is stored, or was refused, goes. */
  async #dropUnneeded({ table, batchId, leaves }: AsideBatch): Promise<void> {
    const { ledger } = this.#deps;
    if (ledger.findPending(table, batchId) !== undefined) return;
    for (const leafId of [...leaves.keys()]) {
      const leaf = this.#leafOf(leafId);
      if (leaf === null) continue;
      const request = { kind: "dropAside", table, batchId } as const;
      const answer = await askLeaf(leaf, request, undefined, ({ kind }) => kind === "done" || null);
      // Sent anew meanwhile, it may lie there again.
      if (ledger.findPending(table, batchId) !== undefined) return;
      if (answer.kind === "answered") ledger.noteAsideGone(table, batchId, leafId);
    }
  }

  /** Null where it cannot be asked. */
  #leafOf(leafId: string): LeafTarget | null {
    const leaf = this.#deps.leaves().find(({ id }) => id === leafId);
    return leaf?.state === "alive" ? leaf : null;
  }
}

function flightKey({ table, batchId }: FlyingBatch): string {
  return `${table}\n${batchId}`;
}

/** One that is sure to have it, or any. */
function chooseTaker({ leaves }: AsideBatch): string {
  const [first = ""] = leaves.keys();
  return [...leaves].find(([, isHeld]) => isHeld)?.[0] ?? first;
}

/** Resolves when the work is done, or after so long: it goes on then. */
function forAtMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const callOff = afterMs(ms, resolve);
    work.then(resolve, reject).finally(callOff);
  });
}
