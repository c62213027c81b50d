import type { KafkaTopic } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { type BatchBody, bodyOf, cutBatch, keyOfBatch, messageAt } from "./messageBatch.js";
import type { KafkaMessage } from "./messages.js";

const topic: KafkaTopic = { topic: "orders", table: "orders" };

function message(offset: number, value: string | null, parts: Partial<KafkaMessage> = {}) {
  return {
    ...{ offset, timestampMs: 1_000 * offset, contentType: undefined, leaderEpoch: 4 },
    value: value === null ? null : Buffer.from(value),
    ...parts,
  };
}

const textOf = (messages: readonly KafkaMessage[], settings = topic): string =>
  String((bodyOf(messages, settings) as BatchBody).bytes);

describe("a batch of messages", () => {
  test("ends before its rows are more than a thousand", () => {
    const three = `{"a":1}\n{"a":2}\n{"a":3}`;
    const waiting = Array.from({ length: 400 }, (_, i) => message(i, three));
    const batch = cutBatch(waiting, topic, 400);
    expect(batch).toMatchObject({ first: 0, end: 333 });
    expect(batch.messages).toHaveLength(333);
  });

  test("has one message of more rows alone", () => {
    const many = message(7, '{"a":1}\n'.repeat(2_000));
    expect(cutBatch([many, message(9, "{}")], topic, 10)).toMatchObject({ first: 7, end: 9 });
  });

  test("reaches behind offsets that are no messages", () => {
    expect(cutBatch([message(3, "{}")], topic, 6)).toMatchObject({ first: 3, end: 6 });
  });

  test.each([
    ["a body of its own", message(1, "[{}]")],
    ["another type", message(1, "a b", { contentType: "text/plain" })],
    ["a type that is not read", message(1, "a", { contentType: "image/png" })],
  ])("ends before %s", (_what, other) => {
    const waiting = [message(0, "{}"), other, message(2, "{}")];
    expect(cutBatch(waiting, topic, 3)).toMatchObject({ first: 0, end: 1 });
    expect(cutBatch(waiting.slice(1), topic, 3)).toMatchObject({ first: 1, end: 2 });
  });

  test("of raw lines spans a second of messages", () => {
    const raw = { ...topic, contentType: "text/plain" };
    const waiting = [0, 1, 2].map((i) => message(i, "line"));
    expect(cutBatch(waiting, raw, 3)).toMatchObject({ first: 0, end: 2 });
  });

  test("knows the message of each line", () => {
    const messages = [message(4, "{}\n{}"), message(5, null), message(6, '{\n"a": 1\n}\n')];
    const body = bodyOf(messages, topic) as BatchBody;
    expect(String(body.bytes)).toBe('{}\n{}\n{ "a": 1 }\n');
    expect([1, 2, 3].map((line) => messageAt(body, line).offset)).toEqual([4, 4, 6]);
  });

  test("has a key that only the same messages have", () => {
    const place = { source: "s", topic: "orders", partition: 2 };
    const batch = { first: 10, end: 20, messages: [message(10, "{}")] };
    expect(keyOfBatch(place, "0123456789", batch)).toBe("kafka/s/orders/01234567/2/10-19.4");
    const long = keyOfBatch({ ...place, topic: "t".repeat(249) }, "0123456789", batch);
    expect(long.length).toBeLessThan(100);
    expect(long).not.toBe(keyOfBatch({ ...place, topic: "t".repeat(248) }, "0123456789", batch));
  });
});

describe("rows with the time of their message", () => {
  const timed: KafkaTopic = { ...topic, timeFrom: "message", time: "at" };
  test.each([
    ['{"n":1}', '{"at":"1970-01-01T00:00:05.000Z","n":1}'],
    [" { } ", '{"at":"1970-01-01T00:00:05.000Z" }'],
    ['{"at":7}', '{"at":7}'],
    ['{"at":null}', '{"at":null}'],
    ['{"n":{"at":7}}', '{"at":"1970-01-01T00:00:05.000Z","n":{"at":7}}'],
    ['{"n":1}\n\n{"at":2}', '{"at":"1970-01-01T00:00:05.000Z","n":1}\n\n{"at":2}'],
    ["no row", "no row"],
  ])("%j", (value, expected) => {
    expect(textOf([message(5, value)], timed)).toBe(`${expected}\n`);
  });

  test("have none where their message has none", () => {
    expect(textOf([message(5, "{}", { timestampMs: null })], timed)).toBe("{}\n");
  });
});
