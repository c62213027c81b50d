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
    [{ ...brokers, kafkaTopics: "orders" }, 'found "orders"'],
    [{ ...brokers, kafkaTopics: "or ders=a" }, 'found "or ders=a"'],
    [{ ...brokers, kafkaTopics: "a=" }, 'found "a="'],
    [{ ...brokers, kafkaTopics: "a=b,a=c" }, "the topic a is there twice"],
  ])("%j is refused", async (flags, expected) => {
    await expect(resolveSettings(flags, {})).rejects.toThrow(expected);
  });
});
