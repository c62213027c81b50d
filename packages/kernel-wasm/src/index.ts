export type { BitmapAddress, HashTable, RowSet, Values } from "./base/addresses.js";
export { hashBytes, mixElement } from "./base/elements.js";
export {
  bucketBounds,
  coarserBucket,
  finerBuckets,
  logLinearBucket,
  subBitsMax,
} from "./base/logLinear.js";
export {
  createSharedMemory,
  kernelReservedBytes,
  sharedMemoryBytesMax,
  switchReadAhead,
} from "./base/memory.js";
export type { KernelOperations } from "./contract.js";
export {
  accepts,
  cell,
  type JsonCells,
  type JsonPlace,
  type RowLayout,
  rowLayout,
} from "./json/jsonCells.js";
export { placesMax } from "./json/jsonLayout.js";
export { type HashedTexts, JsonRows } from "./json/jsonRows.js";
export { createKernel } from "./kernel.js";
export {
  loadJsonModule,
  loadJsonModuleSync,
  loadKernelModule,
  loadKernelModuleSync,
} from "./loadModule.js";
export type { RankedGroups } from "./operations/aggregate/bestGroups.js";
export type { BucketList, HistogramShape } from "./operations/aggregate/buckets.js";
export type { ElementSet } from "./operations/aggregate/distinct.js";
export {
  type LowSumTable,
  packedGroupsMax,
  type TallyTable,
} from "./operations/aggregate/totals.js";
export type { DealTable } from "./operations/group/deal.js";
export type { ExplodedRows } from "./operations/group/groupCodes.js";
export {
  type NarrowGroups,
  type NarrowRank,
  type NarrowTable,
  narrowBatchRows,
  narrowParts,
  narrowPartsBytes,
  rankBins,
} from "./operations/hash/narrow.js";
export {
  type PartedKeyTable,
  partedKeysBytes,
  partedPartBytes,
  unmixKey,
} from "./operations/hash/partedKeys.js";
export { type RadixTable, radixParts } from "./operations/hash/radix.js";
export {
  columnWords,
  type ProgramCondition,
  programFits,
  programHeadBytes,
  programScratchBytes,
  programTotalsBytes,
  unitHeadWords,
  writeProgramColumn,
  writeProgramHead,
  writeProgramUnit,
} from "./operations/program/scanProgram.js";
export { automatonLayout, type OpenTexts } from "./operations/text/automaton.js";
export type {
  PackedTexts,
  RawTexts,
  TemplateSearch,
} from "./operations/text/templates.js";
export {
  type Needle,
  type PageSignature,
  type TextOperations,
  type TextPages,
  templateMatchBytes,
} from "./operations/text/text.js";
export { createReferenceKernel } from "./reference.js";
