import type { BitmapAddress, HashTable, KernelOperations, RowSet, Values } from "./contract.js";
import type { AccumulateName, GroupName, SealName, SelectionName } from "./operationNames.js";
import { type AutomatonExports, automatonOperations } from "./operations/automaton.js";
import { type BestGroupExports, bestGroupOperations } from "./operations/bestGroups.js";
import { type BucketExports, bucketOperations } from "./operations/buckets.js";
import { codeBitsOperations } from "./operations/codeBits.js";
import { type DealExports, dealOperations } from "./operations/deal.js";
import { type DistinctExports, distinctOperations } from "./operations/distinct.js";
import { type GroupCodeExports, groupCodeOperations } from "./operations/groupCodes.js";
import { type NarrowExports, narrowOperations } from "./operations/narrow.js";
import { type PackedExports, packedOperations } from "./operations/packed.js";
import { type PartedKeyExports, partedKeyOperations } from "./operations/partedKeys.js";
import { type RadixExports, radixOperations } from "./operations/radix.js";
import { type ScanProgramExports, scanProgramOperations } from "./operations/scanProgram.js";
import { type SpreadExports, spreadOperations } from "./operations/spread.js";
import { type SquareExports, squareOperations } from "./operations/squares.js";
import { templateOperations } from "./operations/templates.js";
import { textOperations } from "./operations/text.js";
import { type TotalExports, totalOperations } from "./operations/totals.js";
import { type ValueTableExports, valueTableOperations } from "./operations/valueTable.js";

/**
 * The WASM kernel over this memory. Instantiates at once, so every thread makes its own over the one
 * shared memory; operations keep no state, so threads need no agreement but on where each writes (and one on whether loops
 * read ahead, switchReadAhead).
 */
export function createKernel(
  memory: WebAssembly.Memory,
  module: WebAssembly.Module,
): KernelOperations {
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  const wasm = instance.exports as unknown as KernelExports;
  return {
    ...selectionOperations(wasm),
    ...groupOperations(wasm),
    ...accumulateOperations(wasm),
    ...sealOperations(wasm),
    ...narrowOperations(wasm),
    ...packedOperations(wasm),
    ...partedKeyOperations(wasm),
    ...automatonOperations(wasm),
    ...bestGroupOperations(wasm),
    ...groupCodeOperations(wasm),
    ...scanProgramOperations(wasm),
    ...spreadOperations(wasm),
    ...squareOperations(wasm),
    ...dealOperations(wasm),
    ...distinctOperations(wasm),
    ...codeBitsOperations(instance.exports),
    ...templateOperations(instance.exports),
    ...textOperations(instance.exports),
    ...bucketOperations(wasm),
    ...totalOperations(wasm),
    ...valueTableOperations(wasm),
    ...radixOperations(wasm),
  };
}

function selectionOperations(wasm: KernelExports): Pick<KernelOperations, SelectionName> {
  return {
    selectRows: wasm.selectRows,
    selectRange: (out, values, rowCount, low, high) =>
      wasm.selectRange(out, values.address, values.width, rowCount, low, high),
    selectCodes: (out, values, rowCount, codes, codeCount, scratch) =>
      wasm.selectCodes(out, values.address, values.width, rowCount, codes, codeCount, scratch),
    andInto: wasm.andInto,
    orInto: wasm.orInto,
    andNotInto: wasm.andNotInto,
    countSelected: (selection, rowCount) => wasm.countSelected(selection, rowCount) >>> 0,
    rowsOfSelection: (selection, rowCount, out) =>
      wasm.rowsOfSelection(selection, rowCount, out) >>> 0,
    lowerBound: (values, rowCount, bound) =>
      wasm.lowerBound(values.address, values.width, rowCount, bound) >>> 0,
  };
}

function groupOperations(wasm: KernelExports): Pick<KernelOperations, GroupName> {
  return {
    clearGroups: wasm.clearGroups,
    addCodeGroups: (out, values, { start, count, rows }, stride) =>
      wasm.addCodeGroups(out, values.address, values.width, start, count, rows, stride),
    addIntGroups: (out, values, present, { start, count, rows }, base, stride) =>
      wasm.addIntGroups(
        ...([out, values.address, values.width, present, start, count, rows, base] as const),
        stride,
      ),
    addEdgeGroups: (out, values, base, { start, count, rows }, edges, edgeCount, stride) =>
      wasm.addEdgeGroups(
        ...([out, values.address, values.width, base, start, count, rows] as const),
        ...([edges, edgeCount, stride] as const),
      ),
    clearKeys: wasm.clearKeys,
    addCodeKeys: (keys, values, { start, count, rows }, multiplier) =>
      wasm.addCodeKeys(keys, values.address, values.width, start, count, rows, multiplier),
    addIntKeys: (keys, values, present, { start, count, rows }, base, multiplier) =>
      wasm.addIntKeys(
        ...([keys, values.address, values.width, present, start, count, rows, base] as const),
        multiplier,
      ),
    addEdgeKeys: (keys, values, base, { start, count, rows }, edges, edgeCount, multiplier) =>
      wasm.addEdgeKeys(
        ...([keys, values.address, values.width, base, start, count, rows] as const),
        ...([edges, edgeCount, multiplier] as const),
      ),
    hashKeys: (groups, keys, count, table, groupCount) =>
      wasm.hashKeys(
        ...([groups, keys, count, ...slotsOf(table)] as const),
        ...([table.keys, table.groupsMax, groupCount] as const),
      ),
    clearHashTable: (table) => wasm.clearHashTable(...slotsOf(table)),
  };
}

