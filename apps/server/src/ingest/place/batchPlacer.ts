import { HadalError } from "@hadal/sdk";
import { afterMs } from "../../base/schedule/deadlines.js";
import type { Attempt } from "../ledger/batchWindow.js";
import type { BatchIntent, BatchOutcome } from "../ledger/ledgerEvents.js";
import { answerWithin, appendTimeoutMs, askLeaf } from "./askLeaf.js";
import { findOfOthers, leafOfKey } from "./batchesOfOthers.js";
import type { LeafTarget } from "./leafTarget.js";
import { LeafWindow } from "./leafWindow.js";
import { findLost } from "./lostBatches.js";
import {
  type EncodedBatch,
  type OutgoingBatch,
  type PlacedBatch,
  type PlacerDeps,
  sentBy,
} from "./outgoingBatch.js";
import { choosePlacement, openLeaves } from "./placement.js";
import { leafSilentMs, UnconfirmedBatches } from "./unconfirmedBatches.js";
import { UnconfirmedParts } from "./unconfirmedParts.js";

const retryMsMin = 20;
const retryMsMax = 500;

type Placed =
  | { readonly kind: PlacedBatch }
  /** `intent`: null where nothing was sent. */
  | { readonly kind: "unknown"; readonly intent: BatchIntent | null }
  | { readonly kind: "refused"; readonly problem: HadalError };

/** The way to one leaf, and how many of its answers are late. */
interface LeafLane {
  readonly window: LeafWindow;
  late: number;
}

/** Puts each batch on exactly one leaf. */
export class BatchPlacer {
  readonly #deps: PlacerDeps;
  readonly #doubtful: UnconfirmedBatches;
  readonly #parts: UnconfirmedParts;
  readonly #lanes = new Map<string, LeafLane>();

  constructor(deps: PlacerDeps) {
    this.#deps = deps;
    this.#doubtful = new UnconfirmedBatches(deps, (table) => this.#leavesFor(table));
    this.#parts = new UnconfirmedParts(deps);
  }

