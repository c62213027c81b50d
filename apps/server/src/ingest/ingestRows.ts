import { randomUUID } from "node:crypto";
import {
  type ColumnSetting,
  HadalError,
  type IngestReply,
  nameFault,
  type RowsPreview,
  type TableIngest,
} from "@hadal/sdk";
import type { IngestLimits } from "../base/limit/ingestLimits.js";
import { bodyProblem } from "./body/bodyProblem.js";
import type { Sender } from "./body/fairOrder.js";
import type { IngestQuota } from "./body/ingestQuota.js";
import { findStoredBefore } from "./findStoredBefore.js";
import { readCsvParameters } from "./format/csv/csvParameters.js";
import { checkRawParameters } from "./format/raw/rawParameters.js";
import {
  checkKey,
  hashStartOf,
  type IngestRequest,
  type PreviewRequest,
  plainLength,
} from "./ingestRequest.js";
import type { Attempt } from "./ledger/batchWindow.js";
import { BatchPlacer } from "./place/batchPlacer.js";
import type { EncodedBatch, OutgoingBatch, PlacerDeps } from "./place/outgoingBatch.js";
import { dealShares } from "./place/placement.js";
import { storeLost } from "./place/storeLost.js";
import { untilCopied } from "./place/untilCopied.js";
import { rangesToStore, storedRanges, wholeRange, wholeRowsMax } from "./read/bodyParts.js";
import type { BodyReader, ReadBody, ReadOutcome, ReadRequest } from "./read/bodyReader.js";
import { type BodyPart, partsOf } from "./read/cutBody.js";
import { type IngestLoad, IngestMemory, smallBytesMax } from "./read/ingestMemory.js";
import { TableCounts } from "./tableCounts.js";
import { checkZone } from "./value/localTime.js";
import { createTimeRule } from "./value/timeRule.js";

export interface IngestCounts {
  readonly rowsAccepted: number;
  readonly rowsRejected: number;
  readonly batches: number;
  /** Batches whose leaf has not confirmed or denied them. */
  readonly batchesPending: number;
  /**
   * Batches of which another leaf keeps a hint, with decided ones whose hint is not dropped yet.
   */
  readonly hintedBatches: number;
  /** Rows taken in per table since the start, in alphabetical order. */
  readonly tables: readonly TableIngest[];
  /** Memory of sends in progress, waiting sends, and sends refused for lack of memory. */
  readonly load: IngestLoad;
}

/** Reads bodies of rows, and answers when the leaves have stored them. */
export interface RowIngest {
  rows(request: IngestRequest): Promise<IngestReply>;
  preview(request: PreviewRequest): Promise<RowsPreview>;
  counts(): IngestCounts;
  /**
   * Asks the leaves about batches whose outcome is unknown, e.g. after a restart; runs every
   * second.
   */
  resolvePending(): Promise<number>;
  /**
   * Whether the ledger lists all hinted batches of the leaves; else uncounted rows may be missing.
   */
  areHintsKnown(): boolean;
  /** Stores the rows that are read already, and no others. */
  stop(): void;
  close(): void;
}

export interface IngestDeps extends PlacerDeps {
  /** Of bodies that are known to be small before they come, and of all others. */
  readonly readers: { readonly small: BodyReader; readonly large: BodyReader };
  readonly limits: IngestLimits;
  readonly quota: IngestQuota;
  /** Maximum number of tables; rows of a further one are refused. */
  readonly tablesMax: number;
  /** Rows of these columns, in their order, are about to be stored. */
  readonly onColumns?: (table: string, columns: readonly string[]) => Promise<void>;
  /** Rows of these columns are stored: queries find them once this has resolved. */
  readonly onStored?: (table: string, columns: readonly string[]) => Promise<void>;
  /** A leaf has a batch, which is encoded already. */
  readonly onPlaced?: (table: string, encode: () => Promise<EncodedBatch>) => Promise<void>;
}

/** A client waits at most this long for a leaf to come back; then it has to try again. */
const ingestTimeoutMs = 15_000;
const resolveEveryMs = 1_000;

