import { createHash, type Hash, randomUUID } from "node:crypto";
import type { JsonRows } from "@hadal/kernel-wasm";
import {
  type AckLevel,
  type BinaryForm,
  type ColumnSetting,
  type CsvParameters,
  HadalError,
  type IngestReply,
  nameFault,
  type RowsPreview,
  type TimeUnit,
} from "@hadal/sdk";
import type { IngestLimits } from "../base/ingestLimits.js";
import { type RowBatch, rowBatchBytes } from "../base/rowBatch.js";
import { encodeRowBatch } from "../base/rowBatchCodec.js";
import { BatchPlacer } from "./batchPlacer.js";
import type { Attempt } from "./batchWindow.js";
import { bodyFault } from "./bodyFault.js";
import { BodyIntake, type TakenBody } from "./bodyIntake.js";
import { type BodyPart, partsOf, storedParts, wholePart, wholeRowsMax } from "./bodyParts.js";
import { readBody } from "./bodyStream.js";
import { rulesOf } from "./columnRule.js";
import { readCsvParameters } from "./csvParameters.js";
import type { CsvOptions } from "./csvReader.js";
import type { IngestLoad } from "./ingestMemory.js";
import { countMinutes } from "./minuteCounts.js";
import type { EncodedBatch, PlacerDeps } from "./outgoingBatch.js";
import { dealShares } from "./placement.js";
import { readRows } from "./readRows.js";
import type { CollectedRows } from "./rowCollector.js";
import { rowsPreview } from "./rowsPreview.js";
import { createTimeRule } from "./timeRule.js";

export interface IngestRequest {
  readonly table: string;
  /** Who sends: clients have their turns one after the other, however much each of them sends. */
  readonly client?: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** How many bytes it has as it travels; absent where that is not known. */
  readonly contentLength?: number | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly timeName: string | undefined;
  /** What numbers in the time column count; without it, plausible milliseconds. */
  readonly timeUnit?: TimeUnit | undefined;
  readonly binary?: BinaryForm | undefined;
  readonly csv?: CsvParameters;
  readonly ack: AckLevel;
  readonly idempotencyKey: string | undefined;
}

export interface IngestCounts {
  readonly rowsAccepted: number;
  readonly rowsRejected: number;
  readonly batches: number;
  /** Batches whose leaf has not said whether it holds them. */
  readonly batchesPending: number;
  /** Those of them, and others not dropped yet, that another leaf keeps aside. */
  readonly batchesAside: number;
  /** Rows taken in per table since the start, in alphabetical order. */
  readonly tables: readonly { readonly name: string; readonly rowsAccepted: number }[];
  /** What sends under way take, those that wait, and those refused since there was no room. */
  readonly load: IngestLoad;
}

/** A body that is read as rows would be, and not stored. */
export type PreviewRequest = Omit<IngestRequest, "ack" | "idempotencyKey">;

/** Takes bodies of rows in and answers when the leaves hold them. */
export interface RowIngest {
  rows(request: IngestRequest): Promise<IngestReply>;
  preview(request: PreviewRequest): Promise<RowsPreview>;
  counts(): IngestCounts;
  /** Asks the leaves about batches whose outcome is not known, e.g. after a restart; also done every second. */
  resolvePending(): Promise<number>;
  /** Takes in what is read already, and nothing else. */
  stop(): void;
  close(): void;
}

export interface IngestDeps extends PlacerDeps {
  /** The kernel's reader of lines of JSON. */
  readonly json: JsonRows;
  readonly limits: IngestLimits;
  /** So many tables there may be; a row of another one is refused. */
  readonly tablesMax: number;
  /** Rows of these columns, in their order, are about to be stored. */
  readonly onColumns?: (table: string, columns: readonly string[]) => Promise<void>;
  /** Rows of these columns are stored: whoever asks once this has resolved is to find them. */
  readonly onStored?: (table: string, columns: readonly string[]) => Promise<void>;
}

/** A client waits this long at most for a leaf to come back before it is told to try again. */
const ingestTimeoutMs = 15_000;
const idempotencyKeyUnitsMax = 255;
const resolveEveryMs = 1_000;

