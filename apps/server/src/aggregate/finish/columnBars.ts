import type { ComparePart, FinishAggregate } from "../../plan/query/finishPlan.js";
import { aggregatesOfCalculation } from "../estimate/estimateCalculation.js";
import { combine, interval95, isExact, type LinearEstimate } from "../estimate/linearEstimate.js";
import type { NoBar } from "../estimate/noBar.js";
import { aggregateKindOf } from "../function/aggregateKinds.js";
import { coveredTime } from "../key/coverage.js";
import { countOf } from "../state/countState.js";
import { type ColumnContext, createFactor, type Interval } from "./intervalContext.js";
import { createSideEstimator } from "./sideEstimates.js";

/** Of one row: its error bar, whether it is exact, or why there is none. */
export type Bar = { readonly bar: Interval; readonly isExact: boolean } | NoBar;

/** The bar of a joined group, at its place in the result; null where the number itself is missing. */
export type Bars = (group: number, row: number) => Bar | null;

/** Of each part of a column; null where no row of the part has one. */
export function createBars(context: ColumnContext): (part: ComparePart) => Bars | null {
  const { index, values, shown, merged } = context;
  const sideBars = (part: "main" | "compare"): PresentBars | null =>
    remember(createSideBars(context, part), shown.length);
  const main = sideBars("main");
  const base = merged.sides.length > 1 ? sideBars("compare") : null;
  const barsOf = (part: ComparePart): PresentBars | null => {
    if (part === "main") return main;
    if (part === "compare") return base;
    return createDifferenceBars(context, part, [main, base]);
  };
  const isByKey = createByKey(context);
  return (part) => {
    const bars = barsOf(part);
    if (bars === null) return null;
    return (group, row) => {
      if (values.finishedOf(index, part, group) === null) return null;
      return isByKey(part, group) ? "by-key" : bars(group, row);
    };
  };
}

/**
 * Whether a group covers times whose rows were thinned by a key. Bars take rows to be left out one by one: they would be
 * too narrow by an unknown factor, for rows of a key that was left out are missing together.
 */
