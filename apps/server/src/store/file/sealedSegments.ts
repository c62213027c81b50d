import type { LeafMemory } from "../../memory/leafMemory.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import {
  type SegmentContribution,
  SegmentContributions,
  sumMinutes,
} from "./segmentContributions.js";
import type { SegmentOrigin } from "./segmentHead.js";

/** Segments to remove, as a whole or in part, and the rows to remove per minute of event time. */
export interface LeafExpiry {
  readonly generations: readonly number[];
  readonly rows: { readonly minutes: readonly number[]; readonly counts: readonly number[] };
  /** A cut: how many of the newest rows stay. */
  readonly keepNewest?: number;
}

export const nothingExpires: LeafExpiry = { generations: [], rows: { minutes: [], counts: [] } };

/** The sealed segments of a table, in the order they came. */
export class SealedSegments {
  #segments: SealedSegment[] = [];
  readonly #contributions = new SegmentContributions();
  #rowCount = 0;
  readonly #memory: LeafMemory;

  constructor(memory: LeafMemory) {
    this.#memory = memory;
  }

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
    // One that waited for its rows to be decided comes after later ones.
    const index = this.#segments.findLastIndex(({ generation }) => generation < segment.generation);
    this.#segments.splice(index + 1, 0, segment);
    this.#rowCount += segment.rowCount;
    this.#contributions.add(segment.generation, origin);
  }

  /** Its file is whole: from here on it may expire. */
  noteOnDisk(generation: number): void {
    this.#contributions.noteOnDisk(generation);
  }

  /** Replaces a segment by a new form of the same rows; false when it was removed. */
  replace(old: SealedSegment, by: SealedSegment): boolean {
    const index = this.#segments.indexOf(old);
    if (index < 0) return false;
    this.#segments[index] = by;
    return true;
  }

  /** Whole on the disk, in the order of generations. */
  get onDisk(): readonly SealedSegment[] {
    return this.#segments
      .filter(({ generation }) => this.#contributions.isOnDisk(generation))
      .sort((a, b) => a.generation - b.generation);
  }

  /** Rows per minute of event time of some segments. */
  minutesOf(segments: readonly SealedSegment[]): LeafExpiry["rows"] {
    return sumMinutes(segments.map(({ generation }) => this.#contributions.find(generation)));
  }

  /**
   * Removes segments; their memory is released after the last reader. Returns their contributions
   * to the table's totals.
   */
  remove(segments: readonly SealedSegment[]): readonly SegmentContribution[] {
    this.#segments = this.#segments.filter((segment) => !segments.includes(segment));
    return segments.map((segment) => {
      const contribution = this.#contributions.find(segment.generation);
      this.#contributions.remove(segment.generation);
      this.#rowCount -= segment.rowCount;
      this.#release(segment);
      return contribution;
    });
  }

  /**
   * Replaces segments by a merged one that is on the disk already. Returns the contributions of the
   * replaced ones.
   */
  merge(merged: SealedSegment, origin: SegmentOrigin): readonly SegmentContribution[] {
    const sources = this.covered(merged);
    const index = this.#segments.indexOf(sources.at(-1)!);
    const before = this.#segments.slice(0, index).filter((one) => !sources.includes(one));
    const contributions = this.remove(sources);
    this.#segments = this.#segments.toSpliced(before.length, 0, merged);
    this.#rowCount += merged.rowCount;
    this.#contributions.add(merged.generation, origin);
    this.#contributions.noteOnDisk(merged.generation);
    return contributions;
  }

  /** The other segments whose rows a merged segment contains. */
  covered(merged: SealedSegment): readonly SealedSegment[] {
    return this.#segments.filter(
      (one) =>
        one !== merged &&
        one.generation >= merged.firstGeneration &&
        one.generation <= merged.generation,
    );
  }

  /** Gives all memory back. */
  clear(): void {
    this.remove(this.#segments);
  }

  #release({ pins, extents }: SealedSegment): void {
    pins.retire(() => {
      for (const address of extents) this.#memory.store.release(address);
    });
  }
}
