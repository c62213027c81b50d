import type { RowSet, Values } from "@hadal/kernel-wasm";
import { fitsInt64 } from "../../column/decimal.js";
import type { IntColumn } from "../../column/segmentColumn.js";
import { firstOfRun, type RowSample, sampledCount } from "../segment/rowSample.js";
import type { WeighingContext } from "../segment/sealContext.js";
import { type ColumnSums, noSpread, type Spread, spreadSums } from "../segment/segmentView.js";
import type { IntSource } from "../segment/weighedInts.js";

/**
 * A spread serves to estimate an error: this many runs of rows, all over the segment, are as good
 * as all rows.
 */
const spreadSample: RowSample = { runs: 16, runRows: 256, wholeMax: 8_192 };

/** Rows of `spreadSample` with a weight above 1: the others add nothing to a spread. */
export interface SpreadRows {
  /** u32 each. */
  readonly address: number;
  readonly count: number;
}

export const spreadRowsBytes = sampledCount(spreadSample) * 4;

/** Lists them at the address. Null: all rows are taken. */
export function listSpreadRows(
  address: number,
  weights: Values,
  { memory, rowCount }: Pick<WeighingContext, "memory" | "rowCount">,
): SpreadRows | null {
  const { runs, runRows, wholeMax } = spreadSample;
  if (rowCount <= wholeMax) return null;
  const rows = new Uint32Array(memory.buffer, address, sampledCount(spreadSample));
  const weightOf = weightsAt(weights, rowCount, memory);
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const first = firstOfRun(spreadSample, run, rowCount);
    for (let row = first; row < first + runRows; row++) {
      // No branch: which rows they are is as good as random.
      rows[count] = row;
      count += Math.min(weightOf[row]!, 2) >> 1;
    }
  }
  return { address, count };
}

function weightsAt(
  { address, width }: Values,
  rowCount: number,
  { buffer }: WebAssembly.Memory,
): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return new Uint8Array(buffer, address, rowCount);
  if (width === 2) return new Uint16Array(buffer, address, rowCount);
  return new Uint32Array(buffer, address, rowCount);
}

/**
 * Sums a column with the weights of its rows. `spreadRows` null: the spread is measured on all
 * rows.
 */
export function sealSums(
  column: IntColumn,
  source: IntSource,
  spreadRows: SpreadRows | null,
  context: WeighingContext,
): ColumnSums {
  const { memory, kernel, rowCount, weightTotal } = context;
  const { values, weights, count } = source.weighed;
  const rows: RowSet = { start: 0, count, rows: 0 };
  const out = context.takeScratch(32);
  const view = new BigInt64Array(memory.buffer, out, 4);
  view.fill(0n);
  const { base, present, min, max } = column;
  // biome-ignore lint/complexity/useMathMinMax: Math.max does not take BigInt.
  const magnitude = max > -min ? max : -min;
  const fits = weightTotal < 2 ** 53 && fitsInt64(magnitude * BigInt(weightTotal));
  if (fits) kernel.addProducts(out, 0, rows, values, base, weights, present);
  else kernel.addWideProducts(out, 0, rows, values, base, weights, present);
  if (present === 0) view[3] = BigInt(weightTotal);
  else kernel.addWeights(out + 24, 0, rows, weights, present);
  return {
    presentRows: present === 0 ? rowCount : kernel.countSelected(present, rowCount),
    presentWeight: Number(view[3]),
    weightedSum: fits ? view[0]! : view[0]! + (view[1]! << 32n) + (view[2]! << 64n),
    spread: spreadOf(column, source, spreadRows, context),
  };
}

function spreadOf(
  { base, present }: IntColumn,
  { plain, weights }: IntSource,
  spreadRows: SpreadRows | null,
  { memory, kernel, rowCount, takeScratch }: WeighingContext,
): Spread {
  if (weights === null) return noSpread;
  const values = plain();
  const out = takeScratch(8 * spreadSums);
  const sums = new Float64Array(memory.buffer, out, spreadSums);
  sums.fill(0);
  // A sample may have any share of the rows without a value.
  const sampled = present === 0 ? spreadRows : null;
  const rows: RowSet =
    sampled === null
      ? { start: 0, count: rowCount, rows: 0 }
      : { start: 0, count: sampled.count, rows: sampled.address };
  const scale = sampled === null ? 1 : rowCount / sampledCount(spreadSample);
  kernel.addSpread(out, 0, rows, values, base, weights, present, scale);
  const [ones = 0, linear = 0, square = 0, cube = 0] = sums;
  return [ones, linear, square, cube];
}
