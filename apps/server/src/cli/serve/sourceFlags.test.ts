import { describe, expect, test } from "vitest";
import { resolveSettings } from "./serveSettings.js";

describe("topics of Kafka", () => {
  test("are read from flags and from the environment", async () => {
    const flags = { kafkaTopics: "orders=orders, web.logs=requests=1" };
    const environment = { HADAL_KAFKA_BROKERS: "kafka-1:9092, [::1]:9093" };
    expect((await resolveSettings(flags, environment)).kafka).toEqual({
      kind: "kafka",
      brokers: ["kafka-1:9092", "[::1]:9093"],
      group: "hadal",
      topics: [
        { topic: "orders", table: "orders" },
        { topic: "web.logs", table: "requests=1" },
      ],
    });
    expect((await resolveSettings({}, {})).kafka).toBeNull();
  });

  test("may be those of a cluster that is encrypted and asks who reads", async () => {
    const topics = { HADAL_KAFKA_BROKERS: "kafka-1:9093", HADAL_KAFKA_TOPICS: "a=b" };
    const flags = { kafkaTls: true, kafkaSasl: "SCRAM-SHA-512", kafkaUser: "hadal" };
    expect((await resolveSettings(flags, topics)).kafka).toMatchObject({
      ...{ tls: true, sasl: { mechanism: "SCRAM-SHA-512", username: "hadal" } },
    });
  });

  const brokers = { kafkaBrokers: "kafka-1:9092" };
  test.each([
    [brokers, "needs --kafka-topics"],
    [{ kafkaTopics: "a=a" }, "needs --kafka-brokers"],
    [{ kafkaGroup: "g" }, "--kafka-group needs"],
    [
      { kafkaBrokers: "kafka-1", kafkaTopics: "a=a" },
      'such as kafka-1:9092, with commas between; found "kafka-1"',
    ],
    [{ kafkaBrokers: "http://kafka-1:9092", kafkaTopics: "a=a" }, "found"],
    [{ kafkaTls: true }, "--kafka-tls needs"],
    [{ ...brokers, kafkaTopics: "a=b", kafkaUser: "u" }, "need each other"],
    [{ ...brokers, kafkaTopics: "a=b", kafkaSasl: "SCRAM-SHA-512" }, "need each other"],
    [
      { ...brokers, kafkaTopics: "a=b", kafkaSasl: "GSSAPI", kafkaUser: "u" },
      'is PLAIN or SCRAM-SHA-256 or SCRAM-SHA-512; found "GSSAPI"',
    ],
    [{ ...brokers, kafkaTopics: "a=b", kafkaSasl: "PLAIN", kafkaUser: "u" }, "needs --kafka-tls"],
    [{ ...brokers, kafkaTopics: "orders" }, 'found "orders"'],
    [{ ...brokers, kafkaTopics: "or ders=a" }, 'found "or ders=a"'],
    [{ ...brokers, kafkaTopics: "a=" }, 'found "a="'],
    [{ ...brokers, kafkaTopics: "a=b,a=c" }, "the topic a is there twice"],
  ])("%j is refused", async (flags, expected) => {
    await expect(resolveSettings(flags, {})).rejects.toThrow(expected);
  });
});
