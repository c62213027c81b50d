import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Admin, Consumer, Producer } from "@platformatic/kafka";
import { assignPartitions } from "../../src/ingest/source/kafka/assignPartitions.js";
import { freePort } from "../../test/support/freePort.js";
import {
  kafkaClusterId,
  kafkaJavaOptions,
  kafkaProperties,
  printProperties,
} from "../../test/support/kafkaBroker.js";
import { waitUntil } from "../../test/support/waitUntil.js";

const waitMsMax = 180_000;
const retries = 20;

/** Brokers that hold copies of each other's messages. */
export interface KafkaCluster {
  readonly addresses: readonly string[];
  createTopic(topic: string, partitions: number): Promise<void>;
  addPartitions(topic: string, partitions: number): Promise<void>;
  /** Resolves when two brokers have them. */
  send(topic: string, messages: readonly { value: string; partition: number }[]): Promise<void>;
  /** As by `kill -9`. Resolves with which it was when another one leads; nothing may be on its way. */
  killLeader(topic: string, partition: number): Promise<number>;
  /** Resolves when it has all messages again. */
  start(broker: number, topic: string): Promise<void>;
  /** A member of the group that gets partitions, reads nothing of them and leaves again. */
  passThroughGroup(group: string, topic: string): Promise<void>;
  /** Ends them and removes their data. */
  remove(): Promise<void>;
}

interface Broker {
  readonly address: string;
  readonly file: string;
  process: ChildProcess | null;
}

/** Starts `count` brokers, each with a copy of every partition. */
export async function startKafkaCluster(count: number): Promise<KafkaCluster> {
  const home = await mkdtemp(join(tmpdir(), "hadal-kafka-"));
  const brokers = await formatBrokers(home, count);
  const addresses = [...brokers.values()].map(({ address }) => address);
  const client = { clientId: "bench", bootstrapBrokers: addresses, retries, retryDelay: 100 };
  const admin = new Admin(client);
  // What is sent again after an answer was lost is stored once.
  const producer = new Producer({ ...client, idempotent: true });
  for (const broker of brokers.values()) run(broker);

  const brokerOf = (id: number): Broker => {
    const broker = brokers.get(id);
    if (broker === undefined) throw new Error(`broker ${id} is unknown`);
    return broker;
  };
  const partitionsOf = async (topic: string) => {
    const metadata = await admin.metadata({ topics: [topic], forceUpdate: true }).catch(() => null);
    return metadata?.topics.get(topic)?.partitions ?? [];
  };
  const leaderOf = async (topic: string, partition: number): Promise<number> =>
    (await partitionsOf(topic))[partition]?.leader ?? -1;
  const untilWhole = (topic: string, partitions?: number): Promise<true> =>
    waitUntil(
      "all brokers to have all messages",
      async () => {
        const found = await partitionsOf(topic);
        const isWhole = found.every(({ leader, isr }) => leader >= 0 && isr.length === count);
        return found.length >= (partitions ?? 1) && isWhole ? true : null;
      },
      waitMsMax,
    );
  await waitUntil(
    "brokers that answer",
    async () => {
      const metadata = await admin.metadata({ topics: [], forceUpdate: true }).catch(() => null);
      return metadata?.brokers.size === count ? true : null;
    },
    waitMsMax,
  );
  return {
    addresses,
    async createTopic(topic, partitions) {
      const configs = [{ name: "min.insync.replicas", value: "2" }];
      await admin.createTopics({ topics: [topic], partitions, replicas: count, configs });
      await untilWhole(topic, partitions);
    },
    async addPartitions(topic, partitions) {
      const brokerIds = [...brokers.keys()];
      const assignments = [{ brokerIds }];
      await admin.createPartitions({ topics: [{ name: topic, count: partitions, assignments }] });
      await untilWhole(topic, partitions);
    },
    async send(topic, messages) {
      const sent = messages.map(({ value, partition }) => ({
        ...{ topic, partition, value: Buffer.from(value) },
      }));
      // The client keeps to a leader that is gone.
      await producer.metadata({ topics: [topic], forceUpdate: true });
      await producer.send({ acks: -1, messages: sent as never });
    },
    async killLeader(topic, partition) {
      const id = await leaderOf(topic, partition);
      await end(brokerOf(id));
      await waitUntil(
        "another leader",
        async () => {
          const next = await leaderOf(topic, partition);
          return next >= 0 && next !== id ? true : null;
        },
        waitMsMax,
      );
      return id;
    },
    async start(id, topic) {
      run(brokerOf(id));
      await untilWhole(topic);
    },
    async passThroughGroup(group, topic) {
      const consumer = new Consumer({
        ...{ clientId: "visitor", groupId: group, bootstrapBrokers: addresses, autocommit: false },
        ...{
          sessionTimeout: 6_000,
          rebalanceTimeout: 6_000,
          heartbeatInterval: 1_000,
          retries: 20,
        },
        partitionAssigner: assignPartitions,
      });
      consumer.topics.trackAll(topic);
      await consumer.joinGroup({});
      await waitUntil(
        "a partition for the visitor",
        async () => ((consumer.assignments ?? []).length > 0 ? true : null),
        waitMsMax,
      );
      await consumer.leaveGroup(true);
      await consumer.close(true);
    },
    async remove() {
      await Promise.allSettled([admin.close(), producer.close()]);
      await Promise.all([...brokers.values()].map(end));
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function formatBrokers(home: string, count: number): Promise<ReadonlyMap<number, Broker>> {
  const ids = Array.from({ length: count }, (_, i) => i + 1);
  const ports = await Promise.all(
    ids.map(async (id) => ({ id, port: await freePort(), controller: await freePort() })),
  );
  const voters = ports.map(({ id, controller }) => `${id}@127.0.0.1:${controller}`).join(",");
  const brokers = new Map<number, Broker>();
  for (const { id, port, controller } of ports) {
    const address = `127.0.0.1:${port}`;
    const plain = kafkaProperties(address, controller, join(home, `data-${id}`));
    // Several voters are named each.
    const { "controller.quorum.bootstrap.servers": _, ...alone } = plain;
    const file = join(home, `server-${id}.properties`);
    const shared = {
      "node.id": id,
      "controller.quorum.voters": voters,
      "offsets.topic.replication.factor": count,
      "transaction.state.log.replication.factor": count,
      "broker.session.timeout.ms": 6_000,
    };
    await writeFile(file, printProperties({ ...alone, ...shared }));
    const format = ["format", "-t", kafkaClusterId, "-c", file];
    const formatted = spawnSync("java", [
      ...kafkaJavaOptions,
      "kafka.tools.StorageTool",
      ...format,
    ]);
    if (formatted.status !== 0) throw new Error(`${formatted.stdout}${formatted.stderr}`);
    brokers.set(id, { address, file, process: null });
  }
  return brokers;
}

function run(broker: Broker): void {
  broker.process = spawn("java", [...kafkaJavaOptions, "kafka.Kafka", broker.file], {
    stdio: "ignore",
  });
}

async function end(broker: Broker): Promise<void> {
  const ending = broker.process;
  broker.process = null;
  if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
  const ended = once(ending, "exit");
  ending.kill("SIGKILL");
  await ended;
}
