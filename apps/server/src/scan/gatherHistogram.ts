import type { KernelOperations, RowSet } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import type { ColumnReader } from "../column/readColumn.js";
import type { HistogramShape, HistogramStore, ScanUnit, SegmentInput } from "./scanTask.js";
import type { Scratch } from "./scratch.js";

export interface HistogramContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly reader: ColumnReader;
  readonly scratch: Scratch;
}

type Sparse = Extract<HistogramStore, { kind: "sparse" }>;

/** How many pairs each sparse table holds so far. A task's stores are its own objects, so its counts go with it. */
const pairCounts = new WeakMap<Sparse, number>();

export function pairCountOf(store: Sparse): number {
  return pairCounts.get(store) ?? 0;
}

/** Adds the values of the rows to the histograms of their groups. */
export function gatherHistogram(
  context: HistogramContext,
  state: HistogramShape & { readonly store: HistogramStore },
  unit: ScanUnit,
  rows: RowSet,
  groups: number,
  input: SegmentInput,
): void {
  const { values, base, present } = input;
  const { store, subBits, firstBucket, bucketCount } = state;
  if (store.kind === "sparse") {
    gatherPairs(context, state, store, unit, rows, groups, input);
    return;
  }
  context.kernel.addToHistograms(
    store.buckets,
    groups,
    rows,
    values,
    base,
    unit.weights,
    present,
    subBits,
    firstBucket,
    bucketCount,
  );
}

/** With many groups most buckets stay empty: pairs of group and bucket are hashed, and weights summed by pair. */
function gatherPairs(
  { memory, kernel, reader, scratch }: HistogramContext,
  shape: HistogramShape,
  store: Sparse,
  unit: ScanUnit,
  rows: RowSet,
  groups: number,
  input: SegmentInput,
): void {
  const { buffer } = memory;
  const groupOf = new Uint32Array(buffer, groups, groups === 0 ? 0 : rows.count);
  const listed = new Uint32Array(buffer, rows.rows, rows.rows === 0 ? 0 : rows.count);
  const keys = new Uint32Array(buffer, scratch.keys, rows.count * 2);
  const pairRows = new Uint32Array(buffer, scratch.pairRows, rows.count);
  const bucketOf = createBucketing(shape.subBits);
  let count = 0;
  for (let k = 0; k < rows.count; k++) {
    const row = rows.rows === 0 ? rows.start + k : listed[k]!;
    if (!reader.isPresent(input.present, row)) continue;
    const bucket = bucketOf(Number(reader.int(input, row))) - shape.firstBucket;
    const key = (groups === 0 ? 0 : groupOf[k]!) * shape.bucketCount + bucket;
    keys[count * 2] = key >>> 0;
    keys[count * 2 + 1] = key / 2 ** 32;
    pairRows[count++] = row;
  }
  const before = pairCountOf(store);
  const after = kernel.hashKeys(scratch.pairs, scratch.keys, count, store.table, before);
  if (after < 0) {
    const neededBytes = store.table.groupsMax * 2 * 32;
    throw new HadalError("query-memory", {
      neededBytes,
      limitName: "histogramPairsMax",
      freeBytes: neededBytes / 2,
    });
  }
  pairCounts.set(store, after);
  const pairSet: RowSet = { start: 0, count, rows: scratch.pairRows };
  kernel.addWeights(store.weights, scratch.pairs, pairSet, unit.weights, 0);
}

/** The kernel's logLinearBucket by typed arrays instead of BigInt: the exponent and top bits lie in the upper word of an f64. */
function createBucketing(subBits: number): (value: number) => number {
  const float = new Float64Array(1);
  const words = new Int32Array(float.buffer);
  const shift = 20 - subBits;
  const zero = (1023 << subBits) - 1;
  return (value) => {
    if (value === 0) return 0;
    float[0] = Math.abs(value);
    const bucket = (words[1]! >> shift) - zero;
    return value < 0 ? -bucket : bucket;
  };
}
