import type { KernelOperations, RowSet, Values } from "@hadal/kernel-wasm";
import { fitsInt64 } from "../column/decimal.js";
import type { IntColumn } from "../column/segmentColumn.js";
import { type RowSample, sampledCount } from "./sampleRows.js";
import type { ColumnSums, Spread } from "./segmentView.js";

/** An error is itself an estimate: so many runs of rows, all over the segment, tell it as well as all its rows. */
export const spreadSample: RowSample = { runs: 16, runRows: 256, wholeMax: 8_192 };

export interface SealSumsContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly rowCount: number;
  readonly weightTotal: number;
  /** u32 each: the rows that `spreadSample` takes; 0 where it is all of them. */
  readonly spreadRows: number;
  readonly takeScratch: (bytes: number) => number;
}

/** Adds up a column whose values are plain, with the weights of its rows (A5). */
export function sealSums(
  column: IntColumn,
  weights: Values | null,
  context: SealSumsContext,
): ColumnSums {
  const { memory, kernel, rowCount, weightTotal } = context;
  const rows: RowSet = { start: 0, count: rowCount, rows: 0 };
  const out = context.takeScratch(32);
  const view = new BigInt64Array(memory.buffer, out, 4);
  view.fill(0n);
  const { values, base, present, min, max } = column;
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
    spread: weights === null ? noSpread : spreadOf(column, weights, context),
  };
}

/** Where every row stands for itself, nothing errs. */
export const noSpread: Spread = [0, 0, 0];

function spreadOf(
  { values, base, present }: IntColumn,
  weights: Values,
  { memory, kernel, rowCount, spreadRows, takeScratch }: SealSumsContext,
): Spread {
  const out = takeScratch(24);
  const sums = new Float64Array(memory.buffer, out, 3);
  sums.fill(0);
  // Of rows that lack the value, a sample may have any share.
  const isWhole = present !== 0 || spreadRows === 0;
  const count = isWhole ? rowCount : sampledCount(spreadSample);
  const rows: RowSet = { start: 0, count, rows: isWhole ? 0 : spreadRows };
  kernel.addSpread(out, 0, rows, values, base, weights, present, rowCount / count);
  const [ones = 0, linear = 0, square = 0] = sums;
  return [ones, linear, square];
}
