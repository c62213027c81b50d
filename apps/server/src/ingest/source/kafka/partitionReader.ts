import { HadalError, type KafkaTopic } from "@hadal/sdk";
import type { Registry } from "../../../registry/registry.js";
import {
  claimPosition,
  noteEnd,
  notePosition,
  type PositionHolder,
  type SourcePlace,
} from "../../../registry/source/sourcePositions.js";
import { type BatchStoreDeps, type PendingBatch, storeBatch } from "./batchStore.js";
import { cutBatch, keyOfBatch, type MessageBatch } from "./messageBatch.js";
import { PartitionBuffer } from "./partitionBuffer.js";

export interface PartitionReaderDeps extends BatchStoreDeps {
  readonly registry: Registry;
  /** Where a partition begins that was never read. */
  readonly findStart: () => Promise<number>;
  /** The buffer wants more, or other, messages. */
  readonly onRoom: () => void;
}

const retryMsMin = 100;
const retryMsMax = 2_000;
/** Of a setting that is wrong: someone has to change it. */
const failedRetryMs = 5_000;
/** Few messages wait this long for others: a batch costs the same however many there are. */
const lingerMs = 100;
const fewMessages = 500;
const idleMs = 1_000;
/** After this time a broker will not have messages any more that it had. */
const goneMs = 10_000;

/**
 * Reads one partition as long as its group leaves it to this gateway. Before a batch is sent, its range
 * and key are noted beside the offset; after it is stored, the next one begins where it ends. Whoever
 * goes on sends the noted batch again under the same key, so that its rows are stored once.
 */
export class PartitionReader {
  readonly place: SourcePlace;
  readonly buffer = new PartitionBuffer();
  readonly #topic: KafkaTopic;
  readonly #holder: PositionHolder;
  readonly #deps: PartitionReaderDeps;
  readonly #name: string;
  #nextOffset: number | null = null;
  #endNoted: number | null = null;
  #isStopped = false;
  /** Where another gateway has taken the partition over. */
  #isLost = false;
  #done: Promise<void> = Promise.resolve();

  constructor(
    place: SourcePlace,
    topic: KafkaTopic,
    holder: PositionHolder,
    deps: PartitionReaderDeps,
  ) {
    this.place = place;
    this.#topic = topic;
    this.#holder = holder;
    this.#deps = deps;
    this.#name = `${place.topic}/${place.partition}`;
  }

  get topic(): KafkaTopic {
    return this.#topic;
  }

  get topicId(): string {
    return this.#holder.topicId;
  }

