import type { Result } from "@hadal/sdk";
import type { Calculation } from "../plan/calculation.js";
import type { ComparePart, FinishAggregate } from "../plan/finishPlan.js";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import { countOf } from "./countState.js";
import { coverage, coveredTime } from "./coverage.js";
import { createEstimator, type Estimator } from "./estimateAggregate.js";
import { aggregatesOfCalculation, estimateCalculation } from "./estimateCalculation.js";
import { createPercentileBounds } from "./estimatePercentile.js";
import type { FinishedValues } from "./finishedValues.js";
import type { JoinedGroups } from "./joinSides.js";
import { createKnownCount } from "./knownCount.js";
import { type Evidence, evidenceOfRows, type ShownEvidence } from "./leafEvidence.js";
import { combine, interval95, type LinearEstimate, scaled } from "./linearEstimate.js";
import type { PartialResult } from "./partialResult.js";

type Interval = readonly [number, number];

export interface IntervalContext {
  readonly merged: PartialResult;
  readonly joined: JoinedGroups;
  readonly values: FinishedValues;
  /** Joined groups, in the order of the result. */
  readonly shown: Uint32Array;
  readonly resolved: ResolvedQuery;
  readonly evidence: Evidence;
}

/**
 * Why leaves that answered say too little of those that are missing: fewer than two of them hold such rows, or rows of other
 * times than those that are missing.
 */
export type NoBarReason = "too few leaves" | "other times";

export interface BarsOfResult {
  readonly intervals: Result["intervals"];
  readonly noBars: readonly NoBarReason[];
}

/** Bars of so many rows, the first ones: more than any chart draws, and some 50 ms of work a column. */
export const barredRowsMax = 10_000;

/**
 * Error bars of what is estimated, row by row: between which numbers the full answer lies 19 times of 20.
 * The shown numbers stay those of the rows that answered, so that with leaves missing a count's bar lies
 * above it. Columns whose numbers are exact have none.
 */
export function resultIntervals(
  aggregates: readonly FinishAggregate[],
  context: IntervalContext,
): BarsOfResult {
  const { evidence, merged } = context;
  if (evidence.kind === "unknown") return none;
  const compares = merged.sides.length > 1;
  const isEstimated = (aggregate: FinishAggregate): boolean =>
    aggregate.type !== "histogram" &&
    (evidence.kind === "leaves" || isSampled(aggregate, aggregates) || isSketched(aggregate));
  if (!aggregates.some(isEstimated)) return none;
  const shown = context.shown.subarray(0, barredRowsMax);
  const behind = evidenceOfRows(evidence, merged, context.joined, shown, context.resolved);
  const intervals: [string, (Interval | null)[]][] = [];
  aggregates.forEach((aggregate, index) => {
    if (!isEstimated(aggregate)) return;
    for (const part of ["main", ...(compares ? aggregate.compared : [])] as const) {
      const barOf = createBars({ ...context, behind, aggregates, aggregate, index, part });
      if (barOf === null) continue;
      const bars = new Array<Interval | null>(context.shown.length).fill(null);
      let isGiven = false;
      shown.forEach((group, row) => {
        bars[row] = barOf(group, row);
        isGiven ||= bars[row] !== null;
      });
      if (isGiven) {
        intervals.push([part === "main" ? aggregate.name : `${aggregate.name}.${part}`, bars]);
      }
    }
  });
  return { intervals: Object.fromEntries(intervals), noBars: reasonsOf(behind) };
}

const none: BarsOfResult = { intervals: {}, noBars: [] };

/** Of rows that missing leaves hold a part of. */
function reasonsOf({ sizes }: ShownEvidence): readonly NoBarReason[] {
  const found = new Set<NoBarReason>();
  for (const { answered, missing, tellSameTimes } of sizes.flat()) {
    if (missing === 0) continue;
    if (answered.filter((rows) => rows > 0).length < 2) found.add("too few leaves");
    else if (!tellSameTimes) found.add("other times");
  }
  return [...found].sort();
}

/** Whether sample rates make it err; a calculation errs with what it is made of. */
export function isSampled(
  { value, spreadIndex }: FinishAggregate,
  aggregates: readonly FinishAggregate[],
): boolean {
  if (value.kind !== "calculated") return spreadIndex !== null;
  const parts = aggregatesOfCalculation(value.calculation);
  return parts.some((index) => aggregates[index]!.spreadIndex !== null);
}