  /**
   * Resolves when one leaf has stored the batch, or keeps a hint of it. Throws `leaf-unreachable`
   * when a leaf may have stored it and cannot be asked in time, and the leaf's own problem when
   * every leaf refused it. A batch of a unit gets no hint: its unit is sent again as another one.
   */
  async place(batch: OutgoingBatch, deadlineMs: number): Promise<PlacedBatch> {
    const { table, batchId } = batch.intent;
    const refusedBy = new Set<string>();
    let refusal: HadalError | null = null;
    let retryMs = retryMsMin;
    const pause = async (): Promise<void> => {
      if (this.#deps.nowMs() >= deadlineMs) throw noLeaf();
      await this.#deps.sleep(retryMs);
      retryMs = Math.min(retryMs * 2, retryMsMax);
    };
    // Its answer may come just when it counts as late: then it is not pending any more.
    let sent: BatchIntent | null = null;
    for (;;) {
      batch.unit?.check();
      const pending: BatchIntent | undefined =
        sent ?? this.#deps.ledger.findPending(table, batchId);
      sent = null;
      if (pending !== undefined) {
        const outcome = await this.#resolve(pending, batch, deadlineMs);
        if (outcome !== "refused") return outcome;
        // A reachable leaf that fails would be asked again at once, without end.
        await pause();
        continue;
      }
      if (this.#doubtful.isStored(batch.intent)) return "known";
      const open = openLeaves(this.#leavesFor(table), refusedBy).filter(
        ({ status }) => batch.unit === undefined || status?.takesUnits === true,
      );
      const wanted = open.find(({ id }) => id === batch.leafId);
      const leaf = wanted ?? choosePlacement(open, refusedBy, this.#deps.random);
      if (leaf === null) {
        if (refusal !== null) throw refusal;
        await pause();
        continue;
      }
      const answer = await this.#sendInWindow(batch, leaf, deadlineMs);
      if (answer === null) continue;
      if (answer.kind === "stored" || answer.kind === "known") return answer.kind;
      if (answer.kind === "unknown") sent = answer.intent;
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
      const open = this.#leavesFor(table);
      if (open.length > 0) return open;
      if (this.#deps.nowMs() >= deadlineMs) throw noLeaf();
      await this.#deps.sleep(retryMs);
    }
  }

  /**
   * Parts of a body that leaves have stored although the ledger does not know its key. Rejects
   * where a leaf cannot be asked: it may have stored parts.
   */
  async findHeld(table: string, bodyId: string): Promise<ReadonlyMap<string, Attempt>> {
    const found = new Map<string, Attempt>();
    const request = { kind: "holdsOfBody", table, idsStart: `${bodyId}/` } as const;
    await Promise.all(
      this.#deps.leaves().map(async (leaf) => {
        const unreachable = new HadalError("leaf-unreachable", { leaf: leaf.id });
        if (leaf.state !== "alive") throw unreachable;
        const { header } = await leaf.request(request, undefined, { timeoutMs: appendTimeoutMs });
        if (header.kind !== "holding") throw unreachable;
        // What is not decided yet is not stored, and is replaced.
        for (const { batchId, contentHash } of header.batches.filter(isDecided))
          found.set(batchId, { leaf: leaf.id, contentHash, state: "stored" });
      }),
    );
    return found;
  }

  /** See {@link findLost}. */
  findLost(
    table: string,
    before: ReadonlyMap<string, Attempt>,
  ): Promise<ReadonlyMap<string, string>> {
    return findLost(table, before, this.#deps.leaves());
  }

  /** See {@link findOfOthers}. Right after a start a gateway knows no leaf: that is waited for. */
  async findOfOthers(
    table: string,
    bodyId: string,
    deadlineMs: number,
  ): Promise<ReadonlyMap<string, Attempt>> {
    const { others, leaves, copies = () => [] } = this.#deps;
    if (others === undefined) return new Map();
    await this.openLeaves(table, deadlineMs);
    return findOfOthers({ table, bodyId }, { leaves: leaves(), copies: copies() }, others);
  }

  /** The leaf that is tried first for a batch with a key; null: any. */
  leafOfKey(table: string, batchId: string): string | null {
    if (this.#deps.others?.areOthersThere !== true) return null;
    return leafOfKey(batchId, this.#leavesFor(table));
  }

  searchHints(): Promise<void> {
    return this.#doubtful.searchHints();
  }

  /** Whether the ledger lists all hinted batches. */
  get areHintsKnown(): boolean {
    return this.#doubtful.areHintsKnown;
  }

  /**
   * Asks the reachable leaves about batches that no request waits for. Returns how many stay in
   * doubt.
   */
  resolvePending(): Promise<number> {
    return this.#doubtful.resolvePending();
  }

  /** Leaves that take rows of a table and answer. */
  #leavesFor(table: string): readonly LeafTarget[] {
    const dropping = new Set(this.#deps.ledger.drops.leavesDropping(table));
    const { leaves, takesRows = () => true } = this.#deps;
    const open = openLeaves(leaves(), dropping);
    return open.filter(({ id }) => takesRows(id) && this.#laneOf(id).late === 0);
  }

  /**
   * Null: nothing was sent; the caller chooses another leaf. Throws `overloaded` where it waits
   * behind other batches for too long.
   */
  async #sendInWindow(
    batch: OutgoingBatch,
    leaf: LeafTarget,
    deadlineMs: number,
  ): Promise<Placed | null> {
    const { window } = this.#laneOf(leaf.id);
    const waitMs = deadlineMs - this.#deps.nowMs();
    const isIn = await window.enter(batch.sender, batch.size, waitMs);
    if (!isIn) {
      if (this.#deps.nowMs() >= deadlineMs) throw leafBusy(leaf.id);
      return null;
    }
    // The batch counts as on its way until its answer comes.
    const sent = { answering: Promise.resolve<unknown>(null) };
    try {
      const encoded = await batch.encode();
      // The leaf or the table may be gone since, or its machine drained: then what is sent to it has
      // to be pending from here on.
      if (!this.#leavesFor(batch.intent.table).includes(leaf)) return null;
      return await this.#send(batch, encoded, leaf, sent);
    } finally {
      void sent.answering.finally(() => window.leave(batch.size));
    }
  }

  #laneOf(leafId: string): LeafLane {
    let lane = this.#lanes.get(leafId);
    if (lane === undefined) {
      lane = { window: new LeafWindow(), late: 0 };
      this.#lanes.set(leafId, lane);
    }
    return lane;
  }

  async #send(
    batch: OutgoingBatch,
    { bytes, contentHash }: EncodedBatch,
    leaf: LeafTarget,
    sent: { answering: Promise<unknown> },
  ): Promise<Placed> {
    const { table, batchId } = batch.intent;
    const land = this.#doubtful.fly(batch.intent);
    const { durable } = batch;
    const { unit } = batch;
    const stamp = unit === undefined ? {} : { unit: unit.stamp };
    const begun = { ...batch.intent, ...stamp, contentHash, leaf: leaf.id };
    const intent = await this.#begin(durable ? begun : { ...begun, isReceived: true }, land);
    // A deleted table took the intent with it, and the leaf would drop these rows with it.
    if (intent === null) return { kind: "unknown", intent };
    const problem = this.#whyNotNow(batch);
    if (problem !== null) {
      land();
      await this.#doubtful.settle(intent, "refused");
      return { kind: "refused", problem };
    }
    const sender = sentBy(this.#deps.others);
    const fields = { table, batchId, contentHash, durable, ...sender, ...stamp };
    const append = { kind: "append", ...fields } as const;
    const answering = askLeaf(leaf, append, bytes, (header): BatchOutcome | null => {
      if (header.kind !== "appended") return null;
      return header.duplicate || batch.countedOn === leaf.id ? "known" : "stored";
    });
    sent.answering = answering;
    this.#noteLate(leaf.id, answering);
    const settled = answering.then(async (answer) => {
      land();
      if (answer.kind === "unknown") return answer;
      const outcome = answer.kind === "answered" ? answer.outcome : "refused";
      // It counts with all of its unit.
      if (unit !== undefined && outcome === "stored") unit.noteStored(intent);
      else await this.#doubtful.settle(intent, outcome);
      return answer;
    });
    const answer = await answerWithin(leafSilentMs, settled);
    if (answer.kind === "answered") {
      const isKnown = unit !== undefined && answer.outcome === "known";
      return { kind: isKnown ? "known" : "stored" };
    }
    return answer.kind === "unknown" ? { kind: "unknown", intent } : answer;
  }

  #whyNotNow({ epoch }: OutgoingBatch): HadalError | null {
    const { others } = this.#deps;
    if (others === undefined || epoch === others.sender.epoch)
      return others?.placingProblem ?? null;
    const detail = "others had taken its place while the rows were on their way";
    return new HadalError("gateway-fenced", { detail });
  }

  /** Calls `land` where nothing is sent. */
  async #begin(batch: Omit<BatchIntent, "atMs">, land: () => void): Promise<BatchIntent | null> {
    const { ledger, nowMs } = this.#deps;
    try {
      const intent = await ledger.begin({ ...batch, atMs: nowMs() });
      if (intent === null) land();
      return intent;
    } catch (error) {
      land();
      throw error;
    }
  }

  async #resolve(
    pending: BatchIntent,
    { intent, encode, unit }: OutgoingBatch,
    deadlineMs: number,
  ): Promise<PlacedBatch | "refused"> {
    if (pending.unit === undefined) {
      const outcome = await this.#doubtful.resolve(pending, encode, deadlineMs);
      return outcome === "refused" ? outcome : "known";
    }
    if (pending.unit.number === unit?.stamp.number)
      return this.#parts.resolve(pending, unit, deadlineMs);
    const detail = "their leaves have not said yet whether they have all of an earlier request";
    throw new HadalError("key-in-doubt", { key: intent.key ?? "", detail });
  }

  /** A silent leaf gets no more batches until it answers; waiting ones go elsewhere. */
  #noteLate(leafId: string, answering: Promise<unknown>): void {
    const lane = this.#laneOf(leafId);
    let isLate = false;
    const callOff = afterMs(leafSilentMs, () => {
      isLate = true;
      lane.late++;
      lane.window.turnAway();
    });
    void answering.finally(() => {
      callOff();
      if (isLate) lane.late--;
    });
  }
}

const isDecided = ({ undecided }: { readonly undecided?: unknown }): boolean =>
  undecided === undefined;

function mayFitElsewhere({ code }: HadalError): boolean {
  return code === "storage-full" || code === "overloaded" || code === "unavailable";
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