  /** All below it is stored; null: it is not known yet. */
  get nextOffset(): number | null {
    return this.#nextOffset;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  get lagRows(): number {
    const { endOffset } = this.buffer;
    if (endOffset === null || this.#nextOffset === null) return 0;
    return Math.max(0, endOffset - this.#nextOffset);
  }

  /** For other gateways, which show how far behind the partition is. */
  async noteEnd(): Promise<void> {
    const { endOffset } = this.buffer;
    if (this.#isLost || this.#nextOffset === null || endOffset === this.#endNoted) return;
    this.#endNoted = endOffset;
    const { registry, nowMs } = this.#deps;
    await noteEnd(registry, this.place, this.#holder, { endOffset, nowMs: nowMs() });
  }

  /** `onFailure`: with what only a bug explains, or what the brokers refuse. */
  start(onFailure: (error: unknown) => void): void {
    this.#done = this.#run().catch((error: unknown) => {
      if (!this.#isStopped) onFailure(error);
    });
  }

  /** Resolves when the batch at hand is stored. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.buffer.wake();
    return this.#done;
  }

  async #run(): Promise<void> {
    const start = await this.#deps.findStart();
    const { registry, nowMs } = this.#deps;
    const claimed = await this.#untilDone(() =>
      claimPosition(registry, this.place, this.#holder, { start, nowMs: nowMs() }),
    );
    if (claimed === null) return;
    this.#nextOffset = claimed.nextOffset;
    const pending = claimed.pending === null ? null : (JSON.parse(claimed.pending) as PendingBatch);
    this.buffer.readFrom(pending?.first ?? claimed.nextOffset);
    this.#deps.onRoom();
    if (pending !== null && !(await this.#finish(pending))) return;
    while (!this.#isStopped) {
      if (!(await this.#storeNext())) return;
    }
    // Whoever goes on has nothing to repeat.
    await this.#note(null);
  }

  /** Stores the batch that was on its way when the partition was left. Whether to go on. */
  async #finish(pending: PendingBatch): Promise<boolean> {
    const { buffer } = this;
    const sinceMs = performance.now();
    while ((buffer.readTo ?? 0) < pending.end) {
      if (this.#isStopped) return false;
      const isBehind = buffer.endOffset !== null && buffer.endOffset < pending.end;
      if (isBehind && performance.now() - sinceMs > goneMs) break;
      await buffer.change(idleMs);
    }
    const count = buffer.messages.filter(({ offset }) => offset < pending.end).length;
    const batch = { ...pending, messages: buffer.messages.slice(0, count) };
    if (!(await this.#store(pending, batch, "repeated"))) return false;
    this.#advance(pending.end, count);
    return this.#note(null);
  }

  /** Whether to go on. */
  async #storeNext(): Promise<boolean> {
    const { buffer } = this;
    const readTo = buffer.readTo ?? 0;
    if (buffer.messages.length === 0) {
      // Offsets that are no messages.
      if (readTo > (this.#nextOffset ?? 0)) {
        this.#nextOffset = readTo;
        return this.#note(null);
      }
      await buffer.change(idleMs);
      return true;
    }
    const batch = cutBatch(buffer.messages, this.#topic, readTo);
    const { first, end } = batch;
    const pending: PendingBatch = {
      key: keyOfBatch(this.place, this.#holder.topicId, batch),
      ...{ first, end, atMs: this.#deps.nowMs(), settings: this.#topic },
    };
    if (!(await this.#note(pending))) return false;
    if (!(await this.#store(pending, batch, "first"))) return false;
    this.#advance(end, batch.messages.length);
    if (buffer.messages.length > fewMessages && !this.#isStopped) return true;
    // Nothing is on its way: noted at once, since it may stay so.
    if (buffer.messages.length === 0 && !(await this.#note(null))) return false;
    if (!this.#isStopped) await this.#pause(lingerMs);
    return true;
  }

  #advance(nextOffset: number, count: number): void {
    this.#nextOffset = nextOffset;
    this.buffer.drop(count);
    this.#deps.onRoom();
  }

  /** Whether the partition is still this gateway's. */
  async #note(pending: PendingBatch | null): Promise<boolean> {
    const { registry, nowMs } = this.#deps;
    const isNoted = await this.#untilDone(() =>
      notePosition(registry, this.place, this.#holder, {
        nextOffset: this.#nextOffset ?? 0,
        pending: pending === null ? null : JSON.stringify(pending),
        ...{ endOffset: this.buffer.endOffset, nowMs: nowMs() },
      }),
    );
    if (isNoted === true) this.#endNoted = this.buffer.endOffset;
    this.#isLost ||= isNoted === false;
    return isNoted === true;
  }

  async #store(
    pending: PendingBatch,
    batch: MessageBatch,
    attempt: "first" | "repeated",
  ): Promise<boolean> {
    let tries = 0;
    const stored = await this.#untilDone(async () => {
      // This gateway may have stood still, and another one may have stored the batch and gone on.
      if (tries++ > 0 && !(await this.#note(pending))) return false;
      const mayBeStored = attempt === "repeated" || tries > 1;
      await storeBatch(this.place, { pending, batch, mayBeStored }, this.#deps);
      return true;
    });
    return stored === true;
  }

  /** Tries again until it succeeds; null: the reader was stopped before. */
  async #untilDone<Value>(work: () => Promise<Value>): Promise<Value | null> {
    const { report } = this.#deps;
    for (let retryMs = retryMsMin; ; retryMs = Math.min(2 * retryMs, retryMsMax)) {
      try {
        const value = await work();
        report.noteStoring(this.#name);
        return value;
      } catch (error) {
        if (!(error instanceof HadalError)) throw error;
        const state = error.retry ? "waiting" : "failed";
        report.noteStopped(this.#name, state, `${this.#name}: ${error.message}`);
        if (this.#isStopped) return null;
        await this.#pause(error.retry ? retryMs : failedRetryMs);
        if (this.#isStopped) return null;
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    const endMs = performance.now() + ms;
    for (let left = ms; left > 0 && !this.#isStopped; left = endMs - performance.now())
      await this.buffer.change(left);
  }
}
