import { setImmediate } from "node:timers/promises";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import { compressText, rawTextBytesOf } from "../text/compressText.js";

/**
 * Raw text is searched several times faster than LZ4 blocks, but takes four times the memory or
 * more: the newest texts, which queries mostly read, may stay raw up to this share of the store,
 */
const rawTextShareMax = 1 / 8;
/** or this one while more than half of the store is free. */
const rawTextShareMaxWhenFree = 1 / 4;

/** The owner of a segment, which may have removed it meanwhile. */
export interface SegmentHolder {
  /** Replaces the old form by the new one; false when the segment was removed. */
  replaceSegment(old: SealedSegment, by: SealedSegment): boolean;
}

interface RawSegment {
  readonly holder: SegmentHolder;
  readonly segment: SealedSegment;
  readonly rawTextBytes: number;
  /** When it was first seen by `age`; null: not yet. */
  sinceMs: number | null;
}

/**
 * Keeps the newest sealed texts of a leaf raw, and compresses older ones: one segment after
 * the other, in the background.
 */
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
    /** Null: a share of the store, by how much of it is free. */
    rawTextBytesMax: number | null = null,
  ) {
    this.#context = context;
    this.#rawTextBytesMax = rawTextBytesMax;
  }

  /** Notes a segment that was just sealed. */
  add(holder: SegmentHolder, segment: SealedSegment): void {
    const rawTextBytes = rawTextBytesOf(segment, this.#context.memory);
    if (rawTextBytes > 0) this.#raw.push({ holder, segment, rawTextBytes, sinceMs: null });
    this.#rawTextBytes += rawTextBytes;
    // Rows without texts use memory, too.
    if (this.#isTooMuch) void this.#work(() => this.#isTooMuch, setImmediate);
  }

  /**
   * Compresses texts that were first seen this long ago, however much memory is free. `pause` is
   * awaited between steps.
   */
  age(nowMs: number, rawTextsMs: number, pause: () => Promise<unknown>): Promise<void> {
    for (const raw of this.#raw) raw.sinceMs ??= nowMs;
    const isOld = (): boolean => {
      const sinceMs = this.#raw[0]?.sinceMs ?? null;
      return sinceMs !== null && nowMs - sinceMs >= rawTextsMs;
    };
    return this.#work(isOld, pause);
  }

  /** Resolves when enough is compressed. */
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

  /** Runs once at a time: a call during the work returns the running promise. */
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
    // Memory may become scarce while old texts are compressed with pauses.
    while ((isWanted() || this.#isTooMuch) && !this.#isClosed) {
      const oldest = this.#raw.shift();
      if (oldest === undefined) return;
      this.#rawTextBytes -= oldest.rawTextBytes;
      await this.#compress(oldest, () => (this.#isTooMuch ? setImmediate() : pause()));
    }
  }

  async #compress({ holder, segment }: RawSegment, pause: () => Promise<unknown>): Promise<void> {
    // Retention may have removed the segment, and its memory.
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
