import { HadalError, type KafkaTopic } from "@hadal/sdk";
import type { RowIngest } from "../../ingestRows.js";
import type { SourceReport } from "../sourceReport.js";
import { type BatchBody, bodyOf, isRaw, type MessageBatch, messageAt } from "./messageBatch.js";
import { type KafkaMessage, rawOf } from "./messages.js";

export interface BatchPlace {
  readonly source: string;
  readonly topic: string;
  readonly partition: number;
}

/** How a batch is stored; the same whenever it is tried again. */
export interface PendingBatch {
  readonly key: string;
  readonly first: number;
  readonly end: number;
  /** When it was cut. */
  readonly atMs: number;
  readonly settings: KafkaTopic;
}

export interface BatchStoreDeps {
  readonly ingest: Pick<RowIngest, "rows">;
  readonly report: SourceReport;
  readonly nowMs: () => number;
}

/** One attempt to store a batch. */
export interface StoreAttempt {
  readonly pending: PendingBatch;
  readonly batch: MessageBatch;
  /** An earlier holder of the partition may have stored it. */
  readonly mayBeStored: boolean;
}

/** Of these the message is the reason, and no repetition helps. */
const faultsOfBodies = new Set(["body-undecodable", "body-too-large", "unsupported-media-type"]);

/**
 * Stores the rows of a batch; messages that are no rows are listed, and the others are stored. Throws
 * what may pass: nothing is lost then, as the same batch may be tried again.
 */
export async function storeBatch(
  place: BatchPlace,
  attempt: StoreAttempt,
  deps: BatchStoreDeps,
): Promise<void> {
  const { pending } = attempt;
  let { messages } = attempt.batch;
  for (;;) {
    const body = bodyOf(messages, pending.settings);
    if (body === null) return;
    if ("error" in body) {
      const { message, error } = body;
      listProblem(place, message, error, deps);
      deps.report.count({ rejected: 1 });
      messages = messages.filter((one) => one !== message);
      continue;
    }
    await storeBody(place, body, { ...attempt, key: pending.key }, deps);
    const last = body.messages.at(-1);
    messages = messages.slice(messages.indexOf(last!) + 1);
    // A body by itself; a batch has one, unless its messages have changed.
    if (messages.length > 0) await storeEach(place, messages, attempt, deps);
    return;
  }
}

/** Each message under a key of its own: one of them is the reason why all were refused together. */
async function storeEach(
  place: BatchPlace,
  messages: readonly KafkaMessage[],
  attempt: StoreAttempt,
  deps: BatchStoreDeps,
): Promise<void> {
  for (const message of messages) {
    const body = bodyOf([message], attempt.pending.settings);
    if (body === null) continue;
    if ("error" in body) {
      listProblem(place, message, body.error, deps);
      deps.report.count({ rejected: 1 });
      continue;
    }
    const key = `${attempt.pending.key}/${message.offset}`;
    await storeBody(place, body, { ...attempt, key }, deps);
  }
}

async function storeBody(
  place: BatchPlace,
  body: BatchBody,
  attempt: StoreAttempt & { readonly key: string },
  deps: BatchStoreDeps,
): Promise<void> {
  const { ingest, report } = deps;
  try {
    const reply = await ingest.rows(requestOf(place, body, attempt));
    report.count(reply);
    for (const { line, code, detail } of reply.problems)
      report.add(problemOf(place, messageAt(body, line), { code, detail }, deps));
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    if (error.code === "rows-rejected") {
      report.count({ rejected: rowCountOf(body) });
      for (const { line = 1, code, detail } of error.errors)
        report.add(problemOf(place, messageAt(body, line), { code, detail }, deps));
      return;
    }
    if (error.code === "idempotency-conflict") {
      const detail =
        "Rows of these messages are stored already, and the messages are others now: some may have been deleted, or their times were too far ahead. Nothing more was stored of them.";
      report.add(problemOf(place, body.messages[0]!, { code: "changed", detail }, deps));
      return;
    }
    if (!isFaultOfBody(error)) throw error;
    if (body.messages.length > 1) return storeEach(place, body.messages, attempt, deps);
    report.count({ rejected: 1 });
    listProblem(place, body.messages[0]!, error, deps);
  }
}

function requestOf(
  { source }: BatchPlace,
  { contentType, bytes, messages }: BatchBody,
  { pending, key, mayBeStored }: StoreAttempt & { readonly key: string },
) {
  const { settings } = pending;
  const [first] = messages;
  // Lines without a time get that of their receipt: here of their messages.
  const ofMessage =
    isRaw(contentType) && settings.timeFrom === "message" ? (first?.timestampMs ?? null) : null;
  return {
    table: settings.table,
    client: `source:${source}`,
    body: once(bytes),
    contentLength: bytes.length,
    ...{ contentType, contentEncoding: undefined },
    ...{ timeName: settings.time, timeUnit: settings.timeUnit, timeZone: settings.timeZone },
    raw: first === undefined ? undefined : rawOf(settings, contentType, first),
    ack: "durable" as const,
    idempotencyKey: key,
    receivedMs: ofMessage ?? pending.atMs,
    ...(mayBeStored ? { mayBeStored: true as const } : {}),
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Of a problem with one line, or with the bytes. */
function isFaultOfBody({ code, errors }: HadalError): boolean {
  if (faultsOfBodies.has(code)) return true;
  return code === "bad-request" && errors.some(({ line }) => line !== undefined);
}

const rowCountOf = ({ bytes, messages, contentType }: BatchBody): number =>
  contentType === "application/x-ndjson"
    ? bytes.reduce((sum, byte) => sum + (byte === 0x0a ? 1 : 0), 0)
    : messages.length;

function listProblem(
  place: BatchPlace,
  message: KafkaMessage,
  { code, errors, message: text }: HadalError,
  deps: BatchStoreDeps,
): void {
  const [first] = errors;
  const problem = first ?? { code, detail: text };
  deps.report.add(problemOf(place, message, problem, deps));
}

const problemOf = (
  { topic, partition }: BatchPlace,
  { offset }: KafkaMessage,
  { code, detail }: { readonly code: string; readonly detail: string },
  { nowMs }: Pick<BatchStoreDeps, "nowMs">,
) => ({ topic, partition, offset, code, detail, atMs: nowMs() });
