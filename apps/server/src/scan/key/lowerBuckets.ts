import { HadalError, timeColumn } from "@hadal/sdk";
import { assert } from "../../base/assert.js";
import { fitsInt64, int64Min, rescale } from "../../column/decimal.js";
import type { IntColumn } from "../../column/segmentColumn.js";
import { lowerBounds } from "../../plan/bucket/timeBuckets.js";
import type { ResolvedGroup, ResolvedSide } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { SegmentGroup } from "../task/scanTask.js";
import type { GroupValues } from "./groupValues.js";
import type { LoweredComponent } from "./loweredComponent.js";

type BucketGroup = Extract<ResolvedGroup, { kind: "bucket" }>;
type Buckets = Extract<SegmentGroup, { kind: "buckets" }>["by"];

/** Codes are u32, with room for sums of two. */
const bucketsMax = 2n ** 31n;

/** Numeric buckets get codes row by row; the value of a code is the printed lower bound. */
export function lowerBucketGroup(
  group: BucketGroup,
  side: ResolvedSide,
  segments: readonly SegmentView[],
  memory: QueryMemory,
): LoweredComponent {
  const { by, values } =
    group.buckets.kind === "edges"
      ? lowerEdges(group.buckets.bounds, boundsOf(group, side), memory)
      : lowerSteps(group, BigInt(group.buckets.step), segments);
  const { codeCount } = values;
  return {
    task: { kind: "codes", cardinality: BigInt(codeCount), firstVirtualCode: codeCount },
    dictionary: values,
    itemsMax: 1,
    mixesText: false,
    printedInts: group.column,
    groupOf: (segment) => {
      const column = intColumn(group.column, segment);
      if (column === null) return { kind: "missing" };
      const { base, present } = column;
      const factor = 10n ** BigInt(group.decimals - column.decimals);
      return { kind: "buckets", values: column.values, base, present, factor, by };
    },
  };
}

/** The lower bounds on this side; null: those of the keys. */
function boundsOf({ further }: BucketGroup, side: ResolvedSide): readonly string[] | null {
  if (further === undefined) return null;
  const buckets = side.furtherBuckets?.[further];
  assert(buckets !== undefined, "a side has the buckets of all time groups");
  return lowerBounds(buckets);
}

function lowerEdges(
  bounds: readonly string[],
  own: readonly string[] | null,
  memory: QueryMemory,
): { by: Buckets; values: GroupValues } {
  const first = bounds[0] === int64Min.toString() ? [] : [int64Min];
  const edges = [...first, ...bounds.map(BigInt)];
  const address = memory.allocate(edges.length * 8);
  const ownEdges = own === null ? edges : [...first, ...own.map(BigInt)];
  new BigInt64Array(memory.leaf.memory.buffer, address, edges.length).set(ownEdges);
  const codes = new Map(edges.map((edge, i) => [edge.toString(), i + 1]));
  return {
    by: { kind: "edges", edges: address, edgeCount: edges.length },
    values: {
      codeCount: edges.length + 1,
      codeOf: (text) => codes.get(text) ?? 0,
      valueOf: (code) => edges[code - 1]!.toString(),
    },
  };
}

function lowerSteps(
  { column, decimals }: BucketGroup,
  step: bigint,
  segments: readonly SegmentView[],
): { by: Buckets; values: GroupValues } {
  const { min, max } = rangeOf(column, decimals, segments);
  // The bound below the smallest int64 cannot be named: that bucket starts at the smallest one
  // itself.
  const firstBucket = floorDivide(min, step);
  const bucketCount = floorDivide(max, step) - firstBucket + 1n;
  if (bucketCount > bucketsMax) {
    const detail = `Buckets of ${column} this narrow are ${bucketCount}; at most ${bucketsMax}. Make them wider.`;
    throw new HadalError("invalid-query", { detail }, [
      { path: "groupBy", code: "out-of-range", detail },
    ]);
  }
  const boundOf = (index: bigint): bigint => {
    const bound = (firstBucket + index) * step;
    // biome-ignore lint/complexity/useMathMinMax: Math.max does not take BigInt.
    return bound < int64Min ? int64Min : bound;
  };
  const first = firstBucket * step;
  const origin =
    first < int64Min ? { origin: first + step, firstCode: 2 } : { origin: first, firstCode: 1 };
  return {
    by: { kind: "steps", ...origin, step },
    values: {
      codeCount: Number(bucketCount) + 1,
      codeOf: (text) => {
        const index = floorDivide(BigInt(text), step) - firstBucket;
        return index >= 0n && index < bucketCount && boundOf(index) === BigInt(text)
          ? Number(index) + 1
          : 0;
      },
      valueOf: (code) => boundOf(BigInt(code) - 1n).toString(),
    },
  };
}

/** Smallest and largest value at the wanted decimals; 0 without values. */
function rangeOf(
  name: string,
  decimals: number,
  segments: readonly SegmentView[],
): { min: bigint; max: bigint } {
  const zones = segments.map((segment) => intColumn(name, segment)).filter((zone) => zone !== null);
  const lows = zones.map((zone) => rescale(zone.min, zone.decimals, decimals));
  const highs = zones.map((zone) => rescale(zone.max, zone.decimals, decimals));
  const [low = 0n, high = 0n] = [lows[0], highs[0]];
  // biome-ignore lint/complexity/useMathMinMax: Math.min does not take BigInt.
  const min = lows.reduce((a, b) => (b < a ? b : a), low);
  // biome-ignore lint/complexity/useMathMinMax: Math.max does not take BigInt.
  const max = highs.reduce((a, b) => (b > a ? b : a), high);
  if (fitsInt64(min) && fitsInt64(max)) return { min, max };
  const detail = `Values of ${name} do not fit 64 bits with ${decimals} decimals.`;
  throw new HadalError("type-mismatch", { detail });
}

/** The column when it has values; the event time is one. */
function intColumn(
  name: string,
  segment: SegmentView,
): Pick<IntColumn, "values" | "base" | "present" | "decimals" | "min" | "max"> | null {
  if (name === timeColumn) {
    const { times, timeBase, minMs, maxMs } = segment;
    const zone = { min: BigInt(minMs), max: BigInt(maxMs) };
    return { values: times, base: timeBase, present: 0, decimals: 0, ...zone };
  }
  const column = segment.columns.get(name);
  return column?.kind === "int" && column.min <= column.max ? column : null;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient;
}
