import type { IngestReply, RowProblem } from "../model/ingest/ingest.js";
import { HadalError } from "../model/problem/problem.js";
import { sampledByColumn, sampleRateColumn, sampleRateMax } from "../model/schema.js";
import type { Ingest, IngestOptions, IngestRow, IngestSummary } from "./hadalClient.js";
import { randomKey } from "./randomKey.js";
import { InvalidRow, printRow } from "./rows/printRow.js";
import {
  batchBytesMax,
  createRowBuffer,
  type LineBatch,
  type RowBuffer,
  utf8Bytes,
} from "./rows/rowBuffer.js";
import { createSampler } from "./sampling/createSampler.js";
import type { Sampler, Sampling } from "./sampling/sampling.js";
import { valueText } from "./sampling/valueText.js";
import { createSemaphore } from "./semaphore.js";
import { withRetry } from "./withRetry.js";

/** Posts one body; rejects with a HadalError. The same key is used for every attempt of a batch. */
export type SendBatch = (body: string, idempotencyKey: string) => Promise<IngestReply>;

/** Four requests keep two leaves busy while answers travel. */
const batchesInFlightMax = 4;

export function createIngest(send: SendBatch, options: IngestOptions = {}): Ingest {
  return new BatchWriter(send, options);
}

class BatchWriter implements Ingest {
  readonly #pendingRowsMax: number;
  readonly #batchMs: number;
  readonly #retryMs: number;
  readonly #buffer: RowBuffer;
  readonly #slots = createSemaphore(batchesInFlightMax);
  readonly #deliveries = new Set<Promise<void>>();
  readonly #summary = { accepted: 0, rejected: 0, lost: 0 };
  #roomWaiters: (() => void)[] = [];
  #pushed = 0;
  /** Rows that are buffered or on their way. */
  #pendingRows = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #lastPush: Promise<void> = Promise.resolve();
  #closed = false;

  readonly #sendBatch: SendBatch;
  readonly #options: IngestOptions;
  /** Null: all rows are sent. */
  readonly #sampler: Sampler | null;
  /** The column of whose values all rows are sent or none. */
  readonly #sampledBy: string | null;
  #sampledOut = 0;

