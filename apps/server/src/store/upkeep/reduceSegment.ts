import { sampleRateColumn } from "@hadal/sdk";
import type { Reduction } from "../../base/row/reduction.js";
import type { BatchColumn, IntBatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { denseColumn } from "../../base/row/sparseColumn.js";
import { takeCells } from "../../base/row/takeRows.js";
import type { Steps } from "../../base/schedule/steps.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { LeafExpiry } from "../file/sealedSegments.js";
import type { SegmentOrigin } from "../file/segmentHead.js";
import { RawSizes, rawSizesOf } from "../segment/rawSizes.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { timesOf } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";
import { newestRows } from "./cutSegment.js";
import { type MergeOptions, mergeSegments } from "./mergeSegments.js";
import { rowsByGroups, rowsByKey } from "./thinByBasis.js";
import { thinnedRows, thinningFactor } from "./thinSegment.js";

const minuteMs = 60_000;

/** Rows of a segment that stay, ascending. */
export interface RowChoice {
  readonly rows: Uint32Array;
  /** By how much the weight of each of them grows; null: all weights stay. */
  readonly factors: Uint32Array | null;
  /** How the segment counts as thinned from here on. */
  readonly thinning: Pick<SealedSegment, "thinned" | "thinnedKeys">;
}

/**
 * Null: the segment is reduced already, or cannot be rewritten. A restart chooses the same rows
 * again. The caller keeps the segment pinned.
 */
export function* chooseRows(
  segment: SealedSegment,
  reduction: Reduction,
  context: TableContext,
): Steps<RowChoice | null> {
  // In a rewritten segment, lost values would look like missing ones.
  if (segment.lostColumns.size > 0) return null;
  if ("keepNewest" in reduction) {
    const { keepNewest } = reduction;
    if (segment.rowCount <= keepNewest) return null;
    const thinning = thinningOf(segment.thinned, segment.thinnedKeys);
    return { rows: newestRows(segment, keepNewest), factors: null, thinning };
  }
  const factor = thinningFactor(segment, reduction.keepOneIn);
  if (factor === 1) return null;
  const thinned = segment.thinned * factor;
  const { basis } = reduction;
  if (basis === undefined) {
    const rows = thinnedRows(segment, factor);
    const factors = new Uint32Array(rows.length).fill(factor);
    return { rows, factors, thinning: thinningOf(thinned, segment.thinnedKeys) };
  }
  if (basis.kind === "groups") {
    const chosen = yield* rowsByGroups(segment, basis, factor, context);
    return { ...chosen, thinning: thinningOf(thinned, segment.thinnedKeys) };
  }
  const chosen = yield* rowsByKey(segment, basis.column, factor, context);
  const keys = new Map(segment.thinnedKeys);
  keys.set(basis.column, (keys.get(basis.column) ?? 1) * factor);
  return { ...chosen, thinning: thinningOf(thinned, keys) };
}

const thinningOf = (thinned: number, thinnedKeys: SealedSegment["thinnedKeys"]) => ({
  thinned,
  ...(thinnedKeys === undefined ? {} : { thinnedKeys }),
});

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

/**
 * Rows per minute that a reduction removes from segments, which the caller keeps pinned; `held`: all
 * of their rows.
 */
export function* removedMinutes(
  segments: readonly SealedSegment[],
  held: LeafExpiry["rows"],
  reduction: Reduction,
  context: TableContext,
): Steps<LeafExpiry["rows"]> {
  const removed = new Map(held.minutes.map((minute, i) => [minute, held.counts[i]!]));
  for (const segment of segments) {
    const choice = yield* chooseRows(segment, reduction, context);
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
  const { rows, factors, thinning } = choice;
  const rawSizes = new RawSizes();
  let next = 0;
  const change = (batch: RowBatch, first: number): RowBatch => {
    const from = next;
    while (next < rows.length && rows[next]! < first + batch.rowCount) next++;
    const kept = keepRows(
      batch,
      rows.subarray(from, next).map((row) => row - first),
      factors?.subarray(from, next) ?? null,
    );
    rawSizes.add(rawSizesOf(kept));
    return kept;
  };
  const minutes = keptMinutes(segment, choice, context);
  const options = { pause, isStopped, change, addsRates: factors !== null };
  const merged = await mergeSegments([segment], context, options);
  if (merged === null) return null;
  return {
    segment: { ...merged, ...thinning },
    origin: { batches, minutes: [...minutes], rawSizes: rawSizes.list() },
  };
}

/** Some rows of a batch, each with so many times its weight; null: with its weight. */
function keepRows(batch: RowBatch, rows: Uint32Array, factors: Uint32Array | null): RowBatch {
  const times = Float64Array.from(rows, (row) => batch.times[row]!);
  if (factors === null) {
    const columns = batch.columns.map((column) =>
      takeCells(denseColumn(column, batch.rowCount), rows),
    );
    return { rowCount: rows.length, times, columns };
  }
  const columns = batch.columns
    .filter(({ name }) => name !== sampleRateColumn)
    .map((column) => takeCells(denseColumn(column, batch.rowCount), rows));
  const rates = batch.columns.find(({ name }) => name === sampleRateColumn);
  const multiplied = multiplyRates(rates, rows, factors);
  const hasRate = multiplied.present?.includes(1) !== false;
  return { rowCount: rows.length, times, columns: hasRate ? [...columns, multiplied] : columns };
}

/** A row without a rate has the weight 1, and stays without one where its weight stays. */
function multiplyRates(
  rates: BatchColumn | undefined,
  rows: Uint32Array,
  factors: Uint32Array,
): IntBatchColumn {
  const rateOf = (row: number): bigint | null =>
    rates?.type !== "int" || rates.present?.[row] === 0 ? null : rates.values[row]!;
  const present = Uint8Array.from(rows, (row, i) =>
    Number(factors[i]! > 1 || rateOf(row) !== null),
  );
  const values = BigInt64Array.from(rows, (row, i) => {
    return present[i] === 0 ? 0n : (rateOf(row) ?? 1n) * BigInt(factors[i]!);
  });
  const isWhole = !present.includes(0);
  return {
    ...{ name: sampleRateColumn, type: "int", decimals: 0, values },
    present: isWhole ? null : present,
  };
}