/** `columnsOf` returns the settings of a table's columns. */
export function createIngest(
  deps: IngestDeps,
  columnsOf: (table: string) => readonly ColumnSetting[] = () => [],
): RowIngest {
  return new Ingest(deps, columnsOf);
}

interface PlacedRequest {
  readonly requestHash: string;
  /** In which its key was looked for; null: this is the only gateway. */
  readonly epoch: number | null;
  /** Batches of it that a leaf has lost. */
  readonly lost: ReadonlyMap<string, string>;
  readonly deadlineMs: number;
}

class Ingest implements RowIngest {
  readonly #deps: IngestDeps;
  readonly #columnsOf: (table: string) => readonly ColumnSetting[];
  readonly #placer: BatchPlacer;
  readonly #memory: IngestMemory;
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Map<string, Promise<unknown>>();
  #resolving = false;
  #rowsAccepted = 0;
  #rowsRejected = 0;
  #batches = 0;
  readonly #tables = new TableCounts();

  constructor(deps: IngestDeps, columnsOf: (table: string) => readonly ColumnSetting[]) {
    this.#deps = deps;
    this.#columnsOf = columnsOf;
    this.#placer = new BatchPlacer(deps);
    this.#memory = new IngestMemory(deps.limits);
    this.#timer = setInterval(() => void this.resolvePending(), resolveEveryMs);
    this.#timer.unref();
  }

  async rows(request: IngestRequest): Promise<IngestReply> {
    const { idempotencyKey, table, csv = {}, contentType } = request;
    checkKey(idempotencyKey);
    this.#checkTable(table);
    const reading = {
      csv: readCsvParameters(csv, contentType),
      hashStart: idempotencyKey === undefined ? null : hashStartOf(request),
      isPreview: false,
    };
    return this.#taking(request, reading, (body, sender) => this.#store(request, body, sender));
  }

