import { HadalError } from "@hadal/sdk";
import type { BatchSender, SenderList } from "../../base/row/batchSender.js";
import { decodeRowBatch } from "../../base/row/rowBatchCodec.js";
import {
  emptySnapshot,
  isVisible,
  mergeSnapshots,
  snapshotOfQuery,
  type UnitSnapshot,
  type UnitStamp,
} from "../../base/row/unitSnapshot.js";
import type { LeafReply } from "../../cluster/leafReply.js";
import { countMinutes } from "../ledger/minuteCounts.js";
import type { LeafIngestRequest, LeafTarget } from "../place/leafTarget.js";

/**
 * What befalls one append: it works; the answer is lost; the request is lost, both maybe with the
 * leaf; the leaf refuses.
 */
export type AppendFate =
  | "stored"
  | "answer lost"
  | "request lost"
  | "gone after it"
  | "gone before it"
  | "full";

interface HeldBatch {
  readonly contentHash: string;
  readonly times: Float64Array;
  /** Absent: it was visible as soon as it was stored. */
  readonly unit?: UnitStamp;
}

/** A leaf that keeps its batches in a Map and whose connection can be made to fail. */
export class MemoryLeaf implements LeafTarget {
  state: LeafTarget["state"] = "alive";
  freeBytes = 1_000_000_000;
  readonly held = new Map<string, HeldBatch>();
  /** The fates of the next appends; "stored" when none is left. */
  fates: AppendFate[] = [];
  /** It keeps no hints for others. */
  refusesHints = false;
  appends = 0;
  holdsAsked = 0;

  /** False: of an older version, which shows a part of a unit at once. */
  takesUnits = true;
  /** Whether it has said anything of itself. */
  hasStatus = true;
  /** What it knows of units, and which of them were aborted. */
  known: UnitSnapshot = emptySnapshot;
  settles = 0;
  /** It has lost which units were decided. */
  isUnsure = false;
  /** The last request's list of aborted units that are hidden no longer. */
  named: Extract<LeafIngestRequest, { kind: "settle" }>["named"];
  /** Of the event loop, that each request takes. */
  turns = 1;

  /** Of the gateways that may place rows. */
  #senders: SenderList = { version: -1, senders: [] };

  constructor(readonly id: string) {}

  get status(): (NonNullable<LeafTarget["status"]> & { readonly pid: number }) | null {
    if (!this.hasStatus) return null;
    const unsure = this.isUnsure && { areUnitsUnsure: true as const };
    return this.takesUnits ? { pid: 1, takesUnits: true, ...unsure } : { pid: 1 };
  }