function isSketched({ value }: FinishAggregate): boolean {
  return value.kind === "percentile" || value.kind === "distinct";
}

interface ColumnContext extends IntervalContext {
  readonly behind: ShownEvidence;
  readonly aggregates: readonly FinishAggregate[];
  readonly aggregate: FinishAggregate;
  readonly index: number;
  readonly part: ComparePart;
}

/** The bar of a joined group, at its place in the result. */
type Bars = (group: number, row: number) => Interval | null;

/** Null where no row of the column has one. */
function createBars(context: ColumnContext): Bars | null {
  const { aggregate, index, part, values } = context;
  const isCount = aggregate.value.kind === "count" && (part === "main" || part === "compare");
  if (isSketched(aggregate)) return createSketchedBars(context);
  const estimate = createPartEstimator(context);
  if (estimate === null) return null;
  const bounded = isCount ? createCountBounds(context) : null;
  const round = createRounding(context);
  return (group, row) => {
    if (values.finishedOf(index, part, group) === null) return null;
    const estimated = estimate(group, row);
    // Nothing is estimated where every row stands for itself and none is missing.
    if (estimated?.tellingLeaves === Infinity && estimated.variance === 0) return null;
    const bar = estimated === null ? null : interval95(estimated);
    // Of counts it is known that they are no less than what was counted; of others nothing.
    const within = bounded === null ? bar : bounded(group, row, bar);
    return within === null ? null : round(group, within);
  };
}

/** Of percentiles and distinct values, which are estimated whether or not anything is missing. */
function createSketchedBars(context: ColumnContext): Bars | null {
  const { aggregate, index, part, values, behind, merged } = context;
  if (part !== "main" && part !== "compare") return null;
  const isSampled = aggregate.value.kind === "percentile" && aggregate.spreadIndex !== null;
  const sideIndex = part === "main" ? 0 : 1;
  const boundsOf = createPercentileBounds(aggregate, behind, sideIndex);
  // The numbers shown are of all that was merged, the bars of leaves that are done.
  const isSame = behind.together[sideIndex]!.states === merged.sides[sideIndex]!.states;
  return (group, row) => {
    if (behind.sizes[sideIndex]![row]!.missing === 0 && !isSampled) {
      return values.intervalOf(index, part, group);
    }
    const known = isSame ? values.finishedOf(index, part, group) : null;
    const bounds = boundsOf(row, known);
    const sketched = values.intervalOf(index, part, group);
    if (bounds === null || sketched === null) return null;
    return [Math.min(bounds[0], sketched[0]), Math.max(bounds[1], sketched[1])];
  };
}

type PartEstimator = (group: number, row: number) => LinearEstimate | null;

/** The estimate as the column shows it: as a rate, with its decimal point, as a difference. */
function createPartEstimator(context: ColumnContext): PartEstimator | null {
  const { part } = context;
  if (part === "main") return createSideEstimator(context, 0);
  if (part === "compare") return createSideEstimator(context, 1);
  const [main, base] = [createSideEstimator(context, 0), createSideEstimator(context, 1)];
  if (main === null || base === null) return null;
  return (group, row) => {
    const [a, b] = [main(group, row), base(group, row)];
    if (a === null || b === null) return null;
    return part === "delta" ? combine(1, a, -1, b) : changeOf(a, b);
  };
}

/** Where the base may be off by more than this share of it, a percentage is no line any more. */
const baseErrorMax = 0.5;

function changeOf(main: LinearEstimate, base: LinearEstimate): LinearEstimate | null {
  const bar = interval95(base);
  if (bar === null || base.value === 0) return null;
  if (bar[1] - bar[0] > 2 * baseErrorMax * Math.abs(base.value)) return null;
  const ratio = main.value / base.value;
  const scale = 100 / Math.abs(base.value);
  const change = combine(scale, main, -scale * ratio, base);
  return { ...change, value: scale * (main.value - base.value) };
}

/** Of a calculated column, from the estimates of what it is made of. */
function createCalculatedEstimator(
  context: ColumnContext,
  calculation: Calculation,
  sideIndex: number,
): PartEstimator | null {
  const { aggregates } = context;
  const estimators = new Map<number, PartEstimator>();
  for (const index of aggregatesOfCalculation(calculation)) {
    const part = { ...context, index, aggregate: aggregates[index]! };
    const estimator = createSideEstimator(part, sideIndex);
    if (estimator === null) return null;
    estimators.set(index, estimator);
  }
  const errorOf = (estimate: LinearEstimate): number | null => {
    const bar = interval95(estimate);
    return bar === null ? null : (bar[1] - bar[0]) / 2;
  };
  return (group, row) =>
    estimateCalculation(calculation, (index) => estimators.get(index)!(group, row), errorOf);
}

