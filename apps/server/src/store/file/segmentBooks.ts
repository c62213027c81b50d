import type { RawSize } from "../segment/rawSizes.js";
import type { SegmentOrigin } from "./segmentCodec.js";

/** What goes out of a table's totals when a sealed segment goes. */
export interface SegmentBook {
  readonly minutes: readonly (readonly [minute: number, rowCount: number])[];
  readonly rawSizes: readonly RawSize[];
}

/** What each sealed segment of a table has added to its totals, and which of them are on the disk. */
export class SegmentBooks {
  readonly #books = new Map<number, SegmentBook>();
  readonly #onDisk = new Set<number>();

  add(generation: number, { minutes, rawSizes }: SegmentOrigin): void {
    this.#books.set(generation, { minutes, rawSizes });
  }

  noteOnDisk(generation: number): void {
    this.#onDisk.add(generation);
  }

  isOnDisk(generation: number): boolean {
    return this.#onDisk.has(generation);
  }

  find(generation: number): SegmentBook {
    const book = this.#books.get(generation);
    if (book === undefined) throw new Error(`segment ${generation} has no book`);
    return book;
  }

  remove(generation: number): void {
    this.#books.delete(generation);
    this.#onDisk.delete(generation);
  }
}

/** Rows per minute of several segments together, minutes ascending. */
export function sumMinutes(books: readonly SegmentBook[]): {
  minutes: readonly number[];
  counts: readonly number[];
} {
  const sums = new Map<number, number>();
  for (const { minutes } of books) {
    for (const [minute, rowCount] of minutes) sums.set(minute, (sums.get(minute) ?? 0) + rowCount);
  }
  const minutes = [...sums.keys()].sort((a, b) => a - b);
  return { minutes, counts: minutes.map((minute) => sums.get(minute)!) };
}
