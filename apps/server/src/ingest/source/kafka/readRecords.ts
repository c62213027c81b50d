import type { RecordsBatch } from "@platformatic/kafka";
import type { FetchResponse } from "./fetchMessages.js";
import type { KafkaMessage } from "./messages.js";

type FetchedPartition = FetchResponse["responses"][number]["partitions"][number];

/** What a broker has sent of a partition. */
export interface ReadRecords {
  readonly messages: readonly KafkaMessage[];
  /** The offset to read from next; it may be beyond the last message. */
  readonly readTo: number;
  readonly bytes: number;
}

const isTransactional = 1 << 4;
const isControl = 1 << 5;
const hasAppendTime = 1 << 3;
/** The key of a control record: a version and this. */
const abortType = 0;
/** The last moment that JavaScript's calendar has. */
const latestMs = 8_640_000_000_000_000n;
const contentTypeHeader = "content-type";

/**
 * The messages from `fromOffset` on, without those of transactions that were aborted. Brokers send
 * whole batches, which may begin earlier.
 */
export function readRecords(partition: FetchedPartition, fromOffset: number): ReadRecords {
  const messages: KafkaMessage[] = [];
  let readTo = fromOffset;
  let bytes = 0;
  const aborted = abortedIn(partition);
  for (const batch of partition.records ?? []) {
    const first = Number(batch.firstOffset);
    const end = first + batch.lastOffsetDelta + 1;
    if (aborted.isKept(batch, first)) {
      for (const record of batch.records) {
        const offset = first + record.offsetDelta;
        if (offset < fromOffset) continue;
        const message = messageOf(batch, record, offset);
        bytes += message.value?.length ?? 0;
        messages.push(message);
      }
    }
    readTo = Math.max(readTo, end);
  }
  return { messages, readTo, bytes };
}

/**
 * A producer's transaction that was aborted covers its batches from its first offset up to the control
 * record that ends it. Batches are asked for in their order.
 */
function abortedIn({ abortedTransactions }: FetchedPartition) {
  const waiting = [...(abortedTransactions ?? [])].sort((a, b) =>
    Number(a.firstOffset - b.firstOffset),
  );
  const open = new Set<bigint>();
  return {
    isKept(batch: RecordsBatch, first: number): boolean {
      while (waiting[0] !== undefined && Number(waiting[0].firstOffset) <= first)
        open.add(waiting.shift()!.producerId);
      if ((batch.attributes & isControl) !== 0) {
        const key = batch.records[0]?.key;
        if (key != null && key.length >= 4 && key.readInt16BE(2) === abortType)
          open.delete(batch.producerId);
        return false;
      }
      return (batch.attributes & isTransactional) === 0 || !open.has(batch.producerId);
    },
  };
}

function messageOf(
  batch: RecordsBatch,
  record: RecordsBatch["records"][number],
  offset: number,
): KafkaMessage {
  const isAppendTime = (batch.attributes & hasAppendTime) !== 0;
  const timestamp = isAppendTime
    ? batch.maxTimestamp
    : batch.firstTimestamp + record.timestampDelta;
  const header = record.headers.find(
    ([name]) => name?.toString("latin1").toLowerCase() === contentTypeHeader,
  );
  return {
    offset,
    timestampMs: timestamp < 0n || timestamp > latestMs ? null : Number(timestamp),
    value: record.value ?? null,
    contentType: header?.[1]?.toString("latin1"),
    leaderEpoch: batch.partitionLeaderEpoch,
  };
}
