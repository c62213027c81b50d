import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Admin, Producer } from "@platformatic/kafka";
import { freePort } from "./freePort.js";
import { waitUntil } from "./waitUntil.js";

/** Fetched by the tools (`.tools/lib/kafka.mjs`), which name it to what is bundled elsewhere. */
const folder =
  process.env.HADAL_TEST_KAFKA ??
  fileURLToPath(new URL("../../../../.cache/kafka-4.3.1", import.meta.url));

/** Whether a broker can be started here; `npm test` says what is missing. */
export const isKafkaThere =
  existsSync(folder) && spawnSync("java", ["-version"], { stdio: "ignore" }).status === 0;

export interface SentMessage {
  /** Null: a tombstone. */
  readonly value: string | Buffer | null;
  readonly partition?: number;
  readonly timestampMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A second address of a broker, encrypted, for readers that say who they are. */
export interface SecureListener {
  readonly address: string;
  /** Of the authority that has signed the broker's certificate. */
  readonly authorityFile: string;
}

export const kafkaUser = { name: "reader", password: "a secret; with signs: $" } as const;

/** A real broker, alone in its cluster. */
export interface KafkaBroker {
  readonly address: string;
  /** Null where it was not asked for. */
  readonly secure: SecureListener | null;
  createTopic(
    topic: string,
    options?: { readonly partitions?: number; readonly configs?: Readonly<Record<string, string>> },
  ): Promise<void>;
  deleteTopic(topic: string): Promise<void>;
  addPartitions(topic: string, partitions: number): Promise<void>;
  /** The first message goes to partition 0 unless it says otherwise. */
  send(topic: string, messages: readonly SentMessage[]): Promise<void>;
  /** What a group has committed. */
  committed(group: string, topic: string, partition: number): Promise<number>;
  /** As by `kill -9`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

const heapMiB = 256;
/** It takes 2 s, and far longer where many tests run at once. */
const startMsMax = 100_000;
/** For hooks of tests in which a broker starts. */
export const brokerHookMs = 150_000;
export const kafkaClusterId = "MkU3OEVBNTcwNTJENDM2Qg";

export async function startKafka({ isSecure = false } = {}): Promise<KafkaBroker> {
  const home = await mkdtemp(join(tmpdir(), "hadal-kafka-"));
  const [port, controllerPort] = [await freePort(), await freePort()];
  const address = `127.0.0.1:${port}`;
  const secure = isSecure
    ? { address: `localhost:${await freePort()}`, authorityFile: join(home, "authority.pem") }
    : null;
  const file = join(home, "server.properties");
  const plain = kafkaProperties(address, controllerPort, join(home, "data"));
  const properties =
    secure === null ? plain : { ...plain, ...securePropertiesOf(plain, secure.address, home) };
  await writeFile(file, printProperties(properties));
  if (secure !== null) createCertificate(home, secure.authorityFile);
  const scram = `SCRAM-SHA-512=[name=${kafkaUser.name},password=${kafkaUser.password}]`;
  const users = secure === null ? [] : ["--add-scram", scram];
  const format = ["format", "--standalone", "-t", kafkaClusterId, "-c", file, ...users];
  const formatted = spawnSync("java", [...kafkaJavaOptions, "kafka.tools.StorageTool", ...format]);
  if (formatted.status !== 0) throw new Error(String(formatted.stderr));
  let broker: ChildProcess | null = null;
  let output = "";
  const options = { clientId: "test", bootstrapBrokers: [address], retries: 20, retryDelay: 100 };
  // Both connect when they are first used.
  let admin = new Admin(options);
  let producer = new Producer(options);

  async function start(): Promise<void> {
    const started = spawn("java", [...kafkaJavaOptions, "kafka.Kafka", file]);
    broker = started;
    const note = (bytes: Buffer): void => {
      output = (output + String(bytes)).slice(-20_000);
    };
    started.stdout.on("data", note);
    started.stderr.on("data", note);
    admin = new Admin(options);
    producer = new Producer(options);
    await waitUntil(
      "a broker that answers",
      async () => {
        if (started.exitCode !== null) throw new Error(`the broker has ended: ${output}`);
        const metadata = await admin.metadata({ topics: [], forceUpdate: true }).catch(() => null);
        return metadata === null || metadata.brokers.size === 0 ? null : true;
      },
      startMsMax,
    );
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = broker;
    broker = null;
    await Promise.allSettled([admin.close(), producer.close()]);
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, "exit");
    ending.kill(signal);
    await ended;
  }