function accumulateOperations(wasm: KernelExports): Pick<KernelOperations, AccumulateName> {
  return {
    addRows: wasm.addRows,
    addWeights: (sums, groups, { start, count, rows }, weights, present) =>
      wasm.addWeights(sums, groups, start, count, rows, ...weightsOf(weights), present),
    addProducts: (sums, groups, rows, values, base, weights, present) =>
      wasm.addProducts(
        ...accumulation(sums, groups, rows, values),
        ...([base, ...weightsOf(weights), present] as const),
      ),
    addWideProducts: (sums, groups, rows, values, base, weights, present) =>
      wasm.addWideProducts(
        ...accumulation(sums, groups, rows, values),
        ...([base, ...weightsOf(weights), present] as const),
      ),
    addMinimums: (extremes, groups, rows, values, base, present) =>
      wasm.addMinimums(...accumulation(extremes, groups, rows, values), base, present),
    addMaximums: (extremes, groups, rows, values, base, present) =>
      wasm.addMaximums(...accumulation(extremes, groups, rows, values), base, present),
    addToHistograms: (histogram, groups, rows, values, base, weights, present, small, shape) =>
      wasm.addToHistograms(
        ...accumulation(histogram, groups, rows, values),
        ...([base, ...weightsOf(weights), present, small ? 1 : 0] as const),
        ...([shape.subBits, shape.firstBucket, shape.bucketCount] as const),
      ),
  };
}

function sealOperations(wasm: KernelExports): Pick<KernelOperations, SealName> {
  return {
    sortByTime: wasm.sortByTime,
    permuteInts: (out, values, present, order, rowCount, base) =>
      wasm.permuteInts(
        ...([out.address, out.width, values.address, values.width] as const),
        ...([present, order, rowCount, base] as const),
      ),
    permuteCodes: (out, codes, order, rowCount) =>
      wasm.permuteCodes(out.address, out.width, codes, order, rowCount),
    permuteBits: wasm.permuteBits,
    findRange: wasm.findRange,
    takeTimes: wasm.takeTimes,
  };
}

/** Target, groups, start, count, rows, values, width: how every accumulation begins. */
type Accumulation = readonly [number, number, number, number, number, number, number];

const accumulation = (
  target: number,
  groups: number,
  { start, count, rows }: RowSet,
  values: Values,
): Accumulation => [target, groups, start, count, rows, values.address, values.width];

/** No weights are a width of 0. */
const weightsOf = (weights: Values | null): readonly [number, number] =>
  weights === null ? [0, 0] : [weights.address, weights.width];

const slotsOf = (table: HashTable): readonly [number, number] => [table.slots, table.slotCount];

/** The exports of assembly/index.ts, flat as WASM has them. */
interface KernelExports
  extends GroupCodeExports,
    AutomatonExports,
    BestGroupExports,
    NarrowExports,
    PackedExports,
    PartedKeyExports,
    RadixExports,
    ScanProgramExports,
    SpreadExports,
    SquareExports,
    BucketExports,
    DealExports,
    DistinctExports,
    TotalExports,
    ValueTableExports,
    Pick<
      KernelOperations,
      | "selectRows"
      | "andInto"
      | "orInto"
      | "andNotInto"
      | "countSelected"
      | "rowsOfSelection"
      | "clearGroups"
      | "clearKeys"
      | "addRows"
      | "sortByTime"
      | "permuteBits"
      | "findRange"
      | "takeTimes"
    > {
  selectRange(...a: [out: number, ...Column, rowCount: number, low: bigint, high: bigint]): void;
  selectCodes(
    ...a: [
      out: number,
      ...Column,
      rowCount: number,
      codes: number,
      codeCount: number,
      scratch: number,
    ]
  ): void;
  lowerBound(...a: [...Column, rowCount: number, bound: bigint]): number;
  addCodeGroups(...a: [out: number, ...Column, ...Rows, stride: number]): void;
  addCodeKeys(...a: [keys: number, ...Column, ...Rows, multiplier: bigint]): void;
  addIntGroups(
    ...a: [out: number, ...Column, BitmapAddress, ...Rows, base: bigint, stride: number]
  ): void;
  addIntKeys(
    ...a: [keys: number, ...Column, BitmapAddress, ...Rows, base: bigint, multiplier: bigint]
  ): void;
  addEdgeGroups(
    ...a: [out: number, ...Column, base: bigint, ...Rows, ...Edges, stride: number]
  ): void;
  addEdgeKeys(
    ...a: [keys: number, ...Column, base: bigint, ...Rows, ...Edges, multiplier: bigint]
  ): void;
  hashKeys(
    ...a: [
      ...[groups: number, keys: number, count: number, slots: number, slotCount: number],
      ...[tableKeys: number, groupsMax: number, groupCount: number],
    ]
  ): number;
  clearHashTable(slots: number, slotCount: number): void;
  addWeights(...a: [sums: number, groups: number, ...Rows, ...Column, BitmapAddress]): void;
  addProducts(...a: [...Accumulation, base: bigint, ...Column, BitmapAddress]): void;
  addWideProducts(...a: [...Accumulation, base: bigint, ...Column, BitmapAddress]): void;
  addMinimums(...a: [...Accumulation, base: bigint, BitmapAddress]): void;
  addMaximums(...a: [...Accumulation, base: bigint, BitmapAddress]): void;
  addToHistograms(
    ...a: [
      ...[...Accumulation, base: bigint, ...Column, BitmapAddress, small: number],
      ...[subBits: number, firstBucket: number, bucketCount: number],
    ]
  ): void;
  permuteInts(
    ...a: [...Column, ...Column, BitmapAddress, order: number, rowCount: number, base: bigint]
  ): void;
  permuteCodes(...a: [...Column, codes: number, order: number, rowCount: number]): void;
}

type Column = [address: number, width: number];
type Rows = [start: number, count: number, rows: number];
type Edges = [edges: number, edgeCount: number];
