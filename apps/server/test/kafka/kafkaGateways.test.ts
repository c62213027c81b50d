import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allTime } from "../support/allTime.js";
import {
  brokerHookMs,
  isKafkaThere,
  type KafkaBroker,
  startKafka,
} from "../support/kafkaBroker.js";
import { type ClusterGateway, type Machines, startMachines } from "../support/startMachines.js";
import { waitUntil } from "../support/waitUntil.js";

const nowMs = Date.now();
const partitions = 4;
const waitMsMax = 40_000;

describe.skipIf(!isKafkaThere)("a topic that two gateways read", () => {
  let broker: KafkaBroker;
  let machines: Machines;
  let first: ClusterGateway;
  let sent = 0;
  beforeAll(async () => {
    [broker, machines] = await Promise.all([startKafka(), startMachines()]);
    await broker.createTopic("orders", { partitions });
    await machines.startAggregator(1, ["--copies", "1"]);
    first = await machines.startGateway(98);
    await first.client.sources.set("orders", {
      ...{ kind: "kafka", brokers: [broker.address] },
      topics: [{ topic: "orders", table: "orders" }],
    });
  }, brokerHookMs);
  afterAll(async () => {
    await machines?.remove();
    await broker?.remove();
  });

  async function send(count: number): Promise<void> {
    const messages = Array.from({ length: count }, (_, i) => ({
      value: JSON.stringify({ time: nowMs - i, n: sent + i }),
      partition: i % partitions,
    }));
    await broker.send("orders", messages);
    sent += count;
  }

  /** How many partitions each gateway reads, by what one of them says of all, once all is read. */
  const whenRead = ({ client }: ClusterGateway): Promise<ReadonlyMap<string, number>> =>
    waitUntil(
      "all messages",
      async () => {
        const status = await client.status().catch(() => null);
        const [source] = status?.sources ?? [];
        const read = source?.partitions.reduce((sum, { offset }) => sum + offset, 0);
        if (source === undefined || read !== sent) return null;
        const counts = new Map<string, number>();
        for (const { gateway } of source.partitions)
          counts.set(gateway, (counts.get(gateway) ?? 0) + 1);
        return counts;
      },
      waitMsMax,
    );

  async function expectOnce({ client }: ClusterGateway): Promise<void> {
    const { rows } = await waitUntil("an answer", () =>
      client
        .query({
          ...{ table: "orders", ...allTime, exact: true, timeoutMs: 20_000 },
          groupBy: ["n"],
          aggregates: [{ fn: "count", as: "rows" }],
          orderBy: [{ by: "n" }],
        })
        .catch(() => null),
    );
    expect(rows.filter(([, count]) => count !== 1)).toEqual([]);
    expect(rows.map(([n]) => n)).toEqual(Array.from({ length: sent }, (_, i) => i));
  }

  test("has each message once while they come, stand still, go on, and are killed", async () => {
    await send(4_000);
    expect(await whenRead(first)).toEqual(new Map([["m98-gateway", partitions]]));
    const second = await machines.startGateway(99);
    for (let wave = 0; wave < 10; wave++) await send(400);
    await waitUntil(
      "both to read",
      async () => {
        await send(40);
        return (await whenRead(second)).size === 2 ? true : null;
      },
      waitMsMax,
    );
    await expectOnce(first);
    // It stands still with a batch on its way, until the other has its partitions.
    await send(2_000);
    first.process.child.kill("SIGSTOP");
    await send(2_000);
    expect((await whenRead(second)).get("m99-gateway")).toBe(partitions);
    first.process.child.kill("SIGCONT");
    for (let wave = 0; wave < 10; wave++) await send(400);
    await whenRead(second);
    await expectOnce(second);
    await send(2_000);
    second.process.child.kill("SIGKILL");
    await send(2_000);
    expect((await whenRead(first)).get("m98-gateway")).toBe(partitions);
    await expectOnce(first);
  }, 120_000);
});