function createSideEstimator(context: ColumnContext, sideIndex: number): PartEstimator | null {
  const { value } = context.aggregate;
  if (value.kind === "calculated") {
    return createCalculatedEstimator(context, value.calculation, sideIndex);
  }
  const estimate: Estimator | null = createEstimator(context.aggregate, context.behind, sideIndex);
  if (estimate === null) return null;
  const known = createKnown(context, sideIndex);
  const factorOf = createFactor(context, sideIndex);
  return (group, row) => {
    const factor = factorOf(group);
    const estimated = factor === null ? null : (known?.(row) ?? estimate(row));
    return factor === null || estimated === null ? null : scaled(estimated, factor);
  };
}

function createKnown(
  { aggregate, resolved, behind, joined, shown }: ColumnContext,
  sideIndex: number,
): Estimator | null {
  const timeOf = coveredTime(resolved, sideIndex, joined);
  return createKnownCount(aggregate, resolved, behind, {
    sideIndex,
    timeOf: (row) => timeOf(shown[row]!),
  });
}

/** What a number is multiplied with to be shown; null where its group covers no time. */
function createFactor(
  { aggregate: { value, decimals }, joined, resolved }: ColumnContext,
  sideIndex: number,
): (group: number) => number | null {
  const perMs = "perMs" in value ? value.perMs : null;
  const scale = 10 ** decimals;
  if (perMs === null) return () => 1 / scale;
  const coveredMs = coverage(resolved, sideIndex, joined);
  return (group) => {
    const covered = coveredMs(group);
    return covered === 0 ? null : perMs / covered / scale;
  };
}

/** A count is at least what was counted, and where rows have no weight at most so many more as are missing. */
function createCountBounds(
  context: ColumnContext,
): (group: number, row: number, bar: Interval | null) => Interval | null {
  const { aggregate, merged, joined, behind, resolved } = context;
  const { value, spreadIndex } = aggregate;
  const sideIndex = context.part === "main" ? 0 : 1;
  const factorOf = createFactor(context, sideIndex);
  const { states } = merged.sides[sideIndex]!;
  const isOfRows = resolved.states[value.stateIndex]?.kind === "weight";
  return (group, row, bar) => {
    const factor = factorOf(group);
    const position = joined.positions[sideIndex]![group]!;
    const { missing } = behind.sizes[sideIndex]![row]!;
    if (factor === null) return bar;
    if (spreadIndex !== null) {
      if (position < 0) return bar;
      // Every row stands for one event at least.
      const least = isOfRows ? countOf(states[0]!, position) * factor : 0;
      return bar === null ? null : [Math.max(bar[0], least), bar[1]];
    }
    if (missing === 0) return bar;
    const counted = position < 0 ? 0 : countOf(states[value.stateIndex]!, position);
    const [least, most] = [counted * factor, (counted + missing) * factor];
    if (bar === null) return [least, most];
    return [Math.min(Math.max(bar[0], least), most), Math.max(Math.min(bar[1], most), least)];
  };
}

/** Rounded outwards to what the column can show. Of a mean, what is shown lies within. */
function createRounding({
  aggregate: { value, type, decimals },
  index,
  part,
  values,
}: ColumnContext): (group: number, bar: Interval) => Interval {
  if (value.kind === "average" && (part === "main" || part === "compare")) {
    return (group, [low, high]) => {
      const shown = Number(values.finishedOf(index, part, group));
      return [Math.min(low, shown), Math.max(high, shown)];
    };
  }
  if (type === "float" || part === "delta_pct") return (_, bar) => bar;
  const scale = 10 ** decimals;
  // Adding 0 makes 0 of -0.
  return (_, [low, high]) => [
    (Math.floor(low * scale + roundingOf(low * scale)) + 0) / scale,
    (Math.ceil(high * scale - roundingOf(high * scale)) + 0) / scale,
  ];
}

/** What doubles may lack of a whole number that was added up of parts. */
function roundingOf(whole: number): number {
  return 1e-9 * Math.max(1, Math.abs(whole));
}
