import { setTimeout as sleep } from "node:timers/promises";
import { sourceGroupDefault } from "@hadal/sdk";
import { isKafkaThere } from "../../test/support/kafkaBroker.js";
import { type KafkaCluster, startKafkaCluster } from "./kafkaCluster.js";
import type { Say } from "./machines/machineFault.js";
import { type OwnServer, startOwnServer } from "./ownServer.js";

const topic = "orders";
const brokerCount = 3;
const waves = 6;
const waveMessages = 20_000;
const sendMessages = 1_000;
const partitions = 3;

async function untilRead({ client }: OwnServer, messages: number): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const { sources } = await client.status();
    const own = sources[0];
    const read = own?.partitions.reduce((sum, { offset }) => sum + offset, 0) ?? 0;
    if (read > messages) throw new Error(`${read} messages were read of ${messages}`);
    if (read === messages && own?.lagRows === 0) return performance.now() - startMs;
    await sleep(50);
  }
}

/** Sends numbered messages, evenly over partitions. */
class Sender {
  sent = 0;
  readonly nowMs = Date.now();
  readonly #cluster: KafkaCluster;

  constructor(cluster: KafkaCluster) {
    this.#cluster = cluster;
  }

  async wave(among: number): Promise<void> {
    for (let end = this.sent + waveMessages; this.sent < end; this.sent += sendMessages)
      await this.#cluster.send(
        topic,
        Array.from({ length: sendMessages }, (_, i) => ({
          value: JSON.stringify({ time: this.nowMs - this.sent - i, n: this.sent + i }),
          partition: i % among,
        })),
      );
  }
}

/**
 * Of three brokers the leader of a partition is killed while messages are read, and started again; a
 * member comes to the group and leaves; a partition is added.
 */
export async function lostBroker(say: Say): Promise<void> {
  if (!isKafkaThere) {
    say("F16 not measured: there is no Java, or Kafka was not fetched");
    return;
  }
  const cluster = await startKafkaCluster(brokerCount);
  try {
    await readThroughFaults(cluster, say);
  } finally {
    await cluster.remove();
  }
}

async function readThroughFaults(cluster: KafkaCluster, say: Say): Promise<void> {
  await cluster.createTopic(topic, partitions);
  const brokers = cluster.addresses.join(",");
  const args = ["--kafka-brokers", brokers, "--kafka-topics", `${topic}=orders`];
  const server = await startOwnServer({ args });
  const sender = new Sender(cluster);
  await sender.wave(partitions);
  await untilRead(server, sender.sent);
  const backMs: number[] = [];
  for (let wave = 0; wave < waves; wave++) {
    await sender.wave(partitions);
    const killedAtMs = performance.now();
    const killed = await cluster.killLeader(topic, wave % partitions);
    await untilRead(server, sender.sent);
    backMs.push(performance.now() - killedAtMs);
    await cluster.start(killed, topic);
  }
  await Promise.all([cluster.passThroughGroup(sourceGroupDefault, topic), sender.wave(partitions)]);
  const visitedMs = await untilRead(server, sender.sent);
  await cluster.addPartitions(topic, partitions + 1);
  await sender.wave(partitions + 1);
  const addedMs = await untilRead(server, sender.sent);
  const { rows } = await server.client.query({
    ...{ table: "orders", from: sender.nowMs - 1e7, to: sender.nowMs + 1, exact: true },
    aggregates: [{ fn: "count" }, { fn: "distinct", column: "n" }],
  });
  const [count, distinct] = [Number(rows[0]?.[0]), Number(rows[0]?.at(-1))];
  const { sent } = sender;
  if (count !== sent || distinct !== sent)
    throw new Error(`${count} rows, ${distinct} different ones, of ${sent} messages`);
  const inS = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  say(
    `F16 of ${brokerCount} brokers a leader killed ${waves} times: ${sent} messages, lost 0, twice 0; lag back to 0 at most ${inS(Math.max(...backMs))} after the kill, ${inS(visitedMs)} after another member came and left, ${inS(addedMs)} after a partition more`,
  );
  await server.stop();
}
