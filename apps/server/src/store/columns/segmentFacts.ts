import { decimalsMax as decimalsLimit } from "@hadal/sdk";
import type { IntColumn } from "../../column/segmentColumn.js";
import { decimalRoomOf } from "../segment/decimalRoom.js";
import type { StoredSegment } from "../segment/segmentView.js";

/** The facts that a table's segments have about the values in one place. */
export interface PlaceFacts {
  /** How many have values there, */
  readonly segments: number;
  /** and how many have numbers below 0. */
  readonly negatives: number;
  /** Their bytes in all. */
  readonly bytes: number;
  /** Most digits behind the point of its numbers, and with how many all of them fit 64 bits. */
  readonly decimals: number;
  readonly decimalsMax: number;
}

const noFacts: PlaceFacts = {
  ...{ segments: 0, negatives: 0, bytes: 0 },
  ...{ decimals: 0, decimalsMax: decimalsLimit },
};

/**
 * Facts of a table's segments, added up by place: a table of thousands of columns is described
 * again and again, and only segments that came or went since are read for it.
 */
export class SegmentFacts {
  /** Each with the bytes of its columns as they were: those of an open one grow. */
  readonly #added = new Map<StoredSegment, ReadonlyMap<string, number>>();
  readonly #places = new Map<string, CountedFacts>();

  constructor(segments: readonly StoredSegment[] = []) {
    this.follow(segments);
  }

  /** Makes the facts cover exactly these segments. */
  follow(segments: readonly StoredSegment[]): void {
    const wanted = new Set(segments);
    for (const [segment, bytes] of this.#added) {
      if (wanted.has(segment)) continue;
      this.#added.delete(segment);
      this.#count(segment, bytes, -1);
    }
    for (const segment of wanted) {
      if (this.#added.has(segment)) continue;
      const bytes = segment.sorted ? segment.columnBytes : new Map(segment.columnBytes);
      this.#added.set(segment, bytes);
      this.#count(segment, bytes, 1);
    }
  }

  of(place: string): PlaceFacts {
    return this.#places.get(place) ?? noFacts;
  }

  #count({ columns }: StoredSegment, bytes: ReadonlyMap<string, number>, sign: 1 | -1): void {
    for (const [place, taken] of bytes) this.#at(place).bytes += sign * taken;
    for (const [place, column] of columns) {
      const facts = this.#at(place);
      facts.segments += sign;
      if (column.kind === "int") facts.countInts(column, sign);
    }
  }

  #at(place: string): CountedFacts {
    let facts = this.#places.get(place);
    if (facts === undefined) {
      facts = new CountedFacts();
      this.#places.set(place, facts);
    }
    return facts;
  }
}

class CountedFacts implements PlaceFacts {
  segments = 0;
  negatives = 0;
  bytes = 0;
  /** Segments by their decimals, and by the room of their numbers. */
  readonly #decimals = new Map<number, number>();
  readonly #rooms = new Map<number, number>();

  get decimals(): number {
    return Math.max(0, ...this.#decimals.keys());
  }

  get decimalsMax(): number {
    return Math.min(decimalsLimit, ...this.#rooms.keys());
  }

  countInts(column: IntColumn, sign: 1 | -1): void {
    // Without a value the least is above the greatest.
    if (column.min < 0n && column.min <= column.max) this.negatives += sign;
    count(this.#decimals, column.decimals, sign);
    count(this.#rooms, decimalRoomOf(column), sign);
  }
}

function count(counts: Map<number, number>, key: number, sign: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + sign;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
}
