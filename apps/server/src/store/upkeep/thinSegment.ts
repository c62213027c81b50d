import { sampleRateColumn, sampleRateMax } from "@hadal/sdk";
import type { SealedSegment } from "../segment/sealedSegment.js";

/** Rows wholly before a time are to be down to one in `keepOneIn`. */
export interface ThinningBounds {
  readonly beforeMs: number;
  readonly keepOneIn: number;
}

/** Segments thinned on one order: some seconds' work of a busy leaf. */
const segmentsAtOnceMax = 16;

/** Segments to be thinned, oldest first; those that cannot be, because a row would stand for too many, stay as they are. */
export function chooseThinned(
  segments: readonly SealedSegment[],
  { beforeMs, keepOneIn }: ThinningBounds,
): readonly SealedSegment[] {
  return segments
    .filter((segment) => segment.maxMs < beforeMs && thinningFactor(segment, keepOneIn) > 1)
    .sort((a, b) => a.maxMs - b.maxMs)
    .slice(0, segmentsAtOnceMax);
}

/** Of how many rows one stays, so that it is one in `keepOneIn` of those that came, or a few more; 1: all stay. */
export function thinningFactor(segment: SealedSegment, keepOneIn: number): number {
  // Its file is the only place where a later version might find the values.
  if (segment.lostColumns.size > 0) return 1;
  const factor = Math.floor(keepOneIn / segment.thinned);
  const rates = segment.columns.get(sampleRateColumn);
  const isRate = rates === undefined || (rates.kind === "int" && rates.decimals === 0);
  return isRate && factor > 1 && segment.weightMax * factor <= sampleRateMax ? factor : 1;
}

/**
 * The rows that stay: one of every `factor` neighbours in time, at a place that depends on nothing but the number of
 * the segment and of the neighbourhood. So each row stays with the same chance, whatever it holds, and the same rows are
 * chosen again after a restart.
 */
export function thinnedRows(
  { generation, thinned, rowCount }: SealedSegment,
  factor: number,
): Uint32Array {
  const rows: number[] = [];
  for (let block = 0; block * factor < rowCount; block++) {
    const row = block * factor + Math.floor(chance(generation, thinned, block) * factor);
    if (row < rowCount) rows.push(row);
  }
  return Uint32Array.from(rows);
}

/** From 0 to below 1, evenly: the finalizer of MurmurHash3 over the three numbers. */
function chance(...numbers: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const number of numbers) {
    hash = Math.imul(hash ^ (number >>> 0), 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) / 2 ** 32;
}
