import { HadalError } from "@hadal/sdk";
import type { IngestLimits } from "../../base/limit/ingestLimits.js";
import { afterMs } from "../../base/schedule/deadlines.js";
import { bodyBytesMax } from "../body/bodyStream.js";
import { FairOrder, type Sender } from "../body/fairOrder.js";
import type { ReadMemory, ReadProgress } from "./bodyReader.js";

/** A send of no more than this is small: it waits for no other. */
export const smallBytesMax = 65_536;
/** What is read at once of a large body. */
export const blockBytesMax = 262_144;
/** Bytes of a request beside its rows. */
const requestBytes = 4_096;
/** Memory is granted in steps: bodies in progress continue before new ones begin. */
const stepBytes = 1_048_576;
/** This part of the memory is for small sends alone, and for the beginnings of large ones. */
const smallShare = 1 / 8;

export interface IngestLoad {
  /** Bytes that are counted for the sends under way. */
  readonly bytesHeld: number;
  readonly waiting: number;
  readonly refused: number;
}

interface Ticket {
  readonly memory: BodyMemory;
  readonly sender: Sender;
  readonly bytes: number;
  readonly settle: (refusal: HadalError | null) => void;
}

/**
 * The memory of bodies, reserved before it is used. Small bodies are admitted while there is any
 * left; a large one waits for memory beyond its first bytes. Only the oldest unread body may use the
 * last reserve, so that half-read bodies never wait for each other.
 */
export class IngestMemory {
  readonly #limits: IngestLimits;
  readonly #bytesMax: number;
  readonly #largeBytesMax: number;
  readonly #oldestBytesMax: number;
  /** Large ones that are being read, the oldest first. */
  readonly #reading = new Set<BodyMemory>();
  readonly #waiting = new Set<Ticket>();
  readonly #order = new FairOrder();
  #bytesHeld = 0;
  #refused = 0;
  #sends = 0;
  #isStopped = false;

  constructor(limits: IngestLimits) {
    this.#limits = limits;
    this.#bytesMax = limits.ingestMemory * 2 ** 20;
    this.#oldestBytesMax = this.#bytesMax * (1 - smallShare);
    this.#largeBytesMax = this.#oldestBytesMax - bodyBytesMax;
  }

  get load(): IngestLoad {
    const { size: waiting } = this.#waiting;
    return { bytesHeld: this.#bytesHeld, waiting, refused: this.#refused };
  }

  /**
   * Lets a send in with its beginning. `declaredBytes`: how long it is; null where that is not
   * known. Throws `overloaded`.
   */
  open(client: string, declaredBytes: number | null): BodyMemory {
    if (this.#isStopped) throw stopping();
    const memory = new BodyMemory(this, { client, order: ++this.#sends }, declaredBytes);
    const bytes =
      requestBytes +
      Math.min(declaredBytes ?? smallBytesMax + blockBytesMax, smallBytesMax + blockBytesMax);
    if (this.#bytesHeld + bytes > this.#bytesMax) throw this.#refuse("There is no room for more.");
    this.#add(memory, bytes);
    return memory;
  }

  /**
   * Resolves when `bytes` more bytes are reserved. Rejects with `overloaded`, or with
   * `body-too-large` where they never can be.
   */
  take(memory: BodyMemory, bytes: number): Promise<void> {
    if (this.#isStopped) return Promise.reject(stopping());
    if (memory.bytes + bytes > this.#oldestBytesMax) return Promise.reject(this.#tooMuch());
    this.#reading.add(memory);
    const { sendsWaiting, sendWaitMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const settle = (refusal: HadalError | null): void => {
        this.#waiting.delete(ticket);
        callOff();
        if (refusal === null) resolve();
        else reject(refusal);
      };
      const callOff = afterMs(sendWaitMs, () =>
        settle(this.#refuse(`It waited for ${sendWaitMs} ms (sendWaitMs).`)),
      );
      const ticket: Ticket = { memory, sender: memory.sender, bytes, settle };
      this.#waiting.add(ticket);
      this.#admit();
      if (this.#waiting.size > sendsWaiting && this.#waiting.has(ticket))
        settle(this.#refuse(`${sendsWaiting} wait already (sendsWaiting).`));
    });
  }

  /** Sets the reserved bytes after the body is read. */
  keep(memory: BodyMemory, bytes: number): void {
    this.#reading.delete(memory);
    this.#add(memory, bytes - memory.bytes);
    this.#admit();
  }

  /** The body needs no more memory and waits for none. */
  close(memory: BodyMemory): void {
    for (const ticket of [...this.#waiting])
      if (ticket.memory === memory) ticket.settle(new HadalError("cancelled"));
    this.keep(memory, 0);
  }

  /** Admits no further body; those being read continue. */
  stop(): void {
    this.#isStopped = true;
    for (const { settle } of [...this.#waiting]) settle(stopping());
  }

  #admit(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      this.#order.noteTurn(next.sender);
      this.#add(next.memory, next.bytes);
      next.settle(null);
    }
    if (this.#waiting.size === 0 && this.#reading.size === 0) this.#order.forget();
  }

  #next(): Ticket | null {
    const [oldest] = this.#reading;
    for (const ticket of this.#waiting) {
      if (ticket.memory !== oldest) continue;
      if (this.#bytesHeld + ticket.bytes <= this.#oldestBytesMax) return ticket;
    }
    const next = this.#order.choose(this.#waiting);
    return next !== null && this.#bytesHeld + next.bytes <= this.#largeBytesMax ? next : null;
  }

  #add(memory: BodyMemory, bytes: number): void {
    memory.bytes += bytes;
    this.#bytesHeld += bytes;
  }

  /** It would wait for ever. */
  #tooMuch(): HadalError {
    const limitName = "ingestMemory, what its rows take while they are read; send it as several";
    return new HadalError("body-too-large", { max: this.#oldestBytesMax, limitName });
  }

  #refuse(why: string): HadalError {
    this.#refused++;
    const { ingestMemory } = this.#limits;
    const detail = `Rows of ${ingestMemory} MiB are being taken in (ingestMemory). ${why} Send it again a little later.`;
    return new HadalError("overloaded", { detail });
  }
}

function stopping(): HadalError {
  const detail = "The server is stopping; nothing of this send was stored. Send it again.";
  return new HadalError("unavailable", { detail });
}

/** The memory reserved for one body. */
export class BodyMemory implements ReadMemory {
  readonly #memory: IngestMemory;
  /** Set by the memory. */
  bytes = 0;
  readonly #bodyBytesMax: number;

  constructor(
    memory: IngestMemory,
    readonly sender: Sender,
    declaredBytes: number | null,
  ) {
    this.#memory = memory;
    this.#bodyBytesMax = declaredBytes ?? Number.POSITIVE_INFINITY;
  }

  async coverNext({ bodyBytes, rowBytes }: ReadProgress): Promise<number> {
    // The bytes read take the size of their rows, or more before these are cut into batches; the
    // following bytes are estimated alike.
    const held = Math.max(bodyBytes, rowBytes);
    const next = Math.min(bodyBytes + stepBytes, this.#bodyBytesMax);
    const ahead = Math.ceil(((next - bodyBytes) * held) / bodyBytes);
    const missing = held + ahead + requestBytes - this.bytes;
    if (missing > 0) await this.#memory.take(this, missing);
    return next >= this.#bodyBytesMax ? Number.POSITIVE_INFINITY : next - blockBytesMax;
  }

  /** The body is read, and its rows take so much. */
  keep(bytes: number): void {
    this.#memory.keep(this, bytes + requestBytes);
  }

  close(): void {
    this.#memory.close(this);
  }
}
