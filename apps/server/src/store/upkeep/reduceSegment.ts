import { sampleRateColumn } from "@hadal/sdk";
import type { Reduction } from "../../base/row/reduction.js";
import type { BatchColumn, IntBatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { denseColumn } from "../../base/row/sparseColumn.js";
import { takeCells } from "../../base/row/takeRows.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { LeafExpiry } from "../file/sealedSegments.js";
import type { SegmentOrigin } from "../file/segmentHead.js";
import { RawSizes, rawSizesOf } from "../segment/rawSizes.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { timesOf } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";
import { newestRows } from "./cutSegment.js";
import { type MergeOptions, mergeSegments } from "./mergeSegments.js";
import { thinnedRows, thinningFactor } from "./thinSegment.js";

const minuteMs = 60_000;

/** Rows of a segment that stay, ascending, and the factor by which the weight of each grows. */
export interface RowChoice {
  readonly rows: Uint32Array;
  readonly factor: number;
}

/**
 * Null: the segment is reduced already, or cannot be rewritten. A restart chooses the same rows
 * again.
 */
export function chooseRows(segment: SealedSegment, reduction: Reduction): RowChoice | null {
  // In a rewritten segment, lost values would look like missing ones.
  if (segment.lostColumns.size > 0) return null;
  if ("keepNewest" in reduction) {
    const { keepNewest } = reduction;
    return segment.rowCount <= keepNewest
      ? null
      : { rows: newestRows(segment, keepNewest), factor: 1 };
  }
  const factor = thinningFactor(segment, reduction.keepOneIn);
  return factor === 1 ? null : { rows: thinnedRows(segment, factor), factor };
}

/** Rows per minute of event time that stay of a segment. */
function keptMinutes(
  segment: SealedSegment,
  { rows }: RowChoice,
  { memory }: Pick<TableContext, "memory">,
): Map<number, number> {
  const reader = createColumnReader(memory.memory);
  const times = timesOf(segment);
  const minutes = new Map<number, number>();
  for (const row of rows) {
    const minute = Math.floor(Number(reader.storedInt(times, row, segment.rowCount)) / minuteMs);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  return minutes;
}

/** Rows per minute that a reduction removes from segments; `held`: all of their rows. */
export function removedMinutes(
  segments: readonly SealedSegment[],
  held: LeafExpiry["rows"],
  reduction: Reduction,
  context: Pick<TableContext, "memory">,
): LeafExpiry["rows"] {
  const removed = new Map(held.minutes.map((minute, i) => [minute, held.counts[i]!]));
  for (const segment of segments) {
    const choice = chooseRows(segment, reduction);
    if (choice === null) continue;
    for (const [minute, rows] of keptMinutes(segment, choice, context))
      removed.set(minute, removed.get(minute)! - rows);
  }
  const some = [...removed].filter(([, rows]) => rows > 0).sort(([a], [b]) => a - b);
  return { minutes: some.map(([minute]) => minute), counts: some.map(([, rows]) => rows) };
}

export interface ReducedSegment {
  readonly segment: SealedSegment;
  readonly origin: SegmentOrigin;
}

/** A segment that loses rows, and the receipts of its batches, which stay. */
interface ReductionSource {
  readonly segment: SealedSegment;
  readonly batches: SegmentOrigin["batches"];
}

/** The segment with the rows that stay, at least one; null as in {@link mergeSegments}. */
export async function reduceSegment(
  { segment, batches }: ReductionSource,
  choice: RowChoice,
  context: TableContext,
  { pause, isStopped }: Pick<MergeOptions, "pause" | "isStopped">,
): Promise<ReducedSegment | null> {
  const { rows, factor } = choice;
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
  const minutes = keptMinutes(segment, choice, context);
  const options = { pause, isStopped, change, addsRates: factor > 1 };
  const merged = await mergeSegments([segment], context, options);
  if (merged === null) return null;
  return {
    segment: { ...merged, thinned: segment.thinned * factor },
    origin: { batches, minutes: [...minutes], rawSizes: rawSizes.list() },
  };
}

/** Some rows of a batch, each with `factor` times its weight. */
function keepRows(batch: RowBatch, rows: Uint32Array, factor: number): RowBatch {
  const times = Float64Array.from(rows, (row) => batch.times[row]!);
  if (factor === 1) {
    const columns = batch.columns.map((column) =>
      takeCells(denseColumn(column, batch.rowCount), rows),
    );
    return { rowCount: rows.length, times, columns };
  }
  const columns = batch.columns
    .filter(({ name }) => name !== sampleRateColumn)
    .map((column) => takeCells(denseColumn(column, batch.rowCount), rows));
  const rates = batch.columns.find(({ name }) => name === sampleRateColumn);
  const multiplied = multiplyRates(rates, rows, factor);
  return { rowCount: rows.length, times, columns: [...columns, multiplied] };
}

/** A row without a rate has the weight 1. */
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
