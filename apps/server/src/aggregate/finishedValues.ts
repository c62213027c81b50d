import { HadalError } from "@hadal/sdk";
import type { ComparePart, FinishAggregate, FinishValue } from "../plan/finishPlan.js";
import type { ResolvedQuery, ResolvedSide } from "../plan/resolvedQuery.js";
import { edgesOfBuckets } from "../plan/timeBuckets.js";
import { countOf } from "./countState.js";
import { extremeOf } from "./extremeState.js";
import { percentileOf } from "./histogramState.js";
import type { JoinedGroups } from "./joinSides.js";
import type { PartialSide } from "./partialResult.js";
import { averageOf, floatSumOf, sumOf } from "./sumState.js";

/** A finished number: exact ones still without their decimal point. Null is missing. */
export type FinishedValue = number | bigint | null;

/** Finishes aggregates of joined groups, column by column, each column once. */
export interface FinishedValues {
  valuesOf(aggregateIndex: number, part: ComparePart): readonly FinishedValue[];
}

export function finishValues(
  sides: readonly PartialSide[],
  joined: JoinedGroups,
  resolved: ResolvedQuery,
  aggregates: readonly FinishAggregate[],
): FinishedValues {
  const known = new Map<string, readonly FinishedValue[]>();
  const valuesOf = (aggregateIndex: number, part: ComparePart): readonly FinishedValue[] => {
    const key = `${part} ${aggregateIndex}`;
    const found = known.get(key) ?? finish(aggregateIndex, part);
    known.set(key, found);
    return found;
  };
  const finish = (aggregateIndex: number, part: ComparePart): readonly FinishedValue[] => {
    if (part === "main" || part === "compare") {
      const sideIndex = part === "main" ? 0 : 1;
      return finishSide(aggregates[aggregateIndex]!, sideIndex, { sides, joined, resolved });
    }
    const main = valuesOf(aggregateIndex, "main");
    const base = valuesOf(aggregateIndex, "compare");
    const combine = part === "delta" ? subtract : changePercent;
    return main.map((value, i) => combine(value, base[i]!));
  };
  return { valuesOf };
}

interface Finishing {
  readonly sides: readonly PartialSide[];
  readonly joined: JoinedGroups;
  readonly resolved: ResolvedQuery;
}

function finishSide(
  aggregate: FinishAggregate,
  sideIndex: number,
  { sides, joined, resolved }: Finishing,
): FinishedValue[] {
  const side = sides[sideIndex]!;
  const { value } = aggregate;
  const scale = aggregate.type === "float" ? 10 ** aggregate.decimals : 1;
  const coveredMs = coverage(resolved.sides[sideIndex]!, joined);
  // A group that was cut off may well have had rows: only an uncut side knows that there were none.
  const absent = value.kind === "count" && side.groupsCut === 0 ? 0 : null;
  return Array.from(joined.positions[sideIndex]!, (position, group) => {
    if (position < 0) return absent;
    const finished = finishOne(value, side, position, resolved);
    if (finished === null || aggregate.type !== "float") return finished;
    if (!("perMs" in value) || value.perMs === null) return Number(finished) / scale;
    const covered = coveredMs(group);
    return covered === 0 ? null : (Number(finished) * value.perMs) / covered / scale;
  });
}

function finishOne(
  value: FinishValue,
  side: PartialSide,
  group: number,
  resolved: ResolvedQuery,
): FinishedValue {
  const column = side.states[value.stateIndex]!;
  switch (value.kind) {
    case "count":
      return countOf(column, group);
    case "sum":
      return value.perMs === null
        ? expectSum(sumOf(column, group), value.stateIndex, resolved)
        : expectSum(floatSumOf(column, group), value.stateIndex, resolved);
    case "average":
      return expectSum(averageOf(column, group), value.stateIndex, resolved);
    case "extreme":
      return extremeOf(column, group);
    case "percentile":
      return percentileOf(column, group, value.p);
  }
}

function expectSum<Value>(
  sum: Value | "overflow",
  stateIndex: number,
  resolved: ResolvedQuery,
): Value {
  if (sum !== "overflow") return sum;
  const spec = resolved.states[stateIndex]!;
  throw new HadalError("sum-overflow", { column: "column" in spec ? spec.column : "" });
}

/** How much of [fromMs, toMs) each group covers: its time bucket's part, or all of it. */
function coverage(side: ResolvedSide, joined: JoinedGroups): (group: number) => number {
  const time = joined.keys.find((key) => key.kind === "bucket");
  const { fromMs, toMs, buckets } = side;
  if (time === undefined || buckets === null) return () => toMs - fromMs;
  const edges = edgesOfBuckets(buckets);
  return (group) => {
    const bucket = time.indexes[group]!;
    const startMs = Math.max(edges[bucket]!, fromMs);
    return Math.max(0, Math.min(edges[bucket + 1]!, toMs) - startMs);
  };
}

function subtract(main: FinishedValue, base: FinishedValue): FinishedValue {
  if (main === null || base === null) return null;
  if (typeof main === "number" && typeof base === "number") {
    const delta = main - base;
    const isExact = !Number.isInteger(delta) || Number.isSafeInteger(delta);
    if (isExact || !Number.isInteger(main) || !Number.isInteger(base)) return delta;
  }
  return BigInt(main) - BigInt(base);
}

/** Missing when the base is 0: no percentage leads from nothing to something. */
function changePercent(main: FinishedValue, base: FinishedValue): FinishedValue {
  const delta = subtract(main, base);
  if (delta === null || Number(base) === 0) return null;
  return (Number(delta) / Number(base)) * 100;
}
