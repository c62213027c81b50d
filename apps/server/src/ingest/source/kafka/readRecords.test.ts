import { expect, test } from "vitest";
import { readRecords } from "./readRecords.js";

type Partition = Parameters<typeof readRecords>[0];
type Batch = NonNullable<Partition["records"]>[number];

const transactional = 16;
const control = 32;

function batch(
  firstOffset: number,
  parts: Partial<Batch> & { readonly count?: number } = {},
): Batch {
  const { count = 2, ...given } = parts;
  return {
    ...{ firstOffset: BigInt(firstOffset), length: 0, partitionLeaderEpoch: 3, magic: 2, crc: 0 },
    ...{ attributes: 0, lastOffsetDelta: count - 1, firstTimestamp: 100n, maxTimestamp: 200n },
    ...{ producerId: 1n, producerEpoch: 0, firstSequence: 0 },
    records: Array.from({ length: count }, (_, i) => ({
      ...{ length: 0, attributes: 0, timestampDelta: BigInt(i), offsetDelta: i, key: null },
      ...{ value: Buffer.from(`${firstOffset + i}`), headers: [] },
    })),
    ...given,
  };
}

/** Ends a transaction; type 0 aborts it. */
const marker = (offset: number, type: 0 | 1, producerId = 1n): Batch => {
  const key = Buffer.from([0, 0, 0, type]);
  const one = batch(offset, { count: 1, attributes: control | transactional, producerId });
  return { ...one, records: [{ ...one.records[0]!, key }] };
};

const partition = (records: Batch[], aborted: [bigint, number][] = []): Partition => ({
  ...{ partitionIndex: 0, errorCode: 0, highWatermark: 99n, lastStableOffset: 99n },
  ...{ logStartOffset: 0n, preferredReadReplica: -1, records },
  abortedTransactions: aborted.map(([producerId, first]) => ({
    producerId,
    firstOffset: BigInt(first),
  })),
});

const offsetsOf = (given: Partition, from: number) =>
  readRecords(given, from).messages.map(({ offset }) => offset);

test("messages before the one that was asked for are left out", () => {
  const read = readRecords(partition([batch(4), batch(6)]), 5);
  expect(read.messages.map(({ offset, timestampMs }) => [offset, timestampMs])).toEqual([
    [5, 101],
    [6, 100],
    [7, 101],
  ]);
  expect(read).toMatchObject({ readTo: 8, bytes: 3 });
});

test("what was aborted is left out, what the same producer committed is not", () => {
  const records = [
    batch(0, { attributes: transactional }),
    marker(2, 1),
    batch(3, { attributes: transactional }),
    batch(5, { attributes: transactional, producerId: 2n }),
    marker(7, 0),
    batch(8, { attributes: transactional }),
    marker(10, 1, 2n),
    marker(11, 1),
  ];
  const given = partition(records, [[1n, 3]]);
  expect(offsetsOf(given, 0)).toEqual([0, 1, 5, 6, 8, 9]);
  expect(readRecords(given, 0).readTo).toBe(12);
});

test("a transaction that was aborted in an earlier fetch's place, and an empty one, are known", () => {
  const open = partition([batch(4, { attributes: transactional })], [[1n, 2]]);
  expect(offsetsOf(open, 4)).toEqual([]);
  expect(readRecords(open, 4).readTo).toBe(6);
  expect(offsetsOf(partition([marker(0, 0), batch(1)]), 0)).toEqual([1, 2]);
});

test("a topic may give messages the time at which they came; some have none", () => {
  const appended = partition([batch(0, { attributes: 8, count: 1 })]);
  expect(readRecords(appended, 0).messages[0]?.timestampMs).toBe(200);
  const none = partition([batch(0, { firstTimestamp: -1n, count: 1 })]);
  expect(readRecords(none, 0).messages[0]?.timestampMs).toBeNull();
});

test("offsets that compaction has emptied are passed", () => {
  const compacted = partition([batch(0, { count: 1, lastOffsetDelta: 9 })]);
  expect(readRecords(compacted, 0)).toMatchObject({ readTo: 10 });
});