  async request(
    request: LeafIngestRequest,
    body: Uint8Array | undefined,
  ): Promise<{ readonly header: LeafReply }> {
    if (this.state === "dead") throw this.#lost();
    // An answer takes at least a turn of the event loop.
    for (let turn = 0; turn < this.turns; turn++)
      await new Promise((resolve) => setImmediate(resolve));
    if (request.kind === "fence" && request.version > this.#senders.version)
      this.#senders = request;
    if ("sender" in request && request.sender !== undefined) this.#check(request.sender);
    if (request.kind === "fence") return { header: { kind: "done", id: 1 } };
    if (request.kind === "settle") return { header: this.#settle(request) };
    if (request.kind === "undecided") return { header: this.#undecided() };
    if (request.kind === "append") return { header: this.#append(request, body!) };
    if (request.kind === "setAside" || request.kind === "takeAside" || request.kind === "dropAside")
      return { header: this.#hints(request, body) };
    if (request.kind === "asides") return { header: this.#listHints() };
    if (request.kind === "holds") return { header: this.#holds(request.table, request.batchIds) };
    // There are no copies.
    if (request.kind === "awaitCopy") return { header: { kind: "copied", id: 0, batchIds: [] } };
    const start = `${request.table}\n`;
    const ids = [...this.held.keys()]
      .filter((key) => key.startsWith(start + request.idsStart))
      .map((key) => key.slice(start.length));
    return { header: this.#holds(request.table, ids) };
  }

  #check({ gateway, epoch }: BatchSender): void {
    const { version, senders } = this.#senders;
    const isListed = senders.some((one) => one.gateway === gateway && one.epoch === epoch);
    if (epoch <= version && !isListed) throw new HadalError("gateway-fenced", { detail: "test" });
  }

  rowCount(table: string): number {
    let rows = 0;
    for (const [key, batch] of this.held)
      if (key.startsWith(`${table}\n`)) rows += batch.times.length;
    return rows;
  }

  /** The times of the rows that a query with this snapshot sees. */
  visibleTimes(table: string, snapshot: UnitSnapshot): readonly number[] {
    const stood = snapshotOfQuery(snapshot, this.known);
    return [...this.held].flatMap(([key, { unit, times }]) => {
      const isSeen = unit === undefined || isVisible(unit, stood);
      return key.startsWith(`${table}\n`) && isSeen ? [...times] : [];
    });
  }

  #settle(request: Extract<LeafIngestRequest, { kind: "settle" }>): LeafReply {
    this.settles++;
    const { gateway, upTo, except, aborted, named } = request;
    this.named = named;
    this.known = mergeSnapshots(this.known, { [gateway]: { upTo, except } });
    for (const [key, { unit }] of this.held)
      if (unit?.gateway === gateway && aborted.includes(unit.number)) this.held.delete(key);
    return { kind: "done", id: 1 };
  }

  #undecided(): LeafReply {
    const batches = [...this.held].flatMap(([key, { contentHash, unit }]) => {
      const [table = "", batchId = ""] = key.split("\n");
      if (unit === undefined || isVisible(unit, this.known)) return [];
      return [{ table, batchId, contentHash, unit, ageMs: 0 }];
    });
    return { kind: "undecided", id: 1, batches, decided: this.known };
  }

  #append(request: Extract<LeafIngestRequest, { kind: "append" }>, body: Uint8Array): LeafReply {
    this.appends++;
    const fate = this.#nextFate();
    if (fate === "request lost") throw this.#lost();
    if (fate === "full") throw new HadalError("storage-full", { leaf: this.id, detail: "test" });
    const key = `${request.table}\n${request.batchId}`;
    const { times } = decodeRowBatch(body);
    const { unit } = request;
    const before = this.held.get(key);
    const isReplaced =
      before?.unit !== undefined &&
      !isVisible(before.unit, this.known) &&
      before.unit.number !== unit?.number;
    const duplicate = isReplaced ? undefined : before;
    if (duplicate !== undefined && duplicate.contentHash !== request.contentHash) {
      throw new HadalError("idempotency-conflict", { key: request.batchId });
    }
    if (duplicate === undefined)
      this.held.set(key, { contentHash: request.contentHash, times, ...(unit && { unit }) });
    if (fate === "answer lost") throw this.#lost();
    const { freeBytes } = this;
    return {
      kind: "appended",
      id: 1,
      rowCount: times.length,
      duplicate: duplicate !== undefined,
      freeBytes,
    };
  }

  /** Hinted batches, by the key of their table and id. */
  readonly hints = new Map<string, HeldBatch>();

  #listHints(): LeafReply {
    const batches = [...this.hints].map(([key, { contentHash, times }]) => {
      const [table = "", batchId = ""] = key.split("\n");
      return { table, batchId, contentHash, rows: countMinutes(times) };
    });
    return { kind: "asides", id: 1, batches, next: null };
  }

  #hints(
    request: Extract<LeafIngestRequest, { kind: "setAside" | "takeAside" | "dropAside" }>,
    body: Uint8Array | undefined,
  ): LeafReply {
    const key = `${request.table}\n${request.batchId}`;
    const fate = request.kind === "dropAside" ? "stored" : this.#nextFate();
    if (fate === "request lost") throw this.#lost();
    const refuses = fate === "full" || this.refusesHints;
    if (refuses) throw new HadalError("storage-full", { leaf: this.id, detail: "test" });
    const reply = this.#answerHint(request, key, body);
    if (fate === "answer lost") throw this.#lost();
    return reply;
  }

  #answerHint(
    request: Extract<LeafIngestRequest, { kind: "setAside" | "takeAside" | "dropAside" }>,
    key: string,
    body: Uint8Array | undefined,
  ): LeafReply {
    if (request.kind === "setAside") {
      const { times } = decodeRowBatch(body!);
      this.hints.set(key, { contentHash: request.contentHash, times });
      return { kind: "done", id: 1 };
    }
    const batch = this.hints.get(key) ?? this.held.get(key);
    this.hints.delete(key);
    if (request.kind === "dropAside") return { kind: "done", id: 1 };
    if (batch === undefined) return { kind: "holding", id: 1, batches: [] };
    const duplicate = this.held.has(key);
    this.held.set(key, batch);
    const { freeBytes } = this;
    return { kind: "appended", id: 1, rowCount: batch.times.length, duplicate, freeBytes };
  }

  /** One with which the leaf goes is dead from there on. */
  #nextFate(): Exclude<AppendFate, "gone after it" | "gone before it"> {
    const fate = this.fates.shift() ?? "stored";
    if (fate !== "gone after it" && fate !== "gone before it") return fate;
    this.state = "dead";
    return fate === "gone after it" ? "answer lost" : "request lost";
  }

  #holds(table: string, batchIds: readonly string[]): LeafReply {
    this.holdsAsked++;
    const batches = batchIds.flatMap((batchId) => {
      const held = this.held.get(`${table}\n${batchId}`);
      if (held === undefined) return [];
      const { contentHash, times, unit } = held;
      const undecided = unit !== undefined && !isVisible(unit, this.known) ? unit : undefined;
      return [{ batchId, contentHash, rowCount: times.length, ...(undecided && { undecided }) }];
    });
    return { kind: "holding", id: 1, batches };
  }

  #lost(): HadalError {
    return new HadalError("connection-lost", { url: this.id });
  }
}