/** `columnsOf` tells what is set for a table's columns. */
export function createIngest(
  deps: IngestDeps,
  columnsOf: (table: string) => readonly ColumnSetting[] = () => [],
): RowIngest {
  return new Ingest(deps, columnsOf);
}

class Ingest implements RowIngest {
  private readonly placer: BatchPlacer;
  private readonly intake: BodyIntake;
  private readonly timer: NodeJS.Timeout;
  private readonly running = new Map<string, Promise<unknown>>();
  private resolving = false;
  private rowsAccepted = 0;
  private rowsRejected = 0;
  private batches = 0;
  private readonly acceptedOfTables = new Map<string, number>();

  constructor(
    private readonly deps: IngestDeps,
    private readonly columnsOf: (table: string) => readonly ColumnSetting[],
  ) {
    this.placer = new BatchPlacer(deps);
    this.intake = new BodyIntake(deps.limits);
    this.timer = setInterval(() => void this.resolvePending(), resolveEveryMs);
    this.timer.unref();
  }

  async rows(request: IngestRequest): Promise<IngestReply> {
    checkKey(request.idempotencyKey);
    this.checkTable(request.table);
    return this.taking(request, (taken) => this.store(request, taken));
  }

  private checkTable(table: string): void {
    const { ledger, tablesMax } = this.deps;
    const tables = ledger.tables();
    if (tables.length < tablesMax || tables.includes(table)) return;
    const detail = `There are ${tablesMax} tables already (tables): delete one, or raise the limit.`;
    throw new HadalError("bad-request", { detail });
  }

  async preview(request: PreviewRequest): Promise<RowsPreview> {
    const { csv, contentType } = request;
    const options = { ...readCsvParameters(csv ?? {}, contentType), timeMayLack: true };
    return this.taking(request, async (taken) =>
      rowsPreview(await this.read(request, options, taken)),
    );
  }

