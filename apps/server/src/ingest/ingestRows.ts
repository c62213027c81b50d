import { randomUUID } from "node:crypto";
import {
  type BatchesReply,
  type ColumnSetting,
  HadalError,
  type IngestReply,
  nameFault,
  type RowsPreview,
  type TableIngest,
} from "@hadal/sdk";
import type { IngestLimits } from "../base/limit/ingestLimits.js";
import { type BatchesRequest, readTableLists, readTables, repliedTo } from "./batchesRequest.js";
import { bodyProblem } from "./body/bodyProblem.js";
import type { Sender } from "./body/fairOrder.js";
import { readCsvParameters } from "./format/csv/csvParameters.js";
import { checkRawParameters } from "./format/raw/rawParameters.js";
import {
  checkKey,
  hashStartOf,
  type IngestRequest,
  type PreviewRequest,
  plainLength,
} from "./ingestRequest.js";
import type { BodyReader, ReadBody, ReadOutcome, ReadRequest } from "./read/bodyReader.js";
import { type IngestLoad, IngestMemory, smallBytesMax } from "./read/ingestMemory.js";
import { RowStore, type RowStoreDeps } from "./rowStore.js";
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
  /** Rows of several tables: all of them become visible, in one moment, or none. */
  batches(request: BatchesRequest): Promise<BatchesReply>;
  preview(request: PreviewRequest): Promise<RowsPreview>;
  counts(): IngestCounts;
  /** Throws where there are too many tables for these. `others`: tables that have no rows. */
  checkTables(wanted: readonly string[], others?: Iterable<string>): void;
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

export interface IngestDeps extends RowStoreDeps {
  /** Of bodies that are known to be small before they come, and of all others. */
  readonly readers: { readonly small: BodyReader; readonly large: BodyReader };
  readonly limits: IngestLimits;
  /** Maximum number of tables; rows of a further one are refused. */
  readonly tablesMax: number;
}

const resolveEveryMs = 1_000;

/** `columnsOf` returns the settings of a table's columns. */
export function createIngest(
  deps: IngestDeps,
  columnsOf: (table: string) => readonly ColumnSetting[] = () => [],
): RowIngest {
  return new Ingest(deps, columnsOf);
}

class Ingest implements RowIngest {
  readonly #deps: IngestDeps;
  readonly #columnsOf: (table: string) => readonly ColumnSetting[];
  readonly #store: RowStore;
  readonly #memory: IngestMemory;
  readonly #timer: NodeJS.Timeout;
  #resolving = false;
  #rowsRejected = 0;
  readonly #tables = new TableCounts();

  constructor(deps: IngestDeps, columnsOf: (table: string) => readonly ColumnSetting[]) {
    this.#deps = deps;
    this.#columnsOf = columnsOf;
    this.#store = new RowStore(deps, this.#tables);
    this.#memory = new IngestMemory(deps.limits);
    this.#timer = setInterval(() => void this.resolvePending(), resolveEveryMs);
    this.#timer.unref();
  }

  async rows(request: IngestRequest): Promise<IngestReply> {
    const { idempotencyKey, table, csv = {}, contentType } = request;
    checkKey(idempotencyKey);
    this.checkTables([table]);
    const reading = {
      csv: readCsvParameters(csv, contentType),
      hashStart: idempotencyKey === undefined ? null : hashStartOf(request),
      isPreview: false,
    };
    return this.#taking(request, reading, (body, sender) => this.#storeBody(request, body, sender));
  }

  async batches(request: BatchesRequest): Promise<BatchesReply> {
    const { idempotencyKey: key, client = "", ack } = request;
    checkKey(key);
    const { limits, quota, readers, nowMs } = this.#deps;
    const sent = quota.enter(client, request.body, request.contentLength);
    const memory = this.#memory.open(client, plainLength(request));
    try {
      const lists = await readTableLists(sent, request, memory);
      const tables = lists.map(({ table }) => table);
      for (const table of tables) request.checkMayIngest(table);
      this.checkTables(tables);
      const read = await readTables(lists, request, {
        ...{ readers, sender: memory.sender, columnsOf: this.#columnsOf },
        ...{ nowMs: nowMs(), futureMaxMs: limits.futureMax * 1_000 },
      });
      try {
        memory.keep(read.bytes);
        for (const { table, rejected } of read.refused) this.#noteRejected(table, rejected, 0);
        if (read.problem !== null) throw read.problem;
        const batchId = key ?? randomUUID();
        const rows = read.tables.map(({ table, body }) => ({
          ...{ table, key: key ?? null, ack, body, batchId },
        }));
        await this.#store.store(rows, memory.sender, { mustBeUnit: true });
        return repliedTo(batchId, read.tables, ack);
      } finally {
        read.close();
      }
    } finally {
      memory.close();
    }
  }

  /** Rows for names that are no tables are counted together alone: anything may be sent. */
  #noteRejected(table: string, rejected: number, accepted: number): void {
    this.#rowsRejected += rejected;
    if (accepted > 0 || this.#deps.ledger.tables().includes(table))
      this.#tables.add(table, { rejected });
  }

  checkTables(wanted: readonly string[], others: Iterable<string> = []): void {
    const { ledger, tablesMax } = this.#deps;
    const tables = new Set([...ledger.tables(), ...others]);
    const added = wanted.filter((table) => !tables.has(table));
    if (added.length === 0 || tables.size + added.length <= tablesMax) return;
    const detail = `There are ${tablesMax} tables already (tables): delete one, or raise the limit.`;
    throw new HadalError("bad-request", { detail });
  }

  async preview(request: PreviewRequest): Promise<RowsPreview> {
    const csv = { ...readCsvParameters(request.csv ?? {}, request.contentType), timeMayLack: true };
    const reading = { csv, hashStart: null, isPreview: true };
    return this.#taking(request, reading, async ({ outcome }) => outcome.preview!);
  }

  counts(): IngestCounts {
    const { rowsAccepted, batches } = this.#store;
    const rowsRejected = this.#rowsRejected;
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
      return await this.#store.resolvePending();
    } finally {
      this.#resolving = false;
    }
  }

  areHintsKnown(): boolean {
    return this.#store.areHintsKnown;
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

  async #storeBody(request: IngestRequest, body: ReadBody, sender: Sender): Promise<IngestReply> {
    const { idempotencyKey: key, table, ack, mayBeStored } = request;
    const { accepted, rejected, problems, csv } = body.outcome;
    this.#noteRejected(table, rejected, accepted);
    if (accepted === 0) throw nothingAccepted(body.outcome);
    const batchId = key ?? randomUUID();
    const rows = { table, key: key ?? null, ack, body, batchId };
    await this.#store.store([{ ...rows, ...(mayBeStored && { mayBeStored }) }], sender);
    return { batchId, accepted, rejected, problems, ack, ...(csv === undefined ? {} : { csv }) };
  }
}

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
