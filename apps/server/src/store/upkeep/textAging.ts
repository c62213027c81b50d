import { setImmediate } from "node:timers/promises";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import { compressText, rawTextBytesOf } from "../text/compressText.js";

/** Raw text is searched several times faster than LZ4 blocks, and takes four times the memory or more: people mostly ask about the newest, which may take this share of the store, */
const rawTextShareMax = 1 / 8;
/** or this one while more than half of the store is free. */
const rawTextShareMaxWhenFree = 1 / 4;

/** Who holds a segment, and may have let go of it meanwhile. */
export interface SegmentHolder {
  /** Puts the new form in the old one's place; false when the old one is no longer there. */
  replaceSegment(old: SealedSegment, by: SealedSegment): boolean;
}

interface RawSegment {
  readonly holder: SegmentHolder;
  readonly segment: SealedSegment;
  readonly rawTextBytes: number;
  /** When it was first looked at; null: not yet. */
  sinceMs: number | null;
}

/** The newest sealed texts of a leaf stay as they are, older ones are compressed (C12): one segment after the other, beside all other work. */
export class TextAging {
  readonly #raw: RawSegment[] = [];
  #rawTextBytes = 0;
  #working: Promise<void> = Promise.resolve();
  #isWorking = false;
  #isClosed = false;
  readonly #context: TableContext;
  readonly #rawTextBytesMax: number | null;

  constructor(
    context: TableContext,
    /** Null: by what the store has free. */
    rawTextBytesMax: number | null = null,
  ) {
    this.#context = context;
    this.#rawTextBytesMax = rawTextBytesMax;
  }

  /** Takes note of a segment that was just sealed. */
  add(holder: SegmentHolder, segment: SealedSegment): void {
    const rawTextBytes = rawTextBytesOf(segment, this.#context.memory);
    if (rawTextBytes > 0) this.#raw.push({ holder, segment, rawTextBytes, sinceMs: null });
    this.#rawTextBytes += rawTextBytes;
    // Rows without texts make memory scarce, too.
    if (this.#isTooMuch) void this.#work(() => this.#isTooMuch, setImmediate);
  }

  /** Compresses what was seen so long ago, however much memory is free. `pause` is awaited between steps: others have their turns. */
  age(nowMs: number, rawTextsMs: number, pause: () => Promise<unknown>): Promise<void> {
    for (const raw of this.#raw) raw.sinceMs ??= nowMs;
    const isOld = (): boolean => {
      const sinceMs = this.#raw[0]?.sinceMs ?? null;
      return sinceMs !== null && nowMs - sinceMs >= rawTextsMs;
    };
    return this.#work(isOld, pause);
  }

  /** Resolves when as much is compressed as has to be. */
  settled(): Promise<void> {
    return this.#working;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#working;
  }

  get #isTooMuch(): boolean {
    const { totalBytes, freeBytes } = this.#context.memory.store;
    const share = freeBytes > totalBytes / 2 ? rawTextShareMaxWhenFree : rawTextShareMax;
    return this.#rawTextBytes > (this.#rawTextBytesMax ?? totalBytes * share);
  }

  /** One at a time: who comes while it works is content with that, or comes again. */
  #work(isWanted: () => boolean, pause: () => Promise<unknown>): Promise<void> {
    if (this.#isWorking) return this.#working;
    this.#isWorking = true;
    this.#working = this.#compressOldest(isWanted, pause)
      .catch((error: unknown) => this.#context.warn(`texts stay uncompressed: ${String(error)}`))
      .finally(() => {
        this.#isWorking = false;
      });
    return this.#working;
  }

  async #compressOldest(isWanted: () => boolean, pause: () => Promise<unknown>): Promise<void> {
    // Memory may become scarce while what is old is compressed, politely.
    while ((isWanted() || this.#isTooMuch) && !this.#isClosed) {
      const oldest = this.#raw.shift();
      if (oldest === undefined) return;
      this.#rawTextBytes -= oldest.rawTextBytes;
      await this.#compress(oldest, () => (this.#isTooMuch ? setImmediate() : pause()));
    }
  }

  async #compress({ holder, segment }: RawSegment, pause: () => Promise<unknown>): Promise<void> {
    // Retention may have taken it, and its memory.
    if (!holder.replaceSegment(segment, segment)) return;
    segment.pins.pin();
    try {
      const compressed = await compressText(segment, { ...this.#context, pause });
      if (compressed === null) return;
      if (holder.replaceSegment(segment, compressed.segment)) compressed.retireOld();
      else compressed.drop();
    } finally {
      segment.pins.unpin();
    }
  }
}
