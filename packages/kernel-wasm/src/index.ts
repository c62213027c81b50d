export type { BitmapAddress, HashTable, KernelOperations, RowSet, Values } from "./contract.js";
export { hashBytes, mixElement } from "./elements.js";
export { placesMax } from "./jsonLayout.js";
export {
  accepts,
  cell,
  type HashedTexts,
  type JsonCells,
  type JsonPlace,
  JsonRows,
  type RowLayout,
  rowLayout,
} from "./jsonRows.js";
export { createKernel } from "./kernel.js";
export {
  loadJsonModule,
  loadJsonModuleSync,
  loadKernelModule,
  loadKernelModuleSync,
} from "./loadModule.js";
export {
  bucketBounds,
  coarserBucket,
  finerBuckets,
  logLinearBucket,
  subBitsMax,
} from "./logLinear.js";
export {
  createSharedMemory,
  kernelReservedBytes,
  sharedMemoryBytesMax,
  switchReadAhead,
} from "./memory.js";
export { automatonLayout, type OpenTexts } from "./operations/automaton.js";
export type { RankedGroups } from "./operations/bestGroups.js";
export type { BucketList, HistogramShape } from "./operations/buckets.js";
export type { DealTable } from "./operations/deal.js";
export type { ElementSet } from "./operations/distinct.js";
export type { ExplodedRows } from "./operations/groupCodes.js";
export {
  type NarrowGroups,
  type NarrowRank,
  type NarrowTable,
  narrowBatchRows,
  narrowParts,
  narrowPartsBytes,
  rankBins,
} from "./operations/narrow.js";
export {
  type PartedKeyTable,
  partedKeysBytes,
  partedPartBytes,
  unmixKey,
} from "./operations/partedKeys.js";
export { type RadixTable, radixParts } from "./operations/radix.js";
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
} from "./operations/scanProgram.js";
export type {
  PackedTexts,
  RawTexts,
  TemplateSearch,
} from "./operations/templates.js";
export {
  type Needle,
  type PageSignature,
  type TextOperations,
  type TextPages,
  templateMatchBytes,
} from "./operations/text.js";
export { type LowSumTable, packedGroupsMax, type TallyTable } from "./operations/totals.js";
export { createReferenceKernel } from "./reference.js";