  const remove = async (): Promise<void> => {
    await end("SIGKILL");
    await rm(home, { recursive: true, force: true });
  };
  await start().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    ...{ address, secure },
    async createTopic(topic, { partitions = 1, configs = {} } = {}) {
      const settings = Object.entries(configs).map(([name, value]) => ({ name, value }));
      await admin.createTopics({ topics: [topic], partitions, replicas: 1, configs: settings });
      // A leader is elected a little later.
      await waitUntil("partitions with a leader", async () => {
        const metadata = await admin
          .metadata({ topics: [topic], forceUpdate: true })
          .catch(() => null);
        const found = metadata?.topics.get(topic)?.partitions ?? [];
        return found.length === partitions && found.every(({ leader }) => leader >= 0)
          ? true
          : null;
      });
    },
    async deleteTopic(topic) {
      await admin.deleteTopics({ topics: [topic] });
    },
    async addPartitions(topic, partitions) {
      await admin.createPartitions({
        topics: [{ name: topic, count: partitions, assignments: [{ brokerIds: [1] }] }],
      });
    },
    async send(topic, messages) {
      await producer.send({
        acks: 1,
        messages: messages.map(({ value, partition = 0, timestampMs, headers }) => ({
          ...{ topic, partition, value: value === null ? null : Buffer.from(value) },
          ...(timestampMs === undefined ? {} : { timestamp: BigInt(timestampMs) }),
          ...(headers === undefined
            ? {}
            : {
                headers: new Map(
                  Object.entries(headers).map(([name, text]) => [
                    Buffer.from(name),
                    Buffer.from(text),
                  ]),
                ),
              }),
        })) as never,
      });
    },
    async committed(group, topic, partition) {
      const groups = await admin.listConsumerGroupOffsets({
        groups: [{ groupId: group, topics: [{ name: topic, partitionIndexes: [partition] }] }],
      });
      return Number(groups[0]?.topics[0]?.partitions[0]?.committedOffset ?? -1);
    },
    kill: () => end("SIGKILL"),
    start,
    remove,
  };
}

export const kafkaJavaOptions = [
  ...[`-Xmx${heapMiB}m`, "-Xms64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"],
  ...["-cp", join(folder, "*")],
];

type Properties = Readonly<Record<string, string | number | boolean>>;

/** Of a broker that is alone in its cluster. */
export const kafkaProperties = (
  address: string,
  controllerPort: number,
  dataDir: string,
): Properties => ({
  "process.roles": "broker,controller",
  "node.id": 1,
  "controller.quorum.bootstrap.servers": `127.0.0.1:${controllerPort}`,
  listeners: `PLAINTEXT://${address},CONTROLLER://127.0.0.1:${controllerPort}`,
  "advertised.listeners": `PLAINTEXT://${address}`,
  "controller.listener.names": "CONTROLLER",
  "log.dirs": dataDir,
  "offsets.topic.replication.factor": 1,
  "offsets.topic.num.partitions": 1,
  "transaction.state.log.replication.factor": 1,
  "transaction.state.log.min.isr": 1,
  "transaction.state.log.num.partitions": 1,
  "share.coordinator.state.topic.replication.factor": 1,
  "group.initial.rebalance.delay.ms": 0,
  "auto.create.topics.enable": false,
  "num.network.threads": 2,
  "num.io.threads": 2,
  "log.cleaner.dedupe.buffer.size": 2_097_152,
});

export const printProperties = (properties: Properties): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

const keysPassword = "of the test";
const keysFile = (home: string): string => join(home, "keys.p12");

function securePropertiesOf(plain: Properties, address: string, home: string): Properties {
  const modules = "org.apache.kafka.common.security";
  const [listeners, advertised] = [plain.listeners, plain["advertised.listeners"]];
  const { name, password } = kafkaUser;
  return {
    listeners: `${listeners},SECURE://${address}`,
    "advertised.listeners": `${advertised},SECURE://${address}`,
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL",
    "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-512",
    "listener.name.secure.plain.sasl.jaas.config": `${modules}.plain.PlainLoginModule required user_${name}="${password}";`,
    "listener.name.secure.scram-sha-512.sasl.jaas.config": `${modules}.scram.ScramLoginModule required;`,
    "ssl.keystore.type": "PKCS12",
    "ssl.keystore.location": keysFile(home),
    "ssl.keystore.password": keysPassword,
  };
}

/** The keys of a broker called localhost, which has signed its certificate itself. */
function createCertificate(home: string, authorityFile: string): void {
  const store = ["-keystore", keysFile(home), "-storetype", "PKCS12", "-storepass", keysPassword];
  const made = ["-alias", "broker", "-keyalg", "EC", "-dname", "CN=localhost"];
  const named = ["-ext", "san=dns:localhost,ip:127.0.0.1", "-ext", "bc=ca:true"];
  for (const command of [
    ["-genkeypair", ...store, ...made, ...named],
    ["-exportcert", "-rfc", ...store, "-alias", "broker", "-file", authorityFile],
  ]) {
    const { status, stderr, stdout } = spawnSync("keytool", command);
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
  }
}
