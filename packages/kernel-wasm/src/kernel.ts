import type { KernelOperations } from "./contract.js";
import {
  type AccumulationExports,
  accumulationOperations,
} from "./operations/aggregate/accumulation.js";
import { type BestGroupExports, bestGroupOperations } from "./operations/aggregate/bestGroups.js";
import { type BucketExports, bucketOperations } from "./operations/aggregate/buckets.js";
import { type DistinctExports, distinctOperations } from "./operations/aggregate/distinct.js";
import { type SpreadExports, spreadOperations } from "./operations/aggregate/spread.js";
import { type SquareExports, squareOperations } from "./operations/aggregate/squares.js";
import { type TotalExports, totalOperations } from "./operations/aggregate/totals.js";
import { type DealExports, dealOperations } from "./operations/group/deal.js";
import { type GroupCodeExports, groupCodeOperations } from "./operations/group/groupCodes.js";
import { type GroupExports, groupOperations } from "./operations/group/groups.js";
import { type HashKeyExports, hashKeyOperations } from "./operations/hash/hashKeys.js";
import { type NarrowExports, narrowOperations } from "./operations/hash/narrow.js";
import { type PartedKeyExports, partedKeyOperations } from "./operations/hash/partedKeys.js";
import { type RadixExports, radixOperations } from "./operations/hash/radix.js";
import {
  type ScanProgramExports,
  scanProgramOperations,
} from "./operations/program/scanProgram.js";
import { codeBitsOperations } from "./operations/seal/codeBits.js";
import { type OrderExports, orderOperations } from "./operations/seal/order.js";
import { type PackedExports, packedOperations } from "./operations/seal/packed.js";
import { type ValueTableExports, valueTableOperations } from "./operations/seal/valueTable.js";
import { type SelectionExports, selectionOperations } from "./operations/select/selections.js";
import { type AutomatonExports, automatonOperations } from "./operations/text/automaton.js";
import { templateOperations } from "./operations/text/templates.js";
import { textOperations } from "./operations/text/text.js";

/**
 * The WASM kernel over this memory. Every thread makes its own over the one shared memory.
 * Operations keep no state: threads only have to write to different places. Whether loops read
 * ahead holds for all of them (switchReadAhead).
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
    ...hashKeyOperations(wasm),
    ...accumulationOperations(wasm),
    ...orderOperations(wasm),
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

/** The exports of assembly/index.ts, flat as WASM has them. */
interface KernelExports
  extends SelectionExports,
    GroupExports,
    HashKeyExports,
    AccumulationExports,
    OrderExports,
    GroupCodeExports,
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
    ValueTableExports {}