function createByKey(context: ColumnContext): (part: ComparePart, group: number) => boolean {
  const { thinnedByKey, aggregate, aggregates, merged, resolved, joined } = context;
  if (thinnedByKey === null || !isSampled(aggregate, aggregates)) return () => false;
  const [firstMs, lastMs] = thinnedByKey;
  const coversOf = merged.sides.map((_, sideIndex) => {
    const timeOf = coveredTime(resolved, sideIndex, joined);
    return (group: number): boolean => {
      const [startMs, endMs] = timeOf(group);
      return startMs <= lastMs && endMs > firstMs;
    };
  });
  return (part, group) => {
    if (part === "main") return coversOf[0]!(group);
    if (part === "compare") return coversOf[1]!(group);
    return coversOf.some((covers) => covers(group));
  };
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

type PresentBars = (group: number, row: number) => Bar;
type BarsOfSides = readonly [main: PresentBars | null, base: PresentBars | null];

/** Differences read the bars of their sides once more. */
function remember(bars: PresentBars | null, rowCount: number): PresentBars | null {
  if (bars === null) return null;
  const known = new Array<Bar | undefined>(rowCount);
  return (group, row) => (known[row] ??= bars(group, row));
}

function createSideBars(context: ColumnContext, part: "main" | "compare"): PresentBars | null {
  const { aggregate } = context;
  const sideIndex = part === "main" ? 0 : 1;
  const isCount = aggregateKindOf(aggregate.value)?.estimatedAs === "count";
  if (isSketched(context)) return createSketchedBars(context, part);
  const estimate = createSideEstimator(context, sideIndex);
  if (estimate === null) return null;
  const bounded = isCount ? createCountBounds(context, sideIndex) : null;
  const round = createRounding(context, part);
  return (group, row) => {
    const estimated = estimate(group, row);
    const isKnown = typeof estimated !== "string";
    if (!isKnown && (bounded === null || estimated !== "unknown")) return estimated;
    // Nothing is estimated where every row stands for itself and none is missing.
    if (isKnown && isExact(estimated)) return exact(estimated.value);
    const bar = isKnown ? interval95(estimated) : null;
    // Of counts it is known that they are no less than what was counted; of others nothing.
    const within = bounded === null ? bar : bounded(group, row, bar);
    return within === null ? "unknown" : { bar: round(group, within), isExact: false };
  };
}

const exact = (value: number): Bar => ({ bar: [value, value], isExact: true });

/** Percentiles and distinct values are estimated whether or not anything is missing. */
export function isSketched({ aggregate: { value } }: Pick<ColumnContext, "aggregate">): boolean {
  return aggregateKindOf(value)?.intervals !== undefined;
}

const unknownBounds = (): NoBar => "unknown";

function createSketchedBars(context: ColumnContext, part: "main" | "compare"): PresentBars {
  const { aggregate, index, values, behind, merged } = context;
  const isSampled = aggregate.spreadIndex !== null;
  const sideIndex = part === "main" ? 0 : 1;
  const ownBar = (group: number): Bar => {
    const bar = values.intervalOf(index, part, group);
    if (bar !== null) return { bar, isExact: false };
    // Distinct values that were counted one by one.
    return exact(Number(values.finishedOf(index, part, group)));
  };
  const boundsOf =
    aggregateKindOf(aggregate.value)?.bounds?.(aggregate, behind, sideIndex, merged.sides) ??
    unknownBounds;
  // The numbers shown are of all that was merged, the bars of leaves that are done.
  const isSame = behind.together[sideIndex]!.states === merged.sides[sideIndex]!.states;
  return (group, row) => {
    if (behind.sizes[sideIndex]![row]!.missing === 0 && !isSampled) return ownBar(group);
    const known = isSame ? values.finishedOf(index, part, group) : null;
    const bounds = boundsOf(row, known);
    if (bounds === "exact") return ownBar(group);
    if (typeof bounds === "string") return bounds;
    const sketched = isSame ? null : values.intervalOf(index, part, group);
    if (sketched === null) return { bar: bounds, isExact: false };
    const bar = [Math.min(bounds[0], sketched[0]), Math.max(bounds[1], sketched[1])] as const;
    return { bar, isExact: false };
  };
}

/** Where the base may be off by more than this share of it, a percentage is no line any more. */
const baseErrorMax = 0.5;

/**
 * Of a difference. Where leaves are missing they miss of both sides, and errors are taken together leaf by leaf; else each
 * side errs by itself, and of the errors that face each other the squares add up (Zou and Donner): so that a side without
 * rows, whose bar reaches up alone, counts as it should.
 */
function createDifferenceBars(
  context: ColumnContext,
  part: "delta" | "delta_pct",
  sides: BarsOfSides,
): PresentBars | null {
  const { sizes } = context.behind;
  const apart = createBarsApart(context, part, sides);
  const together = isSketched(context) ? null : createBarsTogether(context, part);
  if (apart === null || together === null) return apart;
  return (group, row) =>
    sizes.some((ofRows) => ofRows[row]!.missing > 0) ? together(group, row) : apart(group, row);
}

/** Where leaves are missing of both sides. */
function createBarsTogether(
  context: ColumnContext,
  part: "delta" | "delta_pct",
): PresentBars | null {
  const [main, base] = [createSideEstimator(context, 0), createSideEstimator(context, 1)];
  if (main === null || base === null) return null;
  const round = createRounding(context, part);
  return (group, row) => {
    const [a, b] = [main(group, row), base(group, row)];
    if (typeof a === "string") return a;
    if (typeof b === "string") return b;
    const change = part === "delta" ? combine(1, a, -1, b) : changeOf(a, b);
    if (typeof change === "string") return change;
    const bar = interval95(change);
    return bar === null ? "unknown" : { bar: round(group, bar), isExact: false };
  };
}

/** Where each side errs by itself. */
function createBarsApart(
  context: ColumnContext,
  part: "delta" | "delta_pct",
  [main, base]: BarsOfSides,
): PresentBars | null {
  if (main === null || base === null) return null;
  const round = createRounding(context, part);
  const { index, values, aggregate } = context;
  const scale = aggregate.type === "float" ? 1 : 10 ** aggregate.decimals;
  const shown = (side: "main" | "compare", group: number): number =>
    Number(values.finishedOf(index, side, group)) / scale;
  return (group, row) => {
    const [a, b] = [main(group, row), base(group, row)];
    if (typeof a === "string") return a;
    if (typeof b === "string") return b;
    const [now, was] = [
      { value: shown("main", group), bar: a.bar },
      { value: shown("compare", group), bar: b.bar },
    ];
    const bar = part === "delta" ? differenceOf(1, now, 1, was) : percentOf(now, was);
    if (typeof bar === "string") return bar;
    return a.isExact && b.isExact
      ? { bar, isExact: true }
      : { bar: round(group, bar), isExact: false };
  };
}

function changeOf(main: LinearEstimate, base: LinearEstimate): LinearEstimate | NoBar {
  const bar = interval95(base);
  if (bar === null || base.value === 0) return "unknown";
  if (bar[1] - bar[0] > 2 * baseErrorMax * Math.abs(base.value)) return "unsure-base";
  const ratio = main.value / base.value;
  const scale = 100 / Math.abs(base.value);
  const change = combine(scale, main, -scale * ratio, base);
  return { ...change, value: scale * (main.value - base.value) };
}

interface BarredValue {
  readonly value: number;
  readonly bar: Interval;
}

/** p · a − q · b, with p and q above 0. */
function differenceOf(p: number, a: BarredValue, q: number, b: BarredValue): Interval {
  const value = p * a.value - q * b.value;
  const below = Math.hypot(p * (a.value - a.bar[0]), q * (b.bar[1] - b.value));
  const above = Math.hypot(p * (a.bar[1] - a.value), q * (b.value - b.bar[0]));
  return [value - below, value + above];
}

function percentOf(main: BarredValue, base: BarredValue): Interval | NoBar {
  const size = Math.abs(base.value);
  if (size === 0) return "unknown";
  if (base.bar[1] - base.bar[0] > 2 * baseErrorMax * size) return "unsure-base";
  const scale = 100 / size;
  const ratio = main.value / base.value;
  const [low, high] =
    ratio < 0
      ? differenceOf(scale, main, -scale * ratio, negated(base))
      : differenceOf(scale, main, scale * ratio, base);
  // Of what it is scaled to, both sides are the same: 0 less 0, moved to the change.
  const change = scale * (main.value - base.value);
  return [low + change, high + change];
}

const negated = ({ value, bar: [low, high] }: BarredValue): BarredValue => ({
  value: -value,
  bar: [-high, -low],
});

/** A count is at least what was counted, and where rows have no weight at most that plus the missing rows. */
function createCountBounds(
  context: ColumnContext,
  sideIndex: number,
): (group: number, row: number, bar: Interval | null) => Interval | null {
  const { aggregate, merged, joined, behind, resolved } = context;
  const { value, spreadIndex } = aggregate;
  const factorOf = createFactor(context, sideIndex);
  const { states } = merged.sides[sideIndex]!;
  const isOfRows = resolved.states[value.stateIndex]?.kind === "weight";
  return (group, row, bar) => {
    const factor = factorOf(group);
    const position = joined.positions[sideIndex]![group]!;
    if (factor === null) return bar;
    const countedIn = (stateIndex: number): number =>
      position < 0 ? 0 : countOf(states[stateIndex]!, position);
    if (spreadIndex !== null) {
      // Every row stands for one event at least.
      const least = isOfRows ? countedIn(0) * factor : 0;
      return bar === null ? null : [Math.max(bar[0], least), bar[1]];
    }
    const { missing } = behind.sizes[sideIndex]![row]!;
    if (missing === 0) return bar;
    const counted = countedIn(value.stateIndex);
    const [least, most] = [counted * factor, (counted + missing) * factor];
    if (bar === null) return [least, most];
    return [Math.min(Math.max(bar[0], least), most), Math.max(Math.min(bar[1], most), least)];
  };
}

/** Rounded outwards to what the column can show. Of a mean, what is shown lies within. */
function createRounding(
  { aggregate: { value, type, decimals }, index, values }: ColumnContext,
  part: ComparePart,
): (group: number, bar: Interval) => Interval {
  if (
    aggregateKindOf(value)?.estimatedAs === "average" &&
    (part === "main" || part === "compare")
  ) {
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
