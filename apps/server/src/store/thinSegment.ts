import { sampleRateColumn, sampleRateMax } from "@hadal/sdk";
import { gatherCells } from "../base/gatherRows.js";
import type { BatchColumn, IntBatchColumn, RowBatch } from "../base/rowBatch.js";
import { createColumnReader } from "../column/readColumn.js";
import { mergeSegments } from "./mergeSegments.js";
import { RawSizes, rawSizesOf } from "./rawSizes.js";
import type { SealedSegment } from "./sealSegment.js";
import type { SegmentOrigin } from "./segmentCodec.js";
import { timesOf } from "./segmentView.js";
import type { TableContext } from "./tableContext.js";

/** Rows wholly before a time are to be down to one in `keepOneIn`. */
export interface ThinningBounds {
  readonly beforeMs: number;
  readonly keepOneIn: number;
}

const minuteMs = 60_000;
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
export function chooseRows({ generation, thinned, rowCount }: SealedSegment, factor: number) {
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

/** Rows per minute of event time that stay of a segment. */
export function keptMinutes(
  segment: SealedSegment,
  factor: number,
  { memory }: Pick<TableContext, "memory">,
): Map<number, number> {
  const reader = createColumnReader(memory.memory);
  const times = timesOf(segment);
  const minutes = new Map<number, number>();
  for (const row of chooseRows(segment, factor)) {
    const minute = Math.floor(Number(reader.storedInt(times, row, segment.rowCount)) / minuteMs);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  return minutes;
}

export interface ThinnedSegment {
  readonly segment: SealedSegment;
  readonly origin: SegmentOrigin;
}

/** The segment with the rows that stay, of which there is one at least; null as in {@link mergeSegments}. */
export async function thinSegment(
  segment: SealedSegment,
  { batches }: SegmentOrigin,
  factor: number,
  context: TableContext,
  pause: () => Promise<void>,
  isStopped: () => boolean,
): Promise<ThinnedSegment | null> {
  const rows = chooseRows(segment, factor);
  const rawSizes = new RawSizes();
  let next = 0;
  const change = (batch: RowBatch, first: number): RowBatch => {
    const from = next;
    while (next < rows.length && rows[next]! < first + batch.rowCount) next++;
    const kept = keepRows(
      batch,
      rows.subarray(from, next).map((row) => row - first),
      factor,
    );
    rawSizes.add(rawSizesOf(kept));
    return kept;
  };
  const minutes = keptMinutes(segment, factor, context);
  const options = { pause, isStopped, change };
  const merged = await mergeSegments([segment], context, options);
  if (merged === null) return null;
  return {
    segment: { ...merged, thinned: segment.thinned * factor },
    origin: { batches, minutes: [...minutes], rawSizes: rawSizes.list() },
  };
}

/** Some rows of a batch, each standing for `factor` times as many. */
function keepRows(batch: RowBatch, rows: Uint32Array, factor: number): RowBatch {
  const columns = batch.columns
    .filter(({ name }) => name !== sampleRateColumn)
    .map((column) => gatherCells(column, rows));
  const rates = batch.columns.find(({ name }) => name === sampleRateColumn);
  const multiplied = multiplyRates(rates, rows, factor);
  return {
    rowCount: rows.length,
    times: Float64Array.from(rows, (row) => batch.times[row]!),
    columns: [...columns, multiplied],
  };
}

/** A row without a rate stood for itself. */
function multiplyRates(
  rates: BatchColumn | undefined,
  rows: Uint32Array,
  factor: number,
): IntBatchColumn {
  const values = BigInt64Array.from(rows, (row) => {
    if (rates?.type !== "int" || rates.present?.[row] === 0) return BigInt(factor);
    return rates.values[row]! * BigInt(factor);
  });
  return { name: sampleRateColumn, type: "int", decimals: 0, values, present: null };
}
