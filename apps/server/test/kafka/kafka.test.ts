import type { SourceStatus } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askAll } from "../support/allTime.js";
import {
  brokerHookMs,
  isKafkaThere,
  type KafkaBroker,
  type SentMessage,
  startKafka,
} from "../support/kafkaBroker.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const nowMs = Date.now();
const waitMsMax = 40_000;

describe.skipIf(!isKafkaThere)("topics of a Kafka broker", () => {
  let broker: KafkaBroker;
  let cluster: Cluster;
  beforeAll(async () => {
    broker = await startKafka();
    await broker.createTopic("flags", { partitions: 2 });
    cluster = await startCluster({
      leaves: 2,
      environment: {
        HADAL_KAFKA_BROKERS: broker.address,
        HADAL_KAFKA_TOPICS: "flags=flag_rows",
        HADAL_KAFKA_GROUP: "readers",
      },
    });
  }, brokerHookMs);
  afterAll(async () => {
    await cluster?.stop();
    await broker?.remove();
  });

  async function statusOf(id: string): Promise<SourceStatus | undefined> {
    const { sources } = await cluster.client.status().catch(() => ({ sources: [] }));
    return sources.find((source) => source.id === id);
  }

  /** Resolves when all that is in its topics has been read. */
  const whenRead = (id: string, messages: number): Promise<SourceStatus> =>
    waitUntil(
      `all messages of ${id}`,
      async () => {
        const status = await statusOf(id);
        const read = status?.partitions.reduce((sum, { offset }) => sum + offset, 0);
        return status !== undefined && read === messages && status.lagRows === 0 ? status : null;
      },
      waitMsMax,
    );

  /** The values of a column, each as often as it is there. */
  async function valuesOf(table: string, column: string): Promise<unknown[]> {
    const { rows, truncated } = await askAll(cluster, table, {
      groupBy: [column],
      aggregates: [{ fn: "count", as: "rows" }],
      orderBy: [{ by: column }],
    });
    expect(truncated).toBeNull();
    return rows.flatMap(([value, count]) => new Array(Number(count)).fill(value));
  }

  const setSource = (id: string, topics: readonly object[], group = id) =>
    cluster.client.sources.set(id, {
      ...{ kind: "kafka", brokers: [broker.address], group },
      topics: topics as never,
    });

  const numbered = (count: number, partitions = 1, from = 0): SentMessage[] =>
    Array.from({ length: count }, (_, i) => ({
      value: JSON.stringify({ time: nowMs - i, n: from + i }),
      partition: i % partitions,
    }));

  const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

  test("that the flags name are read into their tables; offsets are committed", async () => {
    await broker.send("flags", numbered(3_000, 2));
    await whenRead("kafka", 3_000);
    expect(await valuesOf("flag_rows", "n")).toEqual(upTo(3_000));
    await waitUntil("committed offsets", async () => {
      const committed = await Promise.all(
        [0, 1].map((p) => broker.committed("readers", "flags", p)),
      );
      return committed.every((offset) => offset === 1_500) ? true : null;
    });
    const metrics = await (await fetch(`${cluster.url}/metrics`)).text();
    expect(metrics).toContain('hadal_source_lag_rows{source="kafka",topic="flags"} 0');
    await expect(cluster.client.sources.delete("kafka")).rejects.toMatchObject({
      code: "source-fixed",
    });
  });

  test("are read in every form; what is no row is listed by its offset, and the others go on", async () => {
    await broker.createTopic("forms");
    const time = new Date(nowMs).toISOString();
    const csv = { "content-type": "text/csv" };
    await broker.send("forms", [
      { value: JSON.stringify({ time, n: 0 }) },
      { value: `${JSON.stringify({ time, n: 1 })}\n${JSON.stringify({ time, n: 2 })}\n` },
      { value: JSON.stringify({ time, n: 3, deep: { text: "a\nb" } }, null, 2) },
      { value: JSON.stringify([4, 5].map((n) => ({ time, n }))) },
      { value: null },
      { value: "no JSON at all" },
      { value: JSON.stringify({ n: 6 }), timestampMs: nowMs - 60_000 },
      { value: `n,time\n7,${time}\n8,${time}\n`, headers: csv },
      { value: Buffer.from([0xff, 0xfe, 0x7b, 0]) },
      { value: "bytes", headers: { "Content-Type": "image/png" } },
      { value: `{"time":"${time}","n":9007199254740993}` },
      { value: "   " },
      { value: JSON.stringify({ time, n: 9 }) },
    ]);
    await setSource("forms", [{ topic: "forms", table: "forms" }]);
    const status = await whenRead("forms", 13);
    expect(await valuesOf("forms", "n")).toEqual([
      ...[0, 1, 2, 3, 4, 5, 7, 8, 9],
      9007199254740993n,
    ]);
    expect(await valuesOf("forms", "deep.text")).toContain("a\nb");
    expect(status).toMatchObject({ state: "reading", accepted: 10, rejected: 4 });
    expect(status.problems.map(({ offset, code }) => [offset, code]).sort()).toEqual([
      [5, "invalid-json"],
      [6, "time-missing"],
      [8, "body-undecodable"],
      [9, "unsupported-media-type"],
    ]);
  });

  test("give rows the time of their messages where a source says so", async () => {
    await broker.createTopic("times", { configs: { "compression.type": "zstd" } });
    const own = nowMs - 5_000;
    await broker.send("times", [
      { value: '{"n":0}', timestampMs: nowMs - 60_000 },
      { value: `{"n":1,"at":${own}}`, timestampMs: nowMs - 60_000 },
      { value: " {}", timestampMs: nowMs - 61_000 },
      { value: '{"n":2,"note":"\\"at\\""}\n{"n":3}', timestampMs: nowMs - 62_000 },
    ]);
    await setSource("times", [
      { topic: "times", table: "times", time: "at", timeFrom: "message", timeUnit: "ms" },
    ]);
    await whenRead("times", 4);
    const { rows } = await askAll(cluster, "times", {
      sampleView: { columns: ["time", "n"] },
    } as never);
    const byTime = rows.map(([at, n]) => [Number(at) - nowMs, n]);
    expect(byTime).toHaveLength(5);
    expect(byTime).toEqual(
      expect.arrayContaining([
        [-60_000, 0],
        [-5_000, 1],
        [-61_000, null],
        [-62_000, 2],
        [-62_000, 3],
      ]),
    );
  });

  test("that do not exist yet, and partitions that are added, are found", async () => {
    await setSource("later", [{ topic: "later", table: "later" }]);
    await waitUntil("its state", async () => {
      const status = await statusOf("later");
      return status?.state === "failed" && status.reason?.includes("later") ? true : null;
    });
    await broker.createTopic("later");
    await broker.send("later", numbered(10));
    await whenRead("later", 10);
    await broker.addPartitions("later", 2);
    await waitUntil("the new partition", () =>
      broker
        .send("later", [{ ...numbered(1, 1, 10)[0]!, partition: 1 }])
        .then(() => true)
        .catch(() => null),
    );
    await whenRead("later", 11);
    expect(await valuesOf("later", "n")).toEqual(upTo(11));
  });

  test("that are deleted and made again begin again", async () => {
    await broker.createTopic("again");
    await broker.send("again", numbered(20));
    await setSource("again", [{ topic: "again", table: "again" }]);
    await whenRead("again", 20);
    await broker.deleteTopic("again");
    await waitUntil("the topic to be missed", async () =>
      (await statusOf("again"))?.state === "failed" ? true : null,
    );
    await broker.createTopic("again");
    await broker.send("again", numbered(5, 1, 20));
    await waitUntil("its new rows", async () =>
      (await valuesOf("again", "n")).length === 25 ? true : null,
    );
    expect(await valuesOf("again", "n")).toEqual(upTo(25));
  });

  test("are read once, however often gateway, leaves and broker are killed", async () => {
    await broker.createTopic("kills", { partitions: 3 });
    await setSource("kills", [{ topic: "kills", table: "kills" }]);
    const count = 8_000;
    const waves = 8;
    const each = count / waves;
    for (let wave = 0; wave < waves; wave++) {
      await broker.send("kills", numbered(each, 3, wave * each));
      const kill = wave % 4;
      if (kill === 0) process.kill(await gatewayPid(), "SIGKILL");
      if (kill === 1) process.kill(await leafPid((wave >> 2) % 2), "SIGKILL");
      if (kill === 2 && wave === 6) {
        await broker.kill();
        await waitUntil("the source to miss its broker", async () =>
          (await statusOf("kills"))?.state === "away" ? true : null,
        );
        await broker.start();
      }
    }
    const status = await whenRead("kills", count);
    expect(status.problems).toEqual([]);
    const values = await waitUntil("all leaves", () => valuesOf("kills", "n").catch(() => null));
    expect(values).toEqual(upTo(count));
  }, 90_000);

  async function leafPid(index: number): Promise<number> {
    return waitUntil("a leaf", () =>
      cluster
        .leafPids()
        .then((pids) => [...pids.values()][index] || null)
        .catch(() => null),
    );
  }

  async function gatewayPid(): Promise<number> {
    return waitUntil("a gateway", () =>
      cluster
        .gatewayPid()
        .then((pid) => pid || null)
        .catch(() => null),
    );
  }
});
