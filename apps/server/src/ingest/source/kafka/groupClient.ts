import { type KafkaSource, sourceGroupDefault } from "@hadal/sdk";
import {
  type ClusterMetadata,
  ConnectionPool,
  Consumer,
  type GroupAssignment,
} from "@platformatic/kafka";
import { assignPartitions } from "./assignPartitions.js";
import {
  type Fetch,
  type FetchRequestTopic,
  type FetchResponse,
  fetchOf,
} from "./fetchMessages.js";
import type { LinkSecurity } from "./linkSecurity.js";
import { within } from "./within.js";

export interface GroupClientOptions {
  readonly source: string;
  readonly settings: KafkaSource;
  readonly security: LinkSecurity;
  /** What the group knows this gateway by, also after a restart. */
  readonly instanceId: string;
  readonly onAssigned: (assigned: readonly GroupAssignment[]) => void;
  readonly onFailure: (error: unknown) => void;
}

export interface Offset {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** A member that says nothing for so long loses its partitions; brokers allow no less. */
const sessionMs = 6_000;
const heartbeatMs = 1_000;
/** Others may take as long as a session to join again. */
const requestMs = 15_000;
const connectMs = 3_000;
const closeMs = 3_000;
const timestamps = { latest: -1n, earliest: -2n } as const;

/** The connections of one source to its brokers, and its membership in the group. */
export class GroupClient {
  readonly #consumer: Consumer;
  readonly #pool: ConnectionPool;
  #metadata: ClusterMetadata | null = null;
  #fetch: Fetch | null = null;

  constructor(options: GroupClientOptions) {
    const { source, settings, security, instanceId, onAssigned, onFailure } = options;
    const clientId = `hadal-${source}`;
    const link = { connectTimeout: connectMs, requestTimeout: requestMs, ...security };
    const consumer = new Consumer({
      ...{ clientId, groupId: settings.group ?? sourceGroupDefault, groupInstanceId: instanceId },
      ...{ ...link, bootstrapBrokers: [...settings.brokers], retries: 0, autocommit: false },
      ...{ sessionTimeout: sessionMs, rebalanceTimeout: sessionMs, heartbeatInterval: heartbeatMs },
      partitionAssigner: assignPartitions,
    });
    consumer.on("consumer:group:join", () => onAssigned(consumer.assignments ?? []));
    consumer.on("consumer:heartbeat:error", ({ error }) => onFailure(error));
    // What joining again after a change of members ends with; the client does not declare it.
    (consumer as unknown as NodeJS.EventEmitter).on("error", onFailure);
    this.#consumer = consumer;
    // Fetches are answered when there is something: heartbeats must not wait behind them.
    this.#pool = new ConnectionPool(clientId, link);
  }

  /** As last read. */
  get metadata(): ClusterMetadata | null {
    return this.#metadata;
  }

  /** Those of the topics that exist, as the brokers know them now. */
  async findTopics(topics: readonly string[]): Promise<ClusterMetadata["topics"]> {
    try {
      return (await this.#consumer.metadata({ topics: [...topics], forceUpdate: true })).topics;
    } catch (error) {
      if (!isUnknownTopic(error)) throw error;
    }
    const found: ClusterMetadata["topics"] = new Map();
    for (const topic of topics) {
      try {
        const metadata = await this.#consumer.metadata({ topics: [topic], forceUpdate: true });
        const known = metadata.topics.get(topic);
        if (known !== undefined) found.set(topic, known);
      } catch (error) {
        if (!isUnknownTopic(error)) throw error;
      }
    }
    return found;
  }

  async refresh(topics: readonly string[]): Promise<ClusterMetadata> {
    const metadata = await this.#consumer.metadata({ topics: [...topics], forceUpdate: true });
    this.#metadata = metadata;
    return metadata;
  }

  /** Resolves after the first assignment. */
  async join(topics: readonly string[]): Promise<void> {
    this.#fetch = fetchOf(await this.#consumer.listApis());
    if (this.#fetch === null) throw new Error("The brokers are older than Kafka 3.1.");
    await this.refresh(topics);
    this.#consumer.topics.trackAll(...topics);
    await this.#consumer.joinGroup({});
  }

  leaderOf(topic: string, partition: number): number | undefined {
    return this.#metadata?.topics.get(topic)?.partitions[partition]?.leader;
  }

  async fetch(node: number, topics: readonly FetchRequestTopic[]): Promise<FetchResponse> {
    const broker = this.#metadata?.brokers.get(node);
    if (broker === undefined || this.#fetch === null) throw new Error(`broker ${node} is unknown`);
    return this.#fetch(await this.#pool.get(broker), topics);
  }

  /** Null: the group has committed none. */
  async committedOffset(topic: string, partition: number): Promise<number | null> {
    const committed = await this.#consumer.listCommittedOffsets({
      topics: [{ topic, partitions: [partition] }],
    });
    const offset = committed.get(topic)?.[partition];
    return offset === undefined || offset < 0n ? null : Number(offset);
  }

  async endOf(topic: string, partition: number, end: keyof typeof timestamps): Promise<number> {
    const offsets = await this.#consumer.listOffsets({
      topics: [topic],
      partitions: { [topic]: [partition] },
      timestamp: timestamps[end],
    });
    return Number(offsets.get(topic)?.[partition] ?? 0n);
  }

  async commit(offsets: readonly Offset[]): Promise<void> {
    await this.#consumer.commit({
      offsets: offsets.map(({ topic, partition, offset }) => ({
        ...{ topic, partition, offset: BigInt(offset), leaderEpoch: -1 },
      })),
    });
  }

  /** `leave`: the others get its partitions at once. */
  async close(how: "leave" | "drop"): Promise<void> {
    // The client declares that it returns nothing.
    const ending = (work: unknown): Promise<unknown> => Promise.resolve(work);
    if (how === "leave") await within(closeMs, ending(this.#consumer.leaveGroup(true)));
    await within(closeMs, ending(this.#consumer.close(true)));
    await within(closeMs, this.#pool.close());
  }
}

/** The client says it in words alone. */
const isUnknownTopic = (error: unknown): boolean =>
  error instanceof Error && /unknown topic/i.test(error.message);
