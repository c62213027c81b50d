import { type HistogramShape, logLinearBucket, subBitsMax } from "@hadal/kernel-wasm";
import { assert } from "../../../base/assert.js";
import { allocateHashTable, type QueryMemory } from "../../memory/queryMemory.js";
import {
  type CoarseHistogram,
  fullCounter,
  type HistogramTask,
  histogramProgressBytes,
} from "../../task/histogramTask.js";

/** Up to this many groups get 64 steps for each power of two: errors stay below 1 %. */
const fineGroupsMax = 1_000;
/**
 * More than that get 32: errors stay below 1.6 %, and four times as many groups stay in a cache.
 */
const coarseSubBits = 5;
/**
 * Squares of weights are for the error of a percentile, not for its value: an eighth of the room
 * will do.
 */
const squaresSubBits = 3;
/**
 * Dense histograms are faster; up to this size they are chosen for any number of rows. Those of
 * both sides and all lanes have to fit a query's share.
 */
const denseBytesMin = 16 * 2 ** 20;
/**
 * Beyond this size, groups of few rows get no fine histogram: further rows count pairs of group and
 * bucket, in buckets as fine.
 */
const fineBytesMin = 16 * 2 ** 20;
/**
 * Counters of a byte are full this often at most: to note it takes longer than to count, and each
 * is read again. Up to here half the memory is worth more: 25 M rows of 5,000 groups took 134 ms
 * with counters of two bytes, 116 with these.
 */
const byteSpillsMax = 131_072;
/** A pair of group and bucket: two slots of 4 bytes, a key and a weight of 8. */
const pairBytes = 32;
/** 8 M pairs are 256 MiB, a quarter of the pool. */
const histogramPairsMax = 8_388_608;

/** The range of values and groups of a column's histograms. */
export interface HistogramNeeds {
  readonly min: bigint;
  readonly max: bigint;
  readonly weighted: boolean;
  readonly rowCount: number;
  readonly groupCount: number;
  /** Of the squares of weights. */
  readonly squared?: boolean;
}

/** Fine while few groups turn up, which is not known before; then coarse. */
export function lowerHistogram(needs: HistogramNeeds, memory: QueryMemory): HistogramTask {
  const { weighted, rowCount, groupCount } = needs;
  const counterBytes = weighted ? 8 : 4;
  const squared = needs.squared ?? false;
  const shape = shapeOf(needs, squared ? squaresSubBits : subBitsMax);
  const groupBytes = shape.bucketCount * counterBytes;
  const fineGroups = Math.min(fineGroupsMax, groupCount, Math.max(1, rowCount));
  const fineBytes = fineGroups * groupBytes;
  const isEmptyMost = fineBytes > Math.max(fineBytesMin, 2 * rowCount * pairBytes);
  const groupsMax = isEmptyMost ? Math.ceil(fineBytesMin / groupBytes) : fineGroups;
  const hasRoomForAll = groupsMax === groupCount;
  const bitsBeyond = isEmptyMost ? shape.subBits : squared ? squaresSubBits : coarseSubBits;
  return {
    kind: "histogram",
    squared,
    progress: memory.allocate(histogramProgressBytes),
    fine: {
      shape,
      histogram: memory.allocate(groupsMax * shape.bucketCount * counterBytes),
      counterBytes,
      spilled: 0,
      groupsMax,
      numberOf: hasRoomForAll ? 0 : memory.allocate(groupCount * 4),
      groupOf: hasRoomForAll ? 0 : memory.allocate(groupsMax * 4),
    },
    coarse: hasRoomForAll || rowCount <= groupsMax ? null : lowerCoarse(needs, bitsBeyond, memory),
  };
}

function lowerCoarse(needs: HistogramNeeds, subBits: number, memory: QueryMemory): CoarseHistogram {
  const { weighted, rowCount, groupCount } = needs;
  const shape = shapeOf(needs, subBits);
  const isSmall = rowCount <= byteSpillsMax * fullCounter(1);
  const counterBytes = weighted ? 8 : isSmall ? 1 : 2;
  const denseBytes = groupCount * shape.bucketCount * counterBytes;
  const pairs = Math.max(1, Math.min(groupCount * shape.bucketCount, rowCount, histogramPairsMax));
  if (denseBytes <= Math.max(denseBytesMin, pairs * pairBytes)) {
    const histogram = memory.allocate(denseBytes);
    const spilledMost = Math.floor(rowCount / fullCounter(counterBytes));
    const spilled = weighted ? 0 : memory.allocate(4 * (2 + spilledMost));
    return { kind: "dense", shape, histogram, counterBytes, spilled, groupCount };
  }
  const table = allocateHashTable(pairs, memory);
  return { kind: "sparse", shape, table, weights: memory.allocate(pairs * 8) };
}

function shapeOf({ min, max }: HistogramNeeds, subBits: number): HistogramShape {
  const [low, high] = min > max ? [0n, 0n] : [min, max];
  const firstBucket = logLinearBucket(low, subBits);
  const bucketCount = logLinearBucket(high, subBits) - firstBucket + 1;
  assert(bucketCount > 0, "buckets ascend with values");
  return { subBits, firstBucket, bucketCount };
}
