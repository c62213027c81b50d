import type { LeafMemory } from "../memory/leafMemory.js";
import { compressText, rawTextBytesOf } from "./compressText.js";
import type { SealedSegment } from "./sealSegment.js";

/** Raw text is searched several times faster than LZ4 and takes four times the memory: people mostly ask about the newest, which may take this share of the store, */
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
}

/** The newest sealed texts of a leaf stay as they are, older ones become LZ4 (C12): one segment after the other, beside all other work. */
export class TextAging {
  readonly #raw: RawSegment[] = [];
  #rawTextBytes = 0;
  #working: Promise<void> = Promise.resolve();
  #isWorking = false;
  #isClosed = false;

  constructor(
    private readonly memory: LeafMemory,
    private readonly warn: (text: string) => void,
    /** Null: by what the store has free. */
    private readonly rawTextBytesMax: number | null = null,
  ) {}

  /** Takes note of a segment that was just sealed. */
  add(holder: SegmentHolder, segment: SealedSegment): void {
    const rawTextBytes = rawTextBytesOf(segment, this.memory);
    if (rawTextBytes > 0) this.#raw.push({ holder, segment, rawTextBytes });
    this.#rawTextBytes += rawTextBytes;
    // Rows without texts make memory scarce, too.
    if (this.#isWorking || !this.#isTooMuch) return;
    this.#isWorking = true;
    this.#working = this.#compressOldest()
      .catch((error: unknown) => this.warn(`texts stay uncompressed: ${String(error)}`))
      .finally(() => {
        this.#isWorking = false;
      });
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
    const { totalBytes, freeBytes } = this.memory.store;
    const share = freeBytes > totalBytes / 2 ? rawTextShareMaxWhenFree : rawTextShareMax;
    return this.#rawTextBytes > (this.rawTextBytesMax ?? totalBytes * share);
  }

  async #compressOldest(): Promise<void> {
    while (this.#isTooMuch && !this.#isClosed) {
      const oldest = this.#raw.shift();
      if (oldest === undefined) return;
      this.#rawTextBytes -= oldest.rawTextBytes;
      await this.#compress(oldest);
    }
  }

  async #compress({ holder, segment }: RawSegment): Promise<void> {
    // Retention may have taken it, and its memory.
    if (!holder.replaceSegment(segment, segment)) return;
    segment.pins.pin();
    try {
      const compressed = await compressText(segment, this.memory);
      if (compressed === null) return;
      if (holder.replaceSegment(segment, compressed.segment)) compressed.retireOld();
      else compressed.drop();
    } finally {
      segment.pins.unpin();
    }
  }
}
