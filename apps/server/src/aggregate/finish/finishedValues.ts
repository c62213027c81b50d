import { HadalError, type HistogramBucket } from "@hadal/sdk";
import type { CalculatedValue } from "../../plan/query/calculation.js";
import type { ComparePart, FinishAggregate } from "../../plan/query/finishPlan.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { AggregateKind, FinishedValue } from "../function/aggregateKind.js";
import { aggregateKindOf } from "../function/aggregateKinds.js";
import { coverage } from "../key/coverage.js";
import type { JoinedGroups } from "../key/joinSides.js";
import { keyReader } from "../key/keyReader.js";
import type { PartialSide } from "../partial/partialResult.js";
import { calculationOfTexts, calculationOverflow, createCalculator } from "./calculate.js";

/** Finishes aggregates of joined groups on demand: most groups of a wide answer are never read. */
export interface FinishedValues {
  finishedOf(aggregateIndex: number, part: ComparePart, group: number): FinishedValue;
  /** Of all joined groups. */
  valuesOf(aggregateIndex: number, part: ComparePart): FinishedValue[];
  /** Of all joined groups, as numbers to order by; null where only finished values have the order. */
  ordinalsOf(aggregateIndex: number, part: ComparePart): Float64Array | null;
  /** The interval of an estimated number (of each side of a comparison, not of the difference); null where it is unknown. */
  intervalOf(
    aggregateIndex: number,
    part: "main" | "compare",
    group: number,
  ): readonly [number, number] | null;
  /** The text of a string result; null when it is no string. */
  textOf(aggregateIndex: number, part: ComparePart, group: number): string | null;
  /** The buckets of a histogram; null when no value was present. */
  bucketsOf(
    aggregateIndex: number,
    part: ComparePart,
    group: number,
  ): readonly HistogramBucket[] | null;
}

/** Throws where one of the `checked` aggregates, which every group needs, overflows in any group. */
export function finishValues(
  finishing: Finishing,
  aggregates: readonly FinishAggregate[],
  checked: readonly FinishAggregate[] = aggregates,
): FinishedValues {
  const { sides, joined, resolved } = finishing;
  for (const { value } of checked) checkOverflow(value, sides, resolved);
  const ofSides = sides.map((_, sideIndex) => new SideValues(finishing, sideIndex, aggregates));
  const sideOf = (part: ComparePart): SideValues => ofSides[part === "main" ? 0 : 1]!;
  const finishedOf = (aggregateIndex: number, part: ComparePart, group: number): FinishedValue => {
    const main = ofSides[0]!.numbers[aggregateIndex]!;
    if (part === "main") return main(group);
    const base = ofSides[1]!.numbers[aggregateIndex]!;
    if (part === "compare") return base(group);
    if (part === "delta_pct") return changePercent(main(group), base(group));
    const delta = subtract(main(group), base(group));
    // A whole double differs from an integer by its type alone.
    return aggregates[aggregateIndex]!.type === "float" && delta !== null ? Number(delta) : delta;
  };
  return {
    finishedOf,
    valuesOf(aggregateIndex, part) {
      const values = new Array<FinishedValue>(joined.count);
      for (let group = 0; group < joined.count; group++) {
        values[group] = finishedOf(aggregateIndex, part, group);
      }
      return values;
    },
    ordinalsOf(aggregateIndex, part) {
      const [side] = sides;
      const { value, type } = aggregates[aggregateIndex]!;
      // One side's groups are the joined ones, in their order.
      if (side === undefined || sides.length > 1 || resolved.groupBy.length === 0) return null;
      if (part !== "main" || type === "float") return null;
      return aggregateKindOf(value)?.ordinals?.(value, side.states) ?? null;
    },
    intervalOf: (aggregateIndex, part, group) =>
      sideOf(part).intervalOf(aggregateIndex, group, finishedOf(aggregateIndex, part, group)),
    textOf(aggregateIndex, part, group) {
      // Texts have no difference: a calculated one is that of the base side.
      return sideOf(part).textOf(aggregateIndex, part, group);
    },
    bucketsOf: (aggregateIndex, part, group) => sideOf(part).bucketsOf(aggregateIndex, group),
  };
}

