import { HadalError } from "@hadal/sdk";
import { afterMs } from "../../base/schedule/deadlines.js";
import type { HintedBatch } from "../ledger/hintedBatches.js";
import type { BatchIntent, BatchOutcome } from "../ledger/ledgerEvents.js";
import { answerWithin, askLeaf } from "./askLeaf.js";
import type { LeafTarget } from "./leafTarget.js";
import { hashHeld, OrphanBatches, type SendWatch } from "./orphanBatches.js";
import { type EncodedBatch, type PlacerDeps, sentBy } from "./outgoingBatch.js";
import { choosePlacement } from "./placement.js";

/** A leaf that has not answered by then is silent: others are tried. */
export const leafSilentMs = 2_000;
const retryMsMin = 20;
const retryMsMax = 500;

/** The outcome of a batch in doubt. `hinted`: another leaf keeps it until the first one answers. */
export type Resolution = "stored" | "refused" | "hinted";

type FlyingBatch = Pick<BatchIntent, "table" | "batchId">;

/**
 * Batches that their leaf may have stored or not. Another leaf must not store them, or their rows
 * would count twice; but it can keep a hint on its disk, which no query sees. When the first leaf
 * answers, the hint is dropped or stored.
 */
export class UnconfirmedBatches {
  readonly #deps: PlacerDeps;
  readonly #leavesFor: (table: string) => readonly LeafTarget[];
  /**
   * Batches whose append is about to be sent, or may still be answered: leaves are not asked about
   * them.
   */
  readonly #inFlight = new Set<string>();
  readonly #deciding = new Map<BatchIntent, Promise<void>>();
  readonly #taking = new Map<BatchIntent, Promise<void>>();
  readonly #watches = new Set<{ readonly key: string; isSent: boolean }>();
  readonly #orphans: OrphanBatches;
  readonly #resolutions = new WeakMap<BatchIntent, Exclude<Resolution, "hinted">>();

  /** `leavesFor`: the leaves that take batches of a table and answer. */
  constructor(deps: PlacerDeps, leavesFor: (table: string) => readonly LeafTarget[]) {
    this.#deps = deps;
    this.#leavesFor = leavesFor;
    this.#orphans = new OrphanBatches(deps, (table, batchId) => this.#watch({ table, batchId }));
  }

  /**
   * Searches for hints that the ledger does not list; resolves when they are found, or cannot be
   * now.
   */
  searchHints(): Promise<void> {
    return this.#orphans.search();
  }

  /** Whether the ledger lists all hinted batches. */
  get areHintsKnown(): boolean {
    return this.#orphans.areFound;
  }