  constructor(sendBatch: SendBatch, options: IngestOptions) {
    this.#sendBatch = sendBatch;
    this.#options = options;
    this.#sampler = options.sample === undefined ? null : createSampler(options.sample);
    this.#sampledBy = options.sample === undefined ? null : wholeValuesOf(options.sample);
    this.#pendingRowsMax = Math.max(1, options.pendingRowsMax ?? 100_000);
    this.#batchMs = options.batchMs ?? 1_000;
    this.#retryMs = options.retryMs ?? 300_000;
    const batchRows = Math.min(options.batchRows ?? 5_000, this.#pendingRowsMax);
    this.#buffer = createRowBuffer(Math.max(1, batchRows));
  }

  push(row: IngestRow): Promise<void> {
    if (this.#closed) {
      return Promise.reject(new HadalError("bad-request", { detail: "This writer is closed." }));
    }
    this.#pushed += 1;
    const weight = this.#sampler === null || !isObject(row) ? 1 : this.#sampler(row);
    if (weight === null) {
      this.#sampledOut++;
      return this.#lastPush;
    }
    const line = this.#printOrReject(row, weight, this.#pushed);
    if (line !== null) this.#lastPush = this.#add(line, this.#pushed, this.#lastPush);
    return this.#lastPush;
  }

  async flush(): Promise<IngestSummary> {
    const last = this.#lastPush;
    let settled = false;
    last.finally(() => {
      settled = true;
    });
    // Rows that wait for room get it only when what is buffered goes out.
    while (!settled) {
      this.#sendBuffered();
      await Promise.race([last, ...this.#deliveries]);
    }
    this.#sendBuffered();
    await Promise.all(this.#deliveries);
    const sampled = this.#sampler === null ? {} : { sampledOut: this.#sampledOut };
    return { ...this.#summary, ...sampled };
  }

  close(): Promise<IngestSummary> {
    this.#closed = true;
    return this.flush();
  }

  async #add(line: string, rowNumber: number, before: Promise<void>): Promise<void> {
    await before;
    while (this.#pendingRows >= this.#pendingRowsMax) {
      await new Promise<void>((resolve) => this.#roomWaiters.push(resolve));
    }
    this.#pendingRows += 1;
    for (const batch of this.#buffer.add(line, rowNumber)) this.#dispatch(batch);
    if (this.#buffer.rowCount > 0)
      this.#timer ??= setTimeout(() => this.#sendBuffered(), this.#batchMs);
    else this.#stopTimer();
  }

  #sendBuffered(): void {
    this.#stopTimer();
    const batch = this.#buffer.take();
    if (batch !== null) this.#dispatch(batch);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #dispatch(batch: LineBatch): void {
    const post = (key: string): Promise<IngestReply> =>
      this.#slots.run(() => this.#sendBatch(`${batch.lines.join("\n")}\n`, key));
    const delivery = deliver(post, this.#retryMs).then((outcome) => this.#settle(batch, outcome));
    this.#deliveries.add(delivery);
    // When a callback of the caller throws, flush rejects with it; it must not end the process
    // before.
    delivery.catch(() => undefined).finally(() => this.#deliveries.delete(delivery));
  }

  #settle(batch: LineBatch, outcome: Outcome): void {
    this.#pendingRows -= batch.lines.length;
    // Only one push waits for room at a time: each waits for the one before it.
    const woken = this.#roomWaiters;
    this.#roomWaiters = [];
    for (const wake of woken) wake();
    if (outcome.kind === "lost") {
      this.#summary.lost += batch.lines.length;
    } else if (outcome.kind === "refused") {
      this.#reject(batch.lines.length, problemsOfRefusal(outcome.error, batch));
    } else {
      const { accepted, rejected, problems } = outcome.reply;
      this.#summary.accepted += accepted;
      this.#reject(
        rejected,
        problems.map((problem) => pointToRow(problem, batch)),
      );
      this.#options.onBatch?.(outcome.reply);
    }
  }

  #reject(count: number, problems: readonly RowProblem[]): void {
    this.#summary.rejected += count;
    if (problems.length > 0) this.#options.onRejected?.(problems);
  }

  #withWeight(row: IngestRow, weight: number): IngestRow {
    const by = this.#sampledBy;
    const weighted = withWeight(row, weight);
    // Rows without the column were chosen one by one.
    return by === null || valueText(row, by) === null
      ? weighted
      : { ...weighted, [sampledByColumn]: by };
  }

  #printOrReject(row: IngestRow, weight: number, rowNumber: number): string | null {
    try {
      const line = printRow(weight === 1 ? row : this.#withWeight(row, weight));
      if (utf8Bytes(line) < batchBytesMax) return line;
      throw new InvalidRow(`The row is longer than ${batchBytesMax} bytes (batchBytesMax).`);
    } catch (error) {
      if (!(error instanceof InvalidRow)) throw error;
      this.#reject(1, [{ line: rowNumber, code: "invalid-row", detail: error.message }]);
      return null;
    }
  }
}

const wholeValuesOf = (sampling: Sampling): string | null =>
  "oneIn" in sampling ? (sampling.by ?? null) : null;

const isObject = (row: unknown): boolean =>
  typeof row === "object" && row !== null && !Array.isArray(row);

/** A row may stand for several already: those that are not sent were as many each. */
function withWeight(row: IngestRow, weight: number): IngestRow {
  const own = row[sampleRateColumn] ?? 1;
  // The server says what is wrong with another value.
  if (typeof own !== "number" || !Number.isInteger(own) || own < 1) return row;
  const rate = own * weight;
  if (rate <= sampleRateMax) return { ...row, [sampleRateColumn]: rate };
  throw new InvalidRow(
    `With its own sample_rate the row stands for ${rate} rows: at most ${sampleRateMax} are possible.`,
  );
}

type Outcome =
  | { readonly kind: "answered"; readonly reply: IngestReply }
  | { readonly kind: "refused"; readonly error: HadalError }
  | { readonly kind: "lost" };

async function deliver(
  post: (key: string) => Promise<IngestReply>,
  retryMs: number,
): Promise<Outcome> {
  const key = randomKey();
  try {
    return { kind: "answered", reply: await withRetry(() => post(key), retryMs) };
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.retry ? { kind: "lost" } : { kind: "refused", error };
  }
}

/** A problem's line in its batch → which of the pushed rows it is, from 1. */
function pointToRow(problem: RowProblem, batch: LineBatch): RowProblem {
  return { ...problem, line: batch.rowNumbers[problem.line - 1] ?? problem.line };
}

function problemsOfRefusal(error: HadalError, batch: LineBatch): RowProblem[] {
  const located = error.errors.flatMap((part) =>
    part.line === undefined ? [] : [{ line: part.line, code: part.code, detail: part.detail }],
  );
  const problems =
    located.length > 0 ? located : [{ line: 1, code: error.code, detail: error.message }];
  return problems.map((problem) => pointToRow(problem, batch));
}
