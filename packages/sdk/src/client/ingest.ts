import type { IngestReply, RowProblem } from "../model/ingest.js";
import { HadalError } from "../model/problem.js";
import type { Ingest, IngestOptions, IngestRow, IngestSummary } from "./hadalClient.js";
import { printRow, RowFault } from "./printRow.js";
import { randomKey } from "./randomKey.js";
import { batchBytesMax, createRowBuffer, type LineBatch, utf8Bytes } from "./rowBuffer.js";
import { createSemaphore } from "./semaphore.js";
import { withRetry } from "./withRetry.js";

/** Posts one body; rejects with a HadalError. The same key is used for every attempt of a batch. */
export type SendBatch = (body: string, idempotencyKey: string) => Promise<IngestReply>;

/** Four requests keep two leaves busy while answers travel. */
const batchesInFlightMax = 4;

export function createIngest(send: SendBatch, options: IngestOptions = {}): Ingest {
  const pendingRowsMax = Math.max(1, options.pendingRowsMax ?? 100_000);
  const batchRows = Math.max(1, Math.min(options.batchRows ?? 5_000, pendingRowsMax));
  const batchMs = options.batchMs ?? 1_000;
  const retryMs = options.retryMs ?? 300_000;
  const buffer = createRowBuffer(batchRows);
  const slots = createSemaphore(batchesInFlightMax);
  const deliveries = new Set<Promise<void>>();
  const roomWaiters: (() => void)[] = [];
  const summary = { accepted: 0, rejected: 0, lost: 0 };
  let pushed = 0;
  let pendingRows = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lastPush: Promise<void> = Promise.resolve();
  let closed = false;

  const reject = (count: number, problems: readonly RowProblem[]): void => {
    summary.rejected += count;
    if (problems.length > 0) options.onRejected?.(problems);
  };

  const settle = (batch: LineBatch, outcome: Outcome): void => {
    pendingRows -= batch.lines.length;
    // Everyone is woken and looks again: first come, first served, because each waits for the one before.
    for (const wake of roomWaiters.splice(0)) wake();
    if (outcome.kind === "lost") {
      summary.lost += batch.lines.length;
    } else if (outcome.kind === "refused") {
      reject(batch.lines.length, problemsOfRefusal(outcome.error, batch));
    } else {
      summary.accepted += outcome.reply.accepted;
      reject(
        outcome.reply.rejected,
        outcome.reply.problems.map((part) => pointToRow(part, batch)),
      );
      options.onBatch?.(outcome.reply);
    }
  };

  const dispatch = (batch: LineBatch | null): void => {
    if (timer !== null && buffer.rowCount === 0) {
      clearTimeout(timer);
      timer = null;
    }
    if (batch === null) return;
    const post = (key: string) => slots.run(() => send(`${batch.lines.join("\n")}\n`, key));
    const delivery = deliver(post, retryMs).then((outcome) => settle(batch, outcome));
    deliveries.add(delivery);
    // A callback of the caller that throws is told by flush, and must not end the process before.
    delivery.catch(() => undefined).finally(() => deliveries.delete(delivery));
  };

  const add = async (line: string, rowNumber: number, before: Promise<void>): Promise<void> => {
    await before;
    while (pendingRows >= pendingRowsMax) {
      await new Promise<void>((resolve) => roomWaiters.push(resolve));
    }
    pendingRows += 1;
    for (const batch of buffer.add(line, rowNumber)) dispatch(batch);
    if (buffer.rowCount > 0) timer ??= setTimeout(seal, batchMs);
  };

  const seal = (): void => {
    timer = null;
    dispatch(buffer.take());
  };

  const flush = async (): Promise<IngestSummary> => {
    const last = lastPush;
    let settled = false;
    last.finally(() => {
      settled = true;
    });
    // Rows that wait for room get it only when what is buffered goes out.
    while (!settled) {
      dispatch(buffer.take());
      await Promise.race([last, ...deliveries]);
    }
    dispatch(buffer.take());
    await Promise.all(deliveries);
    return { ...summary };
  };

  return {
    push(row: IngestRow) {
      if (closed)
        return Promise.reject(new HadalError("bad-request", { detail: "This writer is closed." }));
      pushed += 1;
      const line = printOrReject(row, pushed, reject);
      if (line !== null) lastPush = add(line, pushed, lastPush);
      return lastPush;
    },
    flush,
    close() {
      closed = true;
      return flush();
    },
  };
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

function printOrReject(
  row: IngestRow,
  rowNumber: number,
  reject: (count: number, problems: readonly RowProblem[]) => void,
): string | null {
  try {
    const line = printRow(row);
    if (utf8Bytes(line) < batchBytesMax) return line;
    throw new RowFault(`The row is longer than ${batchBytesMax} bytes (batchBytesMax).`);
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    reject(1, [{ line: rowNumber, code: "invalid-row", detail: error.message }]);
    return null;
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
