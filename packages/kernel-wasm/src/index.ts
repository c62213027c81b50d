export type { BitmapAddress, HashTable, KernelOperations, RowSet, Values } from "./contract.js";
export { createKernel } from "./kernel.js";
export { loadKernelModule, loadKernelModuleSync } from "./loadModule.js";
export { bucketBounds, coarserBucket, logLinearBucket, subBitsMax } from "./logLinear.js";
export { createSharedMemory, kernelReservedBytes, sharedMemoryBytesMax } from "./memory.js";
export type { BucketList, HistogramShape } from "./operations/buckets.js";
export type { Needle, PageSignature, TextOperations, TextPages } from "./operations/text.js";
export { createReferenceKernel } from "./reference.js";
