import { HadalError, type KafkaSource, type KafkaTopic } from "@hadal/sdk";
import type { GroupAssignment } from "@platformatic/kafka";
import { Wakeup } from "../wakeup.js";
import { isGone, isMoved, isOutOfRange, textOfCode } from "./fetchErrors.js";
import { type FetchRequestTopic, type FetchResponse, partitionBytesMax } from "./fetchMessages.js";
import { GroupClient } from "./groupClient.js";
import type { LinkSecurity } from "./linkSecurity.js";
import { PartitionReader, type PartitionReaderDeps } from "./partitionReader.js";
import { readRecords } from "./readRecords.js";
import { within } from "./within.js";

export interface SessionOptions extends Omit<PartitionReaderDeps, "findStart" | "onRoom"> {
  readonly source: string;
  readonly settings: KafkaSource;
  readonly security: LinkSecurity;
  /** What the group knows this gateway by, also after a restart. */
  readonly instanceId: string;
  readonly gateway: string;
  readonly createToken: () => string;
}

/** Why a session has ended: an error, or null where it is to be begun again with what is there now. */
export type SessionEnd = { readonly error: unknown } | null;

type FetchedPartition = FetchResponse["responses"][number]["partitions"][number];

const commitEveryMs = 1_000;
/** How old is what other gateways show of partitions that are not stored. */
const noteEveryMs = 2_000;
/** New partitions, and topics that were made or deleted, are found within this time. */
const watchEveryMs = 2_000;
/** What all partitions together read ahead. */
const bufferBytesMax = 67_108_864;
const idleMs = 250;
/** After a partition has moved, until its new leader is there. */
const movedPauseMs = 200;
const stopMs = 5_000;
/** A broker that has just started may not know its last messages yet. */
const beyondEndMs = 10_000;

const nameOf = (topic: string, partition: number): string => `${topic}/${partition}`;

/**
 * One time of being a member of the group: from joining it until a broker cannot be reached, topics have
 * changed, or it is closed.
 */
export class KafkaSession {
  readonly #options: SessionOptions;
  readonly #client: GroupClient;
  readonly #settingsOf: ReadonlyMap<string, KafkaTopic>;
  readonly #readers = new Map<string, PartitionReader>();
  readonly #stopping = new Set<Promise<void>>();
  readonly #nodes = new Set<number>();
  readonly #committed = new Map<string, number>();
  readonly #beyondSinceMs = new Map<string, number>();
  readonly #room = new Wakeup();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly ended: Promise<SessionEnd>;
  #end: (end: SessionEnd) => void = () => undefined;
  #isEnded = false;
  #topics: readonly string[] = [];
  #turn = 0;