type Intervals = ReturnType<NonNullable<AggregateKind["intervals"]>>;

/** The numbers of one side, of joined groups. */
class SideValues {
  /** By aggregate: its number in a group. */
  readonly numbers: readonly ((group: number) => FinishedValue)[];
  readonly #side: PartialSide;
  readonly #positions: Int32Array;
  readonly #aggregates: readonly FinishAggregate[];
  /** By aggregate; null: it is not calculated. */
  readonly #calculated: readonly (((group: number) => CalculatedValue) | null)[];
  /** By aggregate, computed on demand: states may not be merged before. */
  readonly #intervals: Intervals[] = [];

  constructor(finishing: Finishing, sideIndex: number, aggregates: readonly FinishAggregate[]) {
    const { sides, joined } = finishing;
    this.#side = sides[sideIndex]!;
    this.#positions = joined.positions[sideIndex]!;
    this.#aggregates = aggregates;
    const finished = aggregates.map((aggregate) => {
      const kind = aggregateKindOf(aggregate.value);
      if (kind === null) return () => null;
      const finisher = createFinisher(aggregate, kind, sideIndex, finishing);
      // Read by the order, the cell and its interval.
      return kind.isSlow ? remember(finisher, joined.count) : finisher;
    });
    this.#calculated = aggregates.map((aggregate) =>
      createCalculated(aggregate, { aggregates, finished, sideIndex }, finishing),
    );
    this.numbers = finished.map((finisher, i) => {
      const calculate = this.#calculated[i] ?? null;
      return calculate === null ? finisher : (group: number) => numberOf(calculate(group));
    });
  }

  intervalOf(
    index: number,
    group: number,
    finished: FinishedValue,
  ): readonly [number, number] | null {
    const position = this.#positions[group]!;
    const { value, decimals } = this.#aggregates[index]!;
    if (finished === null || position < 0) return null;
    this.#intervals[index] ??=
      aggregateKindOf(value)?.intervals?.(value, this.#side.states, decimals) ?? noInterval;
    return this.#intervals[index](position, finished);
  }

  textOf(index: number, part: ComparePart, group: number): string | null {
    const calculate = this.#calculated[index] ?? null;
    if (calculate !== null) return textOfValue(calculate(group));
    if (part === "delta" || part === "delta_pct") return null;
    return textOf(this.#aggregates[index]!.value, this.#side, this.#positions[group]!);
  }

  bucketsOf(index: number, group: number): readonly HistogramBucket[] | null {
    const position = this.#positions[group]!;
    const { value, decimals } = this.#aggregates[index]!;
    if (position < 0) return null;
    return aggregateKindOf(value)?.buckets?.(value, this.#side.states, position, decimals) ?? null;
  }
}

const noInterval = (): null => null;

/** The text of a group that is at this place of the side; null of kinds without texts. */
function textOf(value: FinishValue, side: PartialSide, position: number): string | null {
  if (position < 0) return null;
  return aggregateKindOf(value)?.text?.(value, side.states, position) ?? null;
}

/** The value of a calculated column for each group; null for another aggregate. */
function createCalculated(
  { name, value }: FinishAggregate,
  { aggregates, finished: finishers, sideIndex }: FinishedSide,
  { sides, joined, resolved }: Finishing,
): ((group: number) => CalculatedValue) | null {
  if (value.kind !== "calculated") return null;
  const positions = joined.positions[sideIndex]!;
  const calculate = createCalculator(
    value.calculation,
    {
      aggregate(index, group) {
        const finished = finishers[index]!(group);
        const of = aggregates[index]!;
        if (of.type === "string" && of.value.kind !== "function") {
          return textOf(of.value, sides[sideIndex]!, positions[group]!);
        }
        if (of.value.kind === "function") {
          if (of.type === "string") throw calculationOfTexts(of.name, value.path);
          return finished === null ? null : Number(finished);
        }
        return finished === null || of.type === "float" ? finished : BigInt(finished);
      },
      key: (groupIndex, group) => keys[groupIndex]!(group),
    },
    () => calculationOverflow(name, value.path),
  );
  const keys = joined.keys.map((key) => {
    const read = keyReader(key, resolved);
    return (group: number): CalculatedValue => {
      const kept = read(group);
      return typeof kept === "number" ? BigInt(kept) : kept;
    };
  });
  // Read by the order, the conditions and the cell.
  return remember(calculate, joined.count);
}

function numberOf(value: CalculatedValue): FinishedValue {
  return typeof value === "bigint" || typeof value === "number" ? value : null;
}

function textOfValue(value: CalculatedValue): string | null {
  return typeof value === "string" || typeof value === "boolean" ? String(value) : null;
}

/** The aggregates that a calculated column reads. */
interface FinishedSide {
  readonly aggregates: readonly FinishAggregate[];
  readonly finished: readonly ((group: number) => FinishedValue)[];
  readonly sideIndex: number;
}

interface Finishing {
  readonly sides: readonly PartialSide[];
  readonly joined: JoinedGroups;
  readonly resolved: ResolvedQuery;
}

function createFinisher(
  aggregate: FinishAggregate,
  kind: AggregateKind,
  sideIndex: number,
  { sides, joined, resolved }: Finishing,
): (group: number) => FinishedValue {
  const side = sides[sideIndex]!;
  const positions = joined.positions[sideIndex]!;
  const { value } = aggregate;
  const isFloat = aggregate.type === "float";
  const perMs = "perMs" in value ? value.perMs : null;
  const scale = 10 ** aggregate.decimals;
  const coveredMs = coverage(resolved, sideIndex, joined);
  return (group) => {
    const position = positions[group]!;
    // Leaves keep a group on both sides of a comparison: an absent group had no rows.
    if (position < 0) return kind.absent;
    const finished = kind.finish(value, side.states, position);
    if (finished === "overflow") throw sumOverflow(value, resolved);
    if (finished === null || !isFloat) return finished;
    if (perMs === null) return Number(finished) / scale;
    const covered = coveredMs(group);
    return covered === 0 ? null : (Number(finished) * perMs) / covered / scale;
  };
}

function remember<Value extends CalculatedValue>(
  finisher: (group: number) => Value,
  groupCount: number,
): (group: number) => Value {
  const known = new Array<Value | undefined>(groupCount);
  return (group) => {
    let finished = known[group];
    if (finished === undefined) {
      finished = finisher(group);
      known[group] = finished;
    }
    return finished;
  };
}

/** A sum that does not fit ends the query, also in a group that the limit would not show: the answer must not depend on the limit. */
function checkOverflow(
  value: FinishValue,
  sides: readonly PartialSide[],
  resolved: ResolvedQuery,
): void {
  const kind = aggregateKindOf(value);
  for (const { states } of sides) {
    const group = kind?.firstOverflow?.(value, states) ?? -1;
    if (group >= 0) throw sumOverflow(value, resolved);
  }
}

function sumOverflow({ stateIndex }: FinishValue, resolved: ResolvedQuery): HadalError {
  const spec = resolved.states[stateIndex]!;
  const column = ("column" in spec ? spec.column : null) ?? "";
  const { message } = new HadalError("sum-overflow", { column });
  const part = { path: `states[${stateIndex}]`, code: "sum-overflow", detail: message };
  return new HadalError("sum-overflow", { column }, [part]);
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

/**
 * The change in percent of the magnitude of the base, positive for a rise even from a negative base. Missing when the
 * base is 0.
 */
function changePercent(main: FinishedValue, base: FinishedValue): FinishedValue {
  const delta = subtract(main, base);
  if (delta === null || Number(base) === 0) return null;
  return (Number(delta) / Math.abs(Number(base))) * 100;
}
