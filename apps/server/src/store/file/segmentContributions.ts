import type { RawSize } from "../segment/rawSizes.js";
import type { SegmentOrigin } from "./segmentHead.js";

/** The contribution of a sealed segment to a table's totals. */
export interface SegmentContribution {
  readonly minutes: readonly (readonly [minute: number, rowCount: number])[];
  readonly rawSizes: readonly RawSize[];
}

/**
 * The contribution of each sealed segment to a table's totals, and which of them are on the disk.
 */
export class SegmentContributions {
  readonly #contributions = new Map<number, SegmentContribution>();
  readonly #onDisk = new Set<number>();

  add(generation: number, { minutes, rawSizes }: SegmentOrigin): void {
    this.#contributions.set(generation, { minutes, rawSizes });
  }

  noteOnDisk(generation: number): void {
    this.#onDisk.add(generation);
  }

  isOnDisk(generation: number): boolean {
    return this.#onDisk.has(generation);
  }

  find(generation: number): SegmentContribution {
    const contribution = this.#contributions.get(generation);
    if (contribution === undefined) throw new Error(`segment ${generation} has no contribution`);
    return contribution;
  }

  remove(generation: number): void {
    this.#contributions.delete(generation);
    this.#onDisk.delete(generation);
  }
}

/** Rows per minute of several segments together, minutes ascending. */
export function sumMinutes(contributions: readonly SegmentContribution[]): {
  minutes: readonly number[];
  counts: readonly number[];
} {
  const sums = new Map<number, number>();
  for (const { minutes } of contributions) {
    for (const [minute, rowCount] of minutes) sums.set(minute, (sums.get(minute) ?? 0) + rowCount);
  }
  const minutes = [...sums.keys()].sort((a, b) => a - b);
  return { minutes, counts: minutes.map((minute) => sums.get(minute)!) };
}
