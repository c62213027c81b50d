import { setTimeout as sleep } from "node:timers/promises";
import { isKafkaThere, startKafka } from "../../test/support/kafkaBroker.js";
import type { Say } from "./machines/machineFault.js";
import { type OwnServer, startOwnServer } from "./ownServer.js";

const topic = "orders";
const waves = 6;
const waveMessages = 20_000;
const sendMessages = 1_000;
const partitions = 3;

async function stateOf({ client }: OwnServer): Promise<string> {
  const { sources } = await client.status();
  return sources[0]?.state ?? "none";
}

async function untilRead({ client }: OwnServer, messages: number): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const { sources } = await client.status();
    const own = sources[0];
    const read = own?.partitions.reduce((sum, { offset }) => sum + offset, 0) ?? 0;
    if (read === messages && own?.lagRows === 0) return performance.now() - startMs;
    await sleep(50);
  }
}

/** A broker is killed and started again, and gets partitions, while its messages are read. */
export async function lostBroker(say: Say): Promise<void> {
  if (!isKafkaThere) {
    say("F16 not measured: there is no Java, or Kafka was not fetched");
    return;
  }
  const broker = await startKafka();
  await broker.createTopic(topic, { partitions });
  const args = ["--kafka-brokers", broker.address, "--kafka-topics", `${topic}=orders`];
  const server = await startOwnServer({ args });
  const nowMs = Date.now();
  let sent = 0;
  const sendWave = async (among: number): Promise<void> => {
    for (let end = sent + waveMessages; sent < end; sent += sendMessages)
      await broker.send(
        topic,
        Array.from({ length: sendMessages }, (_, i) => ({
          value: JSON.stringify({ time: nowMs - sent - i, n: sent + i }),
          partition: i % among,
        })),
      );
  };
  const backMs: number[] = [];
  for (let wave = 0; wave < waves; wave++) {
    await sendWave(partitions);
    await broker.kill();
    while ((await stateOf(server)) !== "away") await sleep(50);
    await broker.start();
    backMs.push(await untilRead(server, sent));
  }
  await broker.addPartitions(topic, partitions + 1);
  await sendWave(partitions + 1);
  const rebalancedMs = await untilRead(server, sent);
  const { rows } = await server.client.query({
    ...{ table: "orders", from: nowMs - 1e7, to: nowMs + 1, exact: true },
    aggregates: [{ fn: "count" }, { fn: "distinct", column: "n" }],
  });
  const [count, distinct] = [Number(rows[0]?.[0]), Number(rows[0]?.at(-1))];
  if (count !== sent || distinct !== sent)
    throw new Error(`${count} rows, ${distinct} different ones, of ${sent} messages`);
  say(
    `F16 a broker killed ${waves} times: ${sent} messages, lost 0, twice 0; lag back to 0 at most ${(Math.max(...backMs) / 1_000).toFixed(1)} s after it answers, ${(rebalancedMs / 1_000).toFixed(1)} s after a partition more`,
  );
  await server.stop();
  await broker.remove();
}