  constructor(options: SessionOptions) {
    const { source, settings, security, instanceId } = options;
    this.#options = options;
    this.#settingsOf = new Map(settings.topics.map((topic) => [topic.topic, topic]));
    this.#client = new GroupClient({
      ...{ source, settings, security, instanceId },
      onAssigned: (assigned) => this.#use(assigned),
      onFailure: (error) => this.#fail(error),
    });
    this.ended = new Promise((resolve) => {
      this.#end = (end) => {
        this.#isEnded = true;
        this.#room.wake();
        resolve(end);
      };
    });
  }

  get readers(): readonly PartitionReader[] {
    return [...this.#readers.values()];
  }

  /** Topics of the settings that do not exist. */
  get missing(): readonly string[] {
    return [...this.#settingsOf.keys()].filter((topic) => !this.#topics.includes(topic));
  }

  /** Resolves once partitions are read. */
  async start(): Promise<void> {
    const found = await this.#client.findTopics([...this.#settingsOf.keys()]);
    this.#topics = [...found.keys()];
    if (this.#topics.length > 0) await this.#client.join(this.#topics);
    this.#every(commitEveryMs, () => this.#commit());
    this.#every(watchEveryMs, () => this.#watch());
    this.#every(noteEveryMs, () => this.#noteEnds());
  }

  /** Stores what is on its way. `leave`: the others of the group get its partitions at once. */
  async close(how: "leave" | "drop"): Promise<void> {
    this.#end(null);
    for (const timer of this.#timers) clearInterval(timer);
    for (const reader of this.#readers.values()) this.#stop(reader);
    await within(stopMs, Promise.all(this.#stopping));
    if (how === "leave") await within(stopMs, this.#commit());
    this.#readers.clear();
    await this.#client.close(how);
  }

  #every(ms: number, work: () => Promise<void>): void {
    let isRunning = false;
    const timer = setInterval(() => {
      if (isRunning || this.#isEnded) return;
      isRunning = true;
      void work()
        .catch((error: unknown) => this.#fail(error))
        .finally(() => {
          isRunning = false;
        });
    }, ms);
    timer.unref();
    this.#timers.push(timer);
  }

  #fail(error: unknown): void {
    this.#end({ error });
  }

  /** The partitions that this member has from now on. */
  #use(assigned: readonly GroupAssignment[]): void {
    if (this.#isEnded) return;
    const names = new Set<string>();
    for (const { topic, partitions } of assigned) {
      const settings = this.#settingsOf.get(topic);
      if (settings === undefined) continue;
      for (const partition of partitions) {
        const name = nameOf(topic, partition);
        names.add(name);
        const before = this.#readers.get(name);
        if (before === undefined || before.isLost) this.#read(settings, partition);
      }
    }
    for (const [name, reader] of this.#readers) {
      if (names.has(name)) continue;
      this.#stop(reader);
      this.#readers.delete(name);
      this.#committed.delete(name);
      this.#options.report.noteStoring(name);
    }
    this.#readFromLeaders();
  }

  #read(settings: KafkaTopic, partition: number): void {
    const { source, gateway, createToken } = this.#options;
    const { topic } = settings;
    const topicId = this.#client.metadata?.topics.get(topic)?.id ?? "";
    const place = { source, topic, partition };
    const reader = new PartitionReader(
      place,
      settings,
      { token: createToken(), gateway, topicId },
      {
        ...this.#options,
        findStart: () => this.#findStart(topic, partition),
        onRoom: () => this.#room.wake(),
      },
    );
    this.#readers.set(nameOf(topic, partition), reader);
    reader.start((error) => this.#fail(error));
  }

  async #findStart(topic: string, partition: number): Promise<number> {
    const { start = "earliest" } = this.#options.settings;
    const committed = await this.#client.committedOffset(topic, partition);
    return committed ?? (await this.#client.endOf(topic, partition, start));
  }

  #stop(reader: PartitionReader): void {
    const stopped = reader.stop();
    this.#stopping.add(stopped);
    void stopped.finally(() => this.#stopping.delete(stopped));
  }

  /** Offsets of what is stored, for those who watch the group. */
  async #commit(): Promise<void> {
    const offsets = this.readers.flatMap(({ place, nextOffset, isLost }) => {
      const { topic, partition } = place;
      if (nextOffset === null || isLost) return [];
      const isKnown = this.#committed.get(nameOf(topic, partition)) === nextOffset;
      return isKnown ? [] : [{ topic, partition, offset: nextOffset }];
    });
    if (offsets.length === 0) return;
    try {
      await this.#client.commit(offsets);
    } catch {
      // The group is changing its members, or is away: its heartbeat says so. Positions are Hadal's own.
      return;
    }
    for (const { topic, partition, offset } of offsets)
      this.#committed.set(nameOf(topic, partition), offset);
  }

  /** While the registry is away, others show what they have read of it. */
  async #noteEnds(): Promise<void> {
    for (const reader of this.readers)
      await reader.noteEnd().catch((error: unknown) => {
        if (!(error instanceof HadalError)) throw error;
      });
  }

  /** Ends where topics have come, gone or changed. */
  async #watch(): Promise<void> {
    const before = this.#client.metadata?.topics;
    const found = await this.#client.findTopics([...this.#settingsOf.keys()]);
    const isSame =
      found.size === this.#topics.length &&
      [...found].every(([topic, { id, partitionsCount }]) => {
        const known = before?.get(topic);
        return known?.id === id && known.partitionsCount === partitionsCount;
      });
    if (!isSame) this.#end(null);
  }

  #readFromLeaders(): void {
    for (const { place } of this.#readers.values()) {
      const node = this.#client.leaderOf(place.topic, place.partition);
      if (node === undefined || this.#nodes.has(node)) continue;
      this.#nodes.add(node);
      void this.#readFrom(node)
        .catch((error: unknown) => this.#fail(error))
        .finally(() => this.#nodes.delete(node));
    }
  }

  /** Asks one broker for messages as long as it leads a partition. */
  async #readFrom(node: number): Promise<void> {
    for (;;) {
      const led = this.readers.filter(
        ({ place }) => this.#client.leaderOf(place.topic, place.partition) === node,
      );
      if (this.#isEnded || led.length === 0) return;
      const wanted = this.#wanted(led);
      if (wanted.length === 0) {
        await this.#room.wait(idleMs);
        continue;
      }
      const asked = new Map(wanted.map((reader) => [reader, reader.buffer.readTo ?? 0]));
      const { responses } = await this.#client.fetch(node, requestOf(asked));
      let isAnyMoved = false;
      for (const { topicId, partitions } of responses)
        for (const partition of partitions) {
          const reader = wanted.find(
            (one) => one.topicId === topicId && one.place.partition === partition.partitionIndex,
          );
          if (reader === undefined) continue;
          isAnyMoved ||= isMoved(partition.errorCode);
          await this.#take(reader, asked.get(reader) ?? 0, partition);
        }
      if (isAnyMoved) await this.#followLeaders();
    }
  }

  /** Whoever was first in the last request is last in this one: a broker fills its answer in order. */
  #wanted(led: readonly PartitionReader[]): readonly PartitionReader[] {
    const held = this.readers.reduce((sum, { buffer }) => sum + buffer.bytes, 0);
    const wanted = led.filter(
      ({ buffer, isLost }) =>
        !isLost &&
        buffer.readTo !== null &&
        buffer.hasRoom &&
        (held < bufferBytesMax || buffer.messages.length === 0),
    );
    const first = this.#turn++ % Math.max(wanted.length, 1);
    return [...wanted.slice(first), ...wanted.slice(0, first)];
  }

  async #take(
    reader: PartitionReader,
    askedFrom: number,
    partition: FetchedPartition,
  ): Promise<void> {
    const { errorCode, lastStableOffset, highWatermark } = partition;
    const { topic, partition: index } = reader.place;
    if (isOutOfRange(errorCode)) return this.#findRange(reader, askedFrom);
    if (isMoved(errorCode)) return;
    if (isGone(errorCode)) return this.#end(null);
    if (errorCode !== 0) throw new Error(`${nameOf(topic, index)}: ${textOfCode(errorCode)}`);
    this.#beyondSinceMs.delete(nameOf(topic, index));
    reader.buffer.endOffset = Number(lastStableOffset >= 0n ? lastStableOffset : highWatermark);
    reader.buffer.add(askedFrom, readRecords(partition, askedFrom));
    reader.buffer.wake();
  }

  /** The messages that were to come are not in the topic: what is lost is listed. */
  async #findRange(reader: PartitionReader, askedFrom: number): Promise<void> {
    const { topic, partition } = reader.place;
    const name = nameOf(topic, partition);
    const { report, nowMs } = this.#options;
    const first = await this.#client.endOf(topic, partition, "earliest");
    const end = await this.#client.endOf(topic, partition, "latest");
    const place = { topic, partition, offset: askedFrom, atMs: nowMs() };
    if (askedFrom < first) {
      const detail = `The messages from here up to ${first - 1} were deleted from the topic before they were read.`;
      report.add({ ...place, code: "messages-deleted", detail });
      return reader.buffer.skipTo(first);
    }
    const sinceMs = this.#beyondSinceMs.get(name) ?? performance.now();
    this.#beyondSinceMs.set(name, sinceMs);
    if (askedFrom <= end || performance.now() - sinceMs < beyondEndMs) {
      await this.#room.wait(idleMs);
      return;
    }
    const detail = `The topic ends at ${end}, before what was read: its brokers have lost messages. It is read on from its end.`;
    report.add({ ...place, code: "messages-lost", detail });
    reader.buffer.skipTo(end);
  }

  async #followLeaders(): Promise<void> {
    await this.#room.wait(movedPauseMs);
    await this.#client.refresh(this.#topics);
    this.#readFromLeaders();
  }
}

/** By topics: a request names each once. */
function requestOf(asked: ReadonlyMap<PartitionReader, number>): readonly FetchRequestTopic[] {
  const topics = new Map<string, FetchRequestTopic>();
  for (const [{ topicId, place }, readTo] of asked) {
    const topic = topics.get(topicId) ?? { topicId, partitions: [] };
    topic.partitions.push({
      ...{ partition: place.partition, fetchOffset: BigInt(readTo) },
      ...{ currentLeaderEpoch: -1, lastFetchedEpoch: -1, partitionMaxBytes: partitionBytesMax },
    });
    topics.set(topicId, topic);
  }
  return [...topics.values()];
}
