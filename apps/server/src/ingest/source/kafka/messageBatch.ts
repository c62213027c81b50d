import { createHash } from "node:crypto";
import { HadalError, type KafkaTopic } from "@hadal/sdk";
import { type KafkaMessage, type MessagePart, partOf } from "./messages.js";

/**
 * As many rows as one batch takes that goes to one leaf whole: it is stored, or it is not. More than
 * this many wrong ones would make the rest of a body unread.
 */
const batchRowsMax = 1_000;
const batchBytesMax = 4_194_304;
/** Raw lines without a time have that of the first message of their body: it is at most this far off. */
const rawSpanMs = 1_000;
/** An Idempotency-Key has 255 characters at most. */
const topicUnitsMax = 100;

/** Messages that are stored together. */
export interface MessageBatch {
  /** The offset of the first one, and of the first one beyond. */
  readonly first: number;
  readonly end: number;
  readonly messages: readonly KafkaMessage[];
}

/** What becomes of a batch: bodies to store, and messages of a type that is not read. */
export interface BatchBody {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Of those in it, in their order. */
  readonly messages: readonly KafkaMessage[];
  /** The line on which each of them begins, from 1. */
  readonly lines: readonly number[];
}

export interface UnreadMessage {
  readonly message: KafkaMessage;
  readonly error: HadalError;
}

/**
 * The messages at the start of a list that go into one batch; at least one of them. `readTo`: the
 * offset up to which the partition was read, which is beyond the last message where offsets are used
 * for other things.
 */
export function cutBatch(
  waiting: readonly KafkaMessage[],
  topic: KafkaTopic,
  readTo: number,
): MessageBatch {
  const [first] = waiting;
  if (first === undefined) throw new Error("a batch has messages");
  let rows = 0;
  let bytes = 0;
  let before: MessagePart | null = null;
  let count = 0;
  for (const message of waiting) {
    const part = tryPart(message, topic);
    if (part instanceof HadalError) {
      if (count > 0) break;
      count = 1;
      break;
    }
    if (part.kind === "whole") {
      if (count === 0) count = 1;
      break;
    }
    if (part.kind === "lines") {
      rows += part.lineCount;
      bytes += part.bytes.length + 1;
      const isFull = rows > batchRowsMax || bytes > batchBytesMax;
      if (count > 0 && (isFull || !goTogether(before, part, first, message))) break;
      before = part;
    }
    count++;
  }
  const messages = waiting.slice(0, count);
  const end = count < waiting.length ? waiting[count]!.offset : readTo;
  return { first: first.offset, end, messages };
}

function goTogether(
  before: MessagePart | null,
  part: MessagePart & { readonly kind: "lines" },
  first: KafkaMessage,
  message: KafkaMessage,
): boolean {
  if (before === null) return true;
  if (before.kind !== "lines" || before.contentType !== part.contentType) return false;
  if (!isRaw(part.contentType)) return true;
  return Math.abs((message.timestampMs ?? 0) - (first.timestampMs ?? 0)) <= rawSpanMs;
}

/** Raw lines may lack a time. */
export const isRaw = (contentType: string): boolean => /^\s*text\/plain\s*(;|$)/i.test(contentType);

/** The body of a batch; null: none of its messages has rows. */
export function bodyOf(
  messages: readonly KafkaMessage[],
  topic: KafkaTopic,
): BatchBody | UnreadMessage | null {
  const pieces: Buffer[] = [];
  const taken: KafkaMessage[] = [];
  const lines: number[] = [];
  let contentType = "";
  let line = 1;
  for (const message of messages) {
    const part = tryPart(message, topic);
    if (part instanceof HadalError) return { message, error: part };
    if (part.kind === "none") continue;
    contentType = part.contentType;
    taken.push(message);
    lines.push(line);
    pieces.push(part.bytes);
    if (part.kind === "whole") break;
    pieces.push(lineEnd);
    line += part.lineCount;
  }
  if (taken.length === 0) return null;
  return { contentType, bytes: Buffer.concat(pieces), messages: taken, lines };
}

const lineEnd = Buffer.from("\n");

/** The message that has a line of a body. */
export function messageAt({ messages, lines }: BatchBody, line: number): KafkaMessage {
  let at = lines.length - 1;
  while (at > 0 && lines[at]! > line) at--;
  return messages[at]!;
}

/** What names the rows of a batch for ever: the same messages have it again, and no others do. */
export function keyOfBatch(
  place: { readonly source: string; readonly topic: string; readonly partition: number },
  topicId: string,
  { first, end, messages }: MessageBatch,
): string {
  const { source, topic, partition } = place;
  const name =
    topic.length <= topicUnitsMax
      ? topic
      : createHash("sha256").update(topic).digest("base64url").slice(0, 24);
  const epoch = messages[0]?.leaderEpoch ?? 0;
  return `kafka/${source}/${name}/${topicId.slice(0, 8)}/${partition}/${first}-${end - 1}.${epoch}`;
}

function tryPart(message: KafkaMessage, topic: KafkaTopic): MessagePart | HadalError {
  try {
    return partOf(message, topic);
  } catch (error) {
    if (error instanceof HadalError) return error;
    throw error;
  }
}
