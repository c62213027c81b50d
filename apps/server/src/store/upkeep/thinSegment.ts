import { sampleRateColumn, sampleRateMax } from "@hadal/sdk";
import type { Thinning } from "../../base/row/reduction.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { chance } from "./chance.js";

/** Segments wholly before a time shall keep one row in `keepOneIn`. */
export interface ThinningBounds extends Thinning {
  readonly beforeMs: number;
}

/** Segments thinned by one order: some seconds of work on a busy leaf. */
const segmentsAtOnceMax = 16;

/** Segments to thin, oldest first, without those where a row's weight would become too large. */
export function chooseThinned(
  segments: readonly SealedSegment[],
  { beforeMs, keepOneIn }: Pick<ThinningBounds, "beforeMs" | "keepOneIn">,
): readonly SealedSegment[] {
  return segments
    .filter((segment) => segment.maxMs < beforeMs && thinningFactor(segment, keepOneIn) > 1)
    .sort((a, b) => a.maxMs - b.maxMs)
    .slice(0, segmentsAtOnceMax);
}

/**
 * The factor of thinning: one row in this many stays, so that at least one in `keepOneIn` of the
 * original rows is left; 1: all stay.
 */
export function thinningFactor(segment: SealedSegment, keepOneIn: number): number {
  // A later version may be able to read the values from its file.
  if (segment.lostColumns.size > 0) return 1;
  const factor = Math.floor(keepOneIn / segment.thinned);
  const rates = segment.columns.get(sampleRateColumn);
  const isRate = rates === undefined || (rates.kind === "int" && rates.decimals === 0);
  return isRate && factor > 1 && segment.weightMax * factor <= sampleRateMax ? factor : 1;
}

/**
 * The rows that stay: one of every `factor` neighbours in time, chosen by the numbers of the
 * segment and of the neighbourhood alone. So each row stays with the same probability, and a
 * restart chooses the same rows again.
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
