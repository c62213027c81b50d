import { sampleRateColumn } from "@hadal/sdk";
import type { Reduction } from "../../base/row/reduction.js";
import type { BatchColumn, IntBatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { denseColumn } from "../../base/row/sparseColumn.js";
import { takeCells } from "../../base/row/takeRows.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { SegmentOrigin } from "../file/segmentCodec.js";
import { RawSizes, rawSizesOf } from "../segment/rawSizes.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { timesOf } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";
import { newestRows } from "./cutSegment.js";
import { mergeSegments } from "./mergeSegments.js";
import { thinnedRows, thinningFactor } from "./thinSegment.js";

const minuteMs = 60_000;

/** Rows of a segment that stay, ascending, and for how many times as many each stands from then on. */
export interface RowChoice {
  readonly rows: Uint32Array;
  readonly factor: number;
}

/** Null: the segment is so already, or cannot be written anew. The same rows are chosen again after a restart. */
export function chooseRows(segment: SealedSegment, reduction: Reduction): RowChoice | null {
  // Written anew, values that are lost would look like values that the rows never had.
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
export function keptMinutes(
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

export interface ReducedSegment {
  readonly segment: SealedSegment;
  readonly origin: SegmentOrigin;
}

/** The segment with the rows that stay, of which there is one at least; null as in {@link mergeSegments}. */
export async function reduceSegment(
  segment: SealedSegment,
  { batches }: SegmentOrigin,
  choice: RowChoice,
  context: TableContext,
  pause: () => Promise<void>,
  isStopped: () => boolean,
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

/** Some rows of a batch, each standing for `factor` times as many. */
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