  /**
   * Keeps leaves from being asked about a batch until the returned function is called. Called
   * before the intent is noted: a leaf could deny a batch that is about to be sent.
   */
  fly(batch: FlyingBatch): () => void {
    const key = flightKey(batch);
    this.#inFlight.add(key);
    for (const watch of this.#watches) if (watch.key === key) watch.isSent = true;
    return () => this.#inFlight.delete(key);
  }

  /**
   * Whether a batch that was in doubt when the request came has been stored since: it must not be
   * sent again.
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

  /** Its leaf has answered. */
  async settle(intent: BatchIntent, outcome: BatchOutcome): Promise<void> {
    if (!this.#isPending(intent)) return;
    const { table, batchId } = intent;
    if (outcome === "refused" && this.#deps.ledger.hints.find(table, batchId) !== undefined) {
      await this.#takeFromHint(intent);
      return;
    }
    this.#end(intent, outcome);
  }

  /**
   * Waits until the leaf says whether it has the batch; after a while another leaf keeps a hint of
   * it.
   */
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
      if (ledger.hints.isHeld(intent.table, intent.batchId)) {
        // No leaf that answers has these rows: others must expect them before they are acknowledged.
        await this.#deps.others?.whenPublished();
        return "hinted";
      }
      const isSilent = nowMs() - intent.atMs >= leafSilentMs;
      const other = isSilent
        ? choosePlacement(this.#leavesFor(intent.table), tried, this.#deps.random)
        : null;
      if (other !== null) {
        tried.add(other.id);
        await this.#sendHint(intent, await encode(), other);
        continue;
      }
      if (nowMs() >= deadlineMs) throw new HadalError("leaf-unreachable", { leaf: intent.leaf });
      await sleep(retryMs);
    }
  }

  /**
   * Asks the reachable leaves about batches that no request waits for. Returns how many stay in
   * doubt.
   */
  async resolvePending(): Promise<number> {
    const { ledger } = this.#deps;
    const byLeaf = new Map<string, BatchIntent[]>();
    // Those of units are decided together.
    for (const intent of ledger.pending().filter(({ unit }) => unit === undefined))
      byLeaf.set(intent.leaf, [...(byLeaf.get(intent.leaf) ?? []), intent]);
    // A silent leaf does not delay the others.
    await Promise.all(
      [...byLeaf.values()].map(async (intents) => {
        for (const intent of intents)
          if (this.#isPending(intent) && !this.#inFlight.has(flightKey(intent)))
            await this.#decide(intent);
      }),
    );
    await Promise.all(ledger.hints.list().map((batch) => this.#dropUnneeded(batch)));
    // Leaves are asked about the found ones in the next round.
    await this.searchHints();
    return ledger.pending().length;
  }

  #isPending(intent: BatchIntent): boolean {
    return this.#deps.ledger.findPending(intent.table, intent.batchId) === intent;
  }

  #end(intent: BatchIntent, outcome: BatchOutcome): void {
    this.#deps.ledger.settle(intent.table, intent.batchId, outcome);
    this.#resolutions.set(intent, outcome === "refused" ? "refused" : "stored");
  }

  /** Asks its leaf; callers share one question. */
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
    // If the batch was settled meanwhile, it may have been sent again: the answer does not cover
    // that.
    if (answer.kind === "answered") await this.settle(intent, answer.outcome);
  }

  /** Where the answer is late the next leaf is tried: of two hints, one is stored. */
  async #sendHint(
    intent: BatchIntent,
    { bytes, contentHash }: EncodedBatch,
    leaf: LeafTarget,
  ): Promise<void> {
    const { ledger } = this.#deps;
    const { table, batchId } = intent;
    const wasSent = ledger.hints.find(table, batchId)?.leaves.has(leaf.id) === true;
    const isNoted = await ledger.beginHint(table, batchId, leaf.id).then(
      () => true,
      () => false,
    );
    if (!isNoted || !this.#isPending(intent)) return;
    // Meanwhile the leaf may have been asked to store its hint: then it must not get the hint
    // again.
    const isWanted = ledger.hints.find(table, batchId)?.leaves.has(leaf.id) === true;
    if (!isWanted || ledger.hints.find(table, batchId)?.taker === leaf.id) return;
    if ((this.#deps.others?.placingProblem ?? null) !== null) return;
    const sender = sentBy(this.#deps.others);
    const request = { kind: "setAside", table, batchId, contentHash, ...sender } as const;
    const asking = askLeaf(leaf, request, bytes, ({ kind }) => (kind === "done" ? true : null));
    const answer = await answerWithin(leafSilentMs, asking);
    if (!this.#isPending(intent)) return;
    if (answer.kind === "answered") ledger.noteHintHeld(table, batchId, leaf.id);
    // An earlier attempt may have got there.
    if (answer.kind === "refused" && !wasSent) ledger.noteHintGone(table, batchId, leaf.id);
  }

  /** Its own leaf does not have the batch, and never will: a leaf with a hint stores it. */
  #takeFromHint(intent: BatchIntent): Promise<void> {
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
      const hint = ledger.hints.find(table, batchId);
      if (!this.#isPending(intent)) return;
      if (hint === undefined) return this.#end(intent, "refused");
      if (ledger.isLeftToOthers(intent) && !(await this.#isOnNoLeaf(intent))) return;
      const leafId = hint.taker ?? chooseTaker(hint);
      const leaf = this.#leafOf(leafId);
      // It may have stored the batch: that is unknown until it can be asked.
      if (leaf === null) return;
      const isNoted =
        hint.taker !== null ||
        (await ledger.beginTaking(table, batchId, leafId).then(
          () => true,
          () => false,
        ));
      if (!isNoted) return;
      const sender = sentBy(this.#deps.others);
      const request = { kind: "takeAside", table, batchId, ...sender } as const;
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
      ledger.noteHintGone(table, batchId, leafId);
    }
  }

  /**
   * Whether no leaf has a batch that others may have settled in place of this gateway. Where one has
   * it, the batch ends.
   */
  async #isOnNoLeaf(intent: BatchIntent): Promise<boolean> {
    const { table, batchId, contentHash } = intent;
    const held = await Promise.all(
      this.#deps.leaves().map((leaf) => hashHeld(leaf, table, batchId)),
    );
    if (held.every((hash) => hash === null)) return true;
    // Another batch under this id is not ours, and took its place.
    const isThere = held.includes(contentHash);
    const isDecided = isThere || !held.includes("unknown");
    if (this.#isPending(intent) && isDecided) this.#end(intent, isThere ? "known" : "refused");
    return false;
  }

  /** Drops the hints of a batch that is decided. */
  async #dropUnneeded({ table, batchId, leaves }: HintedBatch): Promise<void> {
    const { ledger } = this.#deps;
    if (ledger.findPending(table, batchId) !== undefined) return;
    for (const leafId of [...leaves.keys()]) {
      const leaf = this.#leafOf(leafId);
      if (leaf === null) continue;
      const sender = sentBy(this.#deps.others);
      const request = { kind: "dropAside", table, batchId, ...sender } as const;
      const answer = await askLeaf(leaf, request, undefined, ({ kind }) => kind === "done" || null);
      // The batch may have been sent again meanwhile: then the leaf may have a new hint.
      if (ledger.findPending(table, batchId) !== undefined) return;
      if (answer.kind === "answered") ledger.noteHintGone(table, batchId, leafId);
    }
  }

  /** Null where the leaf cannot be asked. */
  #leafOf(leafId: string): LeafTarget | null {
    const leaf = this.#deps.leaves().find(({ id }) => id === leafId);
    return leaf?.state === "alive" ? leaf : null;
  }
}

function flightKey({ table, batchId }: FlyingBatch): string {
  return `${table}\n${batchId}`;
}

/** A leaf with a confirmed hint, or any. */
function chooseTaker({ leaves }: HintedBatch): string {
  const [first = ""] = leaves.keys();
  return [...leaves].find(([, isHeld]) => isHeld)?.[0] ?? first;
}

/** Resolves when the work is done, or after this time; the work goes on. */
function forAtMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const callOff = afterMs(ms, resolve);
    work.then(resolve, reject).finally(callOff);
  });
}