  #checkTable(table: string): void {
    const { ledger, tablesMax } = this.#deps;
    const tables = ledger.tables();
    if (tables.length < tablesMax || tables.includes(table)) return;
    const detail = `There are ${tablesMax} tables already (tables): delete one, or raise the limit.`;
    throw new HadalError("bad-request", { detail });
  }

  async preview(request: PreviewRequest): Promise<RowsPreview> {
    const csv = { ...readCsvParameters(request.csv ?? {}, request.contentType), timeMayLack: true };
    const reading = { csv, hashStart: null, isPreview: true };
    return this.#taking(request, reading, async ({ outcome }) => outcome.preview!);
  }

  counts(): IngestCounts {
    const rowsAccepted = this.#rowsAccepted;
    const rowsRejected = this.#rowsRejected;
    const batches = this.#batches;
    return {
      rowsAccepted,
      rowsRejected,
      batches,
      batchesPending: this.#deps.ledger.pending().length,
      hintedBatches: this.#deps.ledger.hints.list().length,
      tables: this.#tables.list(),
      load: this.#memory.load,
    };
  }

  async resolvePending(): Promise<number> {
    if (this.#resolving) return this.#deps.ledger.pending().length;
    this.#resolving = true;
    try {
      return await this.#placer.resolvePending();
    } finally {
      this.#resolving = false;
    }
  }

  areHintsKnown(): boolean {
    return this.#placer.areHintsKnown;
  }

  stop(): void {
    this.#memory.stop();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Reads a body within the free memory, and gives that back at the end. */
  async #taking<T>(
    request: PreviewRequest,
    reading: Pick<ReadRequest, "csv" | "hashStart" | "isPreview">,
    work: (body: ReadBody, sender: Sender) => Promise<T>,
  ): Promise<T> {
    const {
      table,
      client = "",
      contentType,
      contentEncoding,
      timeName,
      timeUnit,
      timeZone,
      binary,
      raw,
    } = request;
    checkRawParameters(raw, contentType);
    const fault = nameFault(table);
    if (fault !== null) throw new HadalError("invalid-name", { detail: fault });
    const zone = checkZone(timeZone);
    const sent = this.#deps.quota.enter(client, request.body, request.contentLength);
    const length = plainLength(request);
    const memory = this.#memory.open(client, length);
    const { small, large } = this.#deps.readers;
    const reader = length !== null && length <= smallBytesMax ? small : large;
    const asked: ReadRequest = {
      ...{ contentType, contentEncoding, timeName, binary, raw },
      timeRule: createTimeRule(request.receivedMs ?? this.#deps.nowMs(), {
        ...{ unit: timeUnit ?? null, zone },
        futureMaxMs: this.#deps.limits.futureMax * 1_000,
      }),
      columns: this.#columnsOf(table),
      sender: memory.sender,
      ...reading,
    };
    try {
      const body = await reader.read(sent, asked, memory);
      try {
        memory.keep(body.outcome.bytes);
        return await work(body, memory.sender);
      } finally {
        body.close();
      }
    } finally {
      memory.close();
    }
  }

  async #store(request: IngestRequest, body: ReadBody, sender: Sender): Promise<IngestReply> {
    const { idempotencyKey: key, table, ack } = request;
    const { accepted, rejected, problems, csv } = body.outcome;
    this.#rowsRejected += rejected;
    // Rows for names that are no tables are counted together alone: anything may be sent.
    if (accepted > 0 || this.#deps.ledger.tables().includes(table))
      this.#tables.add(table, { rejected });
    if (accepted === 0) throw nothingAccepted(body.outcome);
    const batchId = key ?? randomUUID();
    const place = () => this.#placeAll(request, body, sender, batchId);
    await (key === undefined ? place() : this.#oneAtATime(`${table}\n${key}`, place));
    return { batchId, accepted, rejected, problems, ack, ...(csv === undefined ? {} : { csv }) };
  }

  /** Repetitions of a request wait for one another. */
  async #oneAtATime(id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#running.get(id);
    const mine = (before ?? Promise.resolve()).catch(() => undefined).then(work);
    this.#running.set(id, mine);
    try {
      await mine;
    } finally {
      if (this.#running.get(id) === mine) this.#running.delete(id);
    }
  }

  async #placeAll(
    request: IngestRequest,
    body: ReadBody,
    sender: Sender,
    batchId: string,
  ): Promise<void> {
    const { idempotencyKey: key, table } = request;
    const { columnNames, requestHash, late, future } = body.outcome;
    const epoch = this.#deps.others?.sender.epoch ?? null;
    const entry = key === undefined ? undefined : this.#deps.ledger.findKey(table, key);
    if (entry !== undefined && entry.requestHash !== requestHash) {
      throw new HadalError("idempotency-conflict", { key: key ?? "" });
    }
    const deadlineMs = this.#deps.nowMs() + ingestTimeoutMs;
    const found = await findStoredBefore(request, body, this.#deps, this.#placer);
    const lost = await this.#placer.findLost(table, found);
    const before = withoutLost(found, lost);
    const isSeen = this.#deps.onColumns?.(table, columnNames);
    const parts = await this.#partsOfBody(table, body, { batchId, before }, deadlineMs);
    const rowCount = parts.reduce((sum, part) => sum + part.rowCount, 0);
    this.#deps.quota.takeRows(sender.client, rowCount);
    const outcomes = await Promise.allSettled(
      parts.map((part) =>
        this.#placeOne(request, part, sender, { requestHash, epoch, lost, deadlineMs }),
      ),
    );
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (rowCount > 0) this.#tables.add(table, { late, future });
    if (failed !== undefined) throw partlyStored(failed.reason, body.outcome, parts, outcomes);
    if (request.ack === "replicated") {
      const stored = storedOf(before);
      if (stored.length > 0) {
        const sent = await partsOf(body, idsOf(body, batchId), (id) => storedRanges(id, before));
        await storeLost(this.#deps, table, before, sent);
      }
      const batchIds = [...stored, ...parts.map((part) => part.batchId)];
      await untilCopied(this.#deps.leaves(), table, batchIds);
    }
    await isSeen;
    await this.#deps.onStored?.(table, columnNames);
  }

  /** The parts of a body that are not stored yet. */
  async #partsOfBody(
    table: string,
    body: ReadBody,
    { batchId, before }: { batchId: string; before: ReadonlyMap<string, Attempt> },
    deadlineMs: number,
  ): Promise<readonly BodyPart[]> {
    const { accepted } = body.outcome;
    const ids = idsOf(body, batchId);
    if (accepted <= wholeRowsMax) return partsOf(body, ids, (id) => wholeRange(id, before));
    const leaves = await this.#placer.openLeaves(table, deadlineMs);
    const deal = (shareCount: number) => dealShares(shareCount, leaves, this.#deps.random);
    return partsOf(body, ids, (id) => rangesToStore(id, before, deal));
  }

  async #placeOne(
    request: IngestRequest,
    { batchId, leafId, rowCount, bytes: size, minutes: rows, encode }: BodyPart,
    sender: Sender,
    { requestHash, epoch, lost, deadlineMs }: PlacedRequest,
  ): Promise<void> {
    const { table, idempotencyKey: key = null, ack } = request;
    const intent = { table, batchId, key, requestHash, rows };
    const durable = ack !== "received";
    const countedOn = lost.get(batchId) ?? null;
    if (countedOn !== null) await this.#forget(intent, countedOn, encode);
    const chosen = countedOn ?? leafId;
    const placed = chosen ?? (key === null ? null : this.#placer.leafOfKey(table, batchId));
    const place = { leafId: placed, countedOn, epoch };
    const batch = { intent, ...place, sender, size, durable, encode };
    await this.#placer.place(batch, deadlineMs);
    void this.#deps.onPlaced?.(table, encode);
    this.#batches++;
    this.#rowsAccepted += rowCount;
    this.#tables.add(table, { accepted: rowCount });
  }

  /** Its leaf has lost it: it is not stored any more. Its rows stay expected there. */
  async #forget(
    intent: OutgoingBatch["intent"],
    leaf: string,
    encode: OutgoingBatch["encode"],
  ): Promise<void> {
    const { ledger, nowMs } = this.#deps;
    const { contentHash } = await encode();
    await ledger.begin({ ...intent, contentHash, leaf, atMs: nowMs() });
    ledger.settle(intent.table, intent.batchId, "refused");
  }
}

/** What leaves have lost is sent again. */
function withoutLost(
  before: ReadonlyMap<string, Attempt>,
  lost: ReadonlyMap<string, string>,
): ReadonlyMap<string, Attempt> {
  if (lost.size === 0) return before;
  return new Map(
    [...before].map(([batchId, attempt]) => [
      batchId,
      lost.has(batchId) ? { ...attempt, state: "pending" as const } : attempt,
    ]),
  );
}

/** Of the batches of a body. */
const idsOf = ({ outcome }: ReadBody, bodyId: string): readonly string[] =>
  Array.from({ length: outcome.batchCount }, (_, i) => `${bodyId}/${i}`);

/** The parts that were stored when the request came before. */
const storedOf = (before: ReadonlyMap<string, Attempt>): readonly string[] =>
  [...before].flatMap(([batchId, { state }]) => (state === "stored" ? [batchId] : []));

function nothingAccepted(rows: ReadOutcome): HadalError {
  const [first] = rows.problems;
  if (first === undefined)
    return bodyProblem("bad-request", "body-empty", 1, "The body holds no rows.");
  return new HadalError(
    "rows-rejected",
    { rejected: rows.rejected, detail: `line ${first.line}: ${first.detail}` },
    rows.problems,
  );
}

/**
 * Some parts of a request may be stored and others not: the reply has the number of stored rows.
 */
function partlyStored(
  reason: unknown,
  rows: ReadOutcome,
  parts: readonly BodyPart[],
  outcomes: readonly PromiseSettledResult<unknown>[],
): unknown {
  if (!(reason instanceof HadalError)) return reason;
  const failed = parts.reduce(
    (sum, { rowCount }, i) => sum + (outcomes[i]?.status === "rejected" ? rowCount : 0),
    0,
  );
  // Parts that are not among these were stored when the request came before.
  const stored = rows.accepted - failed;
  if (stored === 0) return reason;
  const detail = `${stored} of ${rows.accepted} rows were stored. Send the request again with the same Idempotency-Key to store the others; without one all would be stored again.`;
  const error = new HadalError(reason.code, {}, [
    ...reason.errors,
    { code: "partly-stored", detail },
  ]);
  error.message = `${reason.message} ${detail}`;
  return error;
}
