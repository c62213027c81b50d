import { Wakeup } from "../wakeup.js";
import type { KafkaMessage } from "./messages.js";
import type { ReadRecords } from "./readRecords.js";

/** Read ahead of what is stored, so that neither waits for the other. */
const bytesMax = 4_194_304;
const messagesMax = 20_000;

/** Messages of a partition that were read and are not stored yet. */
export class PartitionBuffer {
  readonly #changed = new Wakeup();
  #messages: KafkaMessage[] = [];
  #bytes = 0;
  #readTo: number | null = null;
  /** Of the next message that comes, as the broker last said. */
  endOffset: number | null = null;

  /** Where to read on; null: it is not known yet. */
  get readTo(): number | null {
    return this.#readTo;
  }

  get messages(): readonly KafkaMessage[] {
    return this.#messages;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get hasRoom(): boolean {
    return this.#bytes < bytesMax && this.#messages.length < messagesMax;
  }

  /** Reads on from here; what was read before is dropped. */
  readFrom(offset: number): void {
    this.#messages = [];
    this.#bytes = 0;
    this.#readTo = offset;
    this.#changed.wake();
  }

  /** Messages that were deleted before they were read, or that are no more: reads on behind them. */
  skipTo(offset: number): void {
    this.#readTo = offset;
    this.#changed.wake();
  }

  /** What was asked for from `askedFrom` on; left out where it reads on from elsewhere since. */
  add(askedFrom: number, { messages, bytes, readTo }: ReadRecords): void {
    if (askedFrom !== this.#readTo || readTo === askedFrom) return;
    for (const message of messages) this.#messages.push(message);
    this.#bytes += bytes;
    this.#readTo = readTo;
    this.#changed.wake();
  }

  /** Removes the first messages. */
  drop(count: number): void {
    for (const { value } of this.#messages.slice(0, count)) this.#bytes -= value?.length ?? 0;
    this.#messages = this.#messages.slice(count);
  }

  /** Resolves after a change, or at the end of the time. */
  change(waitMs: number): Promise<void> {
    return this.#changed.wait(waitMs);
  }

  wake(): void {
    this.#changed.wake();
  }
}
