import { timeColumn } from "@hadal/sdk";
import { unreachable } from "../../base/assert.js";
import { int64Max } from "../../column/decimal.js";
import type { ResolvedFilter } from "../../plan/query/resolvedQuery.js";
import {
  type ColumnZones,
  floorDouble,
  type SegmentTotals,
  zoneKinds,
} from "../../store/segment/segmentTotals.js";

/**
 * Verdicts of the zone maps about a segment: no row passes, rows must be scanned, all rows pass.
 * Ordered so that "and" is the minimum and "or" the maximum.
 */
export const verdicts = { none: 0, some: 1, all: 2 } as const;

type Condition = Exclude<ResolvedFilter, { kind: "all" | "any" | "otherwise" }>;

/** The verdict on each of the first `segmentCount` segments that the totals follow. */
export function decideFilter(
  filter: ResolvedFilter,
  totals: SegmentTotals,
  segmentCount: number,
): Uint8Array {
  if (filter.kind === "otherwise") {
    // A verdict of all or none is about every row, those without a value included.
    const verdict = decideFilter(filter.filter, totals, segmentCount);
    return verdict.map((one) => verdicts.all - one);
  }
  if (filter.kind !== "all" && filter.kind !== "any") {
    return decideCondition(filter, totals, segmentCount);
  }
  const isAll = filter.kind === "all";
  // All of nothing is true, any of nothing is false.
  const out = new Uint8Array(segmentCount).fill(isAll ? verdicts.all : verdicts.none);
  for (const part of filter.filters) {
    const verdict = decideFilter(part, totals, segmentCount);
    for (let i = 0; i < segmentCount; i++) {
      if (isAll ? verdict[i]! < out[i]! : verdict[i]! > out[i]!) out[i] = verdict[i]!;
    }
  }
  return out;
}

function decideCondition(
  condition: Condition,
  totals: SegmentTotals,
  segmentCount: number,
): Uint8Array {
  const out = new Uint8Array(segmentCount);
  if (condition.column === timeColumn) {
    const { minMs, maxMs } = totals;
    const ranges = condition.kind === "present" ? null : rangesOf(condition);
    for (let i = 0; i < segmentCount; i++) {
      const inside = ranges === null ? verdicts.all : decideRanges(ranges, minMs[i]!, maxMs[i]!);
      out[i] = verdictOn(condition, inside);
    }
    return out;
  }
  const { zones } = totals.column(
    condition.column,
    "decimals" in condition ? condition.decimals : 0,
  );
  if (condition.kind === "present") decidePresence(out, zones, condition);
  else decideValues(out, zones, condition);
  return out;
}

function decidePresence(out: Uint8Array, { kind }: ColumnZones, condition: Negatable): void {
  for (let i = 0; i < out.length; i++) {
    if (kind[i] === zoneKinds.empty) out[i] = verdictOn(condition, verdicts.none);
    else if (kind[i] === zoneKinds.allInts) out[i] = verdictOn(condition, verdicts.all);
    else out[i] = verdicts.some;
  }
}

/** A missing value makes the condition not true, negated or not. */
function decideValues(
  out: Uint8Array,
  { kind, atLeast, atMost }: ColumnZones,
  condition: Exclude<Condition, { kind: "present" }>,
): void {
  const ranges = rangesOf(condition);
  for (let i = 0; i < out.length; i++) {
    if (kind[i] === zoneKinds.empty) out[i] = verdicts.none;
    else if (kind[i] === zoneKinds.unknown || ranges === null) out[i] = verdicts.some;
    else {
      const verdict = verdictOn(condition, decideRanges(ranges, atLeast[i]!, atMost[i]!));
      const isAllOfSome = verdict === verdicts.all && kind[i] === zoneKinds.someInts;
      out[i] = isAllOfSome ? verdicts.some : verdict;
    }
  }
}

interface Negatable {
  readonly negated: boolean;
}

/** The verdict on a condition, from that on the same one without its negation. */
function verdictOn({ negated }: Negatable, verdict: number): number {
  return negated ? verdicts.all - verdict : verdict;
}

/**
 * Integers from low to high. Either bound as two doubles, where no single one is exact: one that is
 * not above it, one that is not below.
 */
interface DoubleRange {
  readonly lowFloor: number;
  readonly lowCeil: number;
  readonly highFloor: number;
  readonly highCeil: number;
}

/** Null: the condition is not about integers. */
function rangesOf(condition: Condition): readonly DoubleRange[] | null {
  switch (condition.kind) {
    case "range": {
      const [low, high] = [BigInt(condition.low), BigInt(condition.high)];
      return low > high ? [] : [doubleRange(low, high)];
    }
    case "ints":
      return condition.values.map((value) => doubleRange(BigInt(value), BigInt(value)));
    case "present":
    case "strings":
    case "order":
    case "contains":
    case "match":
    case "empty":
    case "includes":
    case "sequence":
      return null;
    default:
      return unreachable(condition);
  }
}

function doubleRange(low: bigint, high: bigint): DoubleRange {
  return {
    lowFloor: floorDouble(low),
    lowCeil: -floorDouble(-low),
    // No value of 64 bits is above the largest, so its bound may be rounded up.
    highFloor: high === int64Max ? 2 ** 63 : floorDouble(high),
    highCeil: -floorDouble(-high),
  };
}

/** For values between `atLeast` and `atMost`. */
function decideRanges(ranges: readonly DoubleRange[], atLeast: number, atMost: number): number {
  let most: number = verdicts.none;
  for (const { lowFloor, lowCeil, highFloor, highCeil } of ranges) {
    if (lowCeil <= atLeast && highFloor >= atMost) return verdicts.all;
    if (lowFloor <= atMost && highCeil >= atLeast) most = verdicts.some;
  }
  return most;
}
