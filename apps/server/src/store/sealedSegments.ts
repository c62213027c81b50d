import type { LeafMemory } from "../memory/leafMemory.js";
import { chooseExpired, type RetentionBounds } from "./chooseExpired.js";
import type { SealedSegment } from "./sealSegment.js";
import { type SegmentBook, SegmentBooks, sumMinutes } from "./segmentBooks.js";
import type { SegmentOrigin } from "./segmentCodec.js";

/** Segments that would go, and their rows per minute of event time. */
export interface LeafExpiry {
  readonly generations: readonly number[];
  readonly rows: { readonly minutes: readonly number[]; readonly counts: readonly number[] };
}

/** The sealed segments of a table, in the order they came. */
export class SealedSegments {
  #segments: SealedSegment[] = [];
  readonly #books = new SegmentBooks();
  #rowCount = 0;

  constructor(private readonly memory: LeafMemory) {}

  get list(): readonly SealedSegment[] {
    return this.#segments;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }

  add(segment: SealedSegment, origin: SegmentOrigin): void {
    this.#segments.push(segment);
    this.#rowCount += segment.rowCount;
    this.#books.add(segment.generation, origin);
  }

  /** Its file is whole: from here on it may expire. */
  noteOnDisk(generation: number): void {
    this.#books.noteOnDisk(generation);
  }

  /** Takes the new form of a segment with the same rows; false when the old one is gone. */
  replace(old: SealedSegment, by: SealedSegment): boolean {
    const index = this.#segments.indexOf(old);
    if (index < 0) return false;
    this.#segments[index] = by;
    return true;
  }

  planExpiry(openBytes: number, bounds: RetentionBounds): LeafExpiry {
    const onDisk = this.#segments.filter(({ generation }) => this.#books.isOnDisk(generation));
    const generations = chooseExpired(onDisk, openBytes, bounds).map((one) => one.generation);
    return { generations, rows: sumMinutes(generations.map((one) => this.#books.find(one))) };
  }

  /** Takes segments out; their memory goes when nobody reads it any more. Returns what they had added to the table's totals. */
  remove(generations: ReadonlySet<number>): ReadonlyMap<number, SegmentBook> {
    const removed = this.#segments.filter(({ generation }) => generations.has(generation));
    this.#segments = this.#segments.filter((segment) => !removed.includes(segment));
    return new Map(
      removed.map((segment) => {
        const book = this.#books.find(segment.generation);
        this.#books.remove(segment.generation);
        this.#rowCount -= segment.rowCount;
        this.#release(segment);
        return [segment.generation, book];
      }),
    );
  }

  /** Gives all memory back. */
  clear(): void {
    this.remove(new Set(this.#segments.map(({ generation }) => generation)));
  }

  #release({ pins, extents }: SealedSegment): void {
    pins.retire(() => {
      for (const address of extents) this.memory.store.release(address);
    });
  }
}