  counts(): IngestCounts {
    const { rowsAccepted, rowsRejected, batches } = this;
    return {
      rowsAccepted,
      rowsRejected,
      batches,
      batchesPending: this.deps.ledger.pending().length,
      batchesAside: this.deps.ledger.asides.list().length,
      tables: [...this.acceptedOfTables]
        .map(([name, rowsAcceptedOfIt]) => ({ name, rowsAccepted: rowsAcceptedOfIt }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      load: this.intake.load,
    };
  }

  async resolvePending(): Promise<number> {
    if (this.resolving) return this.deps.ledger.pending().length;
    this.resolving = true;
    try {
      return await this.placer.resolvePending();
    } finally {
      this.resolving = false;
    }
  }

  stop(): void {
    this.intake.stop();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async taking<T>(
    { table, client = "", contentLength, contentEncoding = "identity" }: PreviewRequest,
    work: (taken: TakenBody) => Promise<T>,
  ): Promise<T> {
    const fault = nameFault(table);
    if (fault !== null) throw new HadalError("invalid-name", { detail: fault });
    // What a compressed body will be is not known before.
    const isPlain = contentEncoding.trim().toLowerCase() === "identity";
    return this.intake.run(client, isPlain ? (contentLength ?? null) : null, work);
  }

  private async read(
    request: PreviewRequest,
    csv: CsvOptions,
    taken: TakenBody,
    hash?: Hash,
  ): Promise<CollectedRows> {
    const { table, contentType, timeName, timeUnit, binary } = request;
    const options = {
      contentType,
      timeName,
      timeRule: createTimeRule(timeUnit ?? null, this.deps.nowMs()),
      binary,
      csv,
      json: this.deps.json,
      rules: rulesOf(this.columnsOf(table)),
      hash,
    };
    return taken.read(
      readBody(request.body, request.contentEncoding),
      (blocks) => readRows(blocks, options),
      bytesOfRows,
    );
  }

  private async store(request: IngestRequest, taken: TakenBody): Promise<IngestReply> {
    const { idempotencyKey: key, table, csv = {} } = request;
    const options = readCsvParameters(csv, request.contentType);
    const hash = key === undefined ? undefined : createHash("sha256");
    // The same bytes read in another way are another request.
    hash?.update(`${request.contentType ?? ""}\n${request.timeName ?? ""}\n`);
    // Who asks for more than was promised is not to be told that it is done.
    if (request.ack === "received") hash?.update("ack=received\n");
    if (request.timeUnit !== undefined) hash?.update(`timeUnit=${request.timeUnit}\n`);
    if (request.binary !== undefined) hash?.update(`binary=${request.binary}\n`);
    if (Object.values(csv).some((text) => text !== undefined))
      hash?.update(`csv=${JSON.stringify(csv)}\n`);
    const rows = await this.read(request, options, taken, hash);
    this.rowsRejected += rows.rejected;
    if (rows.accepted === 0) throw nothingAccepted(rows);
    const requestHash = hash?.digest("hex").slice(0, 32) ?? "";
    const batchId = key ?? randomUUID();
    const place = () => this.placeAll(request, rows, taken, { batchId, requestHash });
    await (key === undefined ? place() : this.oneAtATime(`${table}\n${key}`, place));
    const { accepted, rejected, problems } = rows;
    const reading = rows.csv === undefined ? {} : { csv: rows.csv };
    return { batchId, accepted, rejected, problems, ack: request.ack, ...reading };
  }

  /** Repetitions of a request wait for one another. */
  private async oneAtATime(id: string, work: () => Promise<void>): Promise<void> {
    const before = this.running.get(id);
    const mine = (before ?? Promise.resolve()).catch(() => undefined).then(work);
    this.running.set(id, mine);
    try {
      await mine;
    } finally {
      if (this.running.get(id) === mine) this.running.delete(id);
    }
  }

  private async placeAll(
    request: IngestRequest,
    rows: CollectedRows,
    taken: TakenBody,
    { batchId, requestHash }: { batchId: string; requestHash: string },
  ): Promise<void> {
    const { idempotencyKey: key, table } = request;
    const entry = key === undefined ? undefined : this.deps.ledger.findKey(table, key);
    if (entry !== undefined && entry.requestHash !== requestHash) {
      throw new HadalError("idempotency-conflict", { key: key ?? "" });
    }
    const deadlineMs = this.deps.nowMs() + ingestTimeoutMs;
    const before =
      entry?.batches ?? (await this.findForgotten(request, rows, batchId, requestHash));
    const names = new Set(rows.batches.flatMap(({ columns }) => columns.map(({ name }) => name)));
    const isSeen = this.deps.onColumns?.(table, [...names]);
    const parts = await this.partsOfBody(table, rows, taken, { batchId, before }, deadlineMs);
    const outcomes = await Promise.allSettled(
      parts.map((part) => this.placeOne(request, part, taken, { requestHash, deadlineMs })),
    );
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw partlyStored(failed.reason, rows, parts, outcomes);
    await isSeen;
    await this.deps.onStored?.(table, [...names]);
  }

  /** What is still to be stored of a body, by what was stored before. */
  private async partsOfBody(
    table: string,
    { batches, accepted }: CollectedRows,
    taken: TakenBody,
    { batchId, before }: { batchId: string; before: ReadonlyMap<string, Attempt> },
    deadlineMs: number,
  ): Promise<readonly BodyPart[]> {
    const ids = batches.map((_, i) => `${batchId}/${i}`);
    if (accepted <= wholeRowsMax)
      return batches.flatMap((batch, i) => wholePart(batch, ids[i] ?? "", before));
    const leaves = await this.placer.openLeaves(table, deadlineMs);
    const deal = (shareCount: number) => dealShares(shareCount, leaves, this.deps.random);
    const parts: BodyPart[] = [];
    for (const [i, batch] of batches.entries())
      parts.push(...(await taken.inTurn(() => partsOf(batch, ids[i] ?? "", before, deal))));
    return parts;
  }

  /** What leaves hold of a request whose key the ledger has lost; it is known again from here on. */
  private async findForgotten(
    { table, idempotencyKey: key }: IngestRequest,
    { batches }: CollectedRows,
    bodyId: string,
    requestHash: string,
  ): Promise<ReadonlyMap<string, Attempt>> {
    const { ledger, nowMs } = this.deps;
    if (key === undefined || !ledger.areKeysLost(nowMs())) return new Map();
    const found = await this.placer.findHeld(table, bodyId);
    const parts = batches.flatMap((batch, i) => storedParts(batch, `${bodyId}/${i}`, found));
    for (const { batch, batchId } of parts) {
      const attempt = found.get(batchId);
      const contentHash = contentHashOf(encodeRowBatch(batch));
      if (attempt?.contentHash !== contentHash)
        throw new HadalError("idempotency-conflict", { key });
      const { leaf } = attempt;
      const rows = countMinutes(batch.times);
      const atMs = nowMs();
      await ledger.begin({ table, batchId, contentHash, leaf, key, requestHash, rows, atMs });
      // Its rows are counted when the leaf is compared.
      ledger.settle(table, batchId, "known");
    }
    return found;
  }

  private async placeOne(
    request: IngestRequest,
    { batch, batchId, leafId }: BodyPart,
    taken: TakenBody,
    { requestHash, deadlineMs }: { requestHash: string; deadlineMs: number },
  ): Promise<void> {
    const { table, idempotencyKey: key = null } = request;
    const intent = { table, batchId, key, requestHash, rows: countMinutes(batch.times) };
    let encoding: Promise<EncodedBatch> | null = null;
    // A small one is encoded at once.
    const encode = (): Promise<EncodedBatch> =>
      batch.rowCount > wholeRowsMax
        ? taken.inTurn(() => encodeBatch(batch))
        : Promise.resolve(encodeBatch(batch));
    const outgoing = {
      ...{ intent, leafId, sender: taken.sender, size: rowBatchBytes(batch) },
      durable: request.ack === "durable",
      encode: () => {
        encoding ??= encode();
        return encoding;
      },
    };
    await this.placer.place(outgoing, deadlineMs);
    this.batches++;
    this.rowsAccepted += batch.rowCount;
    const before = this.acceptedOfTables.get(table) ?? 0;
    this.acceptedOfTables.set(table, before + batch.rowCount);
  }
}

/** What rows take until leaves hold them: those that are dealt out are there twice. */
function bytesOfRows({ batches, accepted }: CollectedRows): number {
  const bytes = batches.reduce((sum, batch) => sum + rowBatchBytes(batch), 0);
  return accepted > wholeRowsMax ? 2 * bytes : bytes;
}

function encodeBatch(batch: RowBatch): EncodedBatch {
  const bytes = encodeRowBatch(batch);
  return { bytes, contentHash: contentHashOf(bytes) };
}

const contentHashOf = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, 32);

function checkKey(key: string | undefined): void {
  if (key === undefined) return;
  if (key.length <= idempotencyKeyUnitsMax && /^[\x21-\x7e]+$/.test(key)) return;
  throw new HadalError("bad-request", {
    detail: `An Idempotency-Key has 1 to ${idempotencyKeyUnitsMax} visible ASCII characters.`,
  });
}

function nothingAccepted(rows: CollectedRows): HadalError {
  const [first] = rows.problems;
  if (first === undefined)
    return bodyFault("bad-request", "body-empty", 1, "The body holds no rows.");
  return new HadalError(
    "rows-rejected",
    { rejected: rows.rejected, detail: `line ${first.line}: ${first.detail}` },
    rows.problems,
  );
}

/** Parts of one request may meet different fates; nobody should guess which rows are in. */
function partlyStored(
  reason: unknown,
  rows: CollectedRows,
  parts: readonly BodyPart[],
  outcomes: readonly PromiseSettledResult<unknown>[],
): unknown {
  if (!(reason instanceof HadalError)) return reason;
  const failed = parts.reduce(
    (sum, { batch }, i) => sum + (outcomes[i]?.status === "rejected" ? batch.rowCount : 0),
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
