import { timeColumn } from "@hadal/sdk";
import type {
  PartialResult,
  PartialSide,
  StateColumn,
} from "../../aggregate/partial/partialResult.js";
import { countOf } from "../../aggregate/state/countState.js";
import { exactSumOf } from "../../aggregate/state/sumState.js";
import type { IntColumn, SegmentColumn } from "../../column/segmentColumn.js";
import type { AdditivePart } from "../../function/compile/additiveFunction.js";
import { numberTag } from "../../function/evaluate/finishSums.js";
import type { TypedInput } from "../../function/term/typedExpression.js";
import type {
  BoundColumn,
  ResolvedDerived,
  ResolvedQuery,
  StateSpec,
} from "../../plan/query/resolvedQuery.js";
import { type SegmentView, timesOf } from "../../store/segment/segmentView.js";
import { productWhere } from "../derive/columnProduct.js";
import { functionsOf } from "../segment/sandboxParts.js";

/** A user's function over rows whose state is sums: they are added up like any others. */
export interface AdditiveState {
  readonly columns: readonly BoundColumn[];
  readonly parts: readonly AdditivePart[];
  /** Place among the query's states. */
  readonly stateIndex: number;
}

/**
 * The functions among the states, when sums give all of them and each product on the way is exact;
 * null: at least one has to run. Sums are made of stored columns only.
 */
export function additiveStates(
  query: ResolvedQuery,
  segments: readonly SegmentView[],
): readonly AdditiveState[] | null {
  const { states, derived = [] } = query;
  if (functionsOf(query).length > 0) return null;
  const found: AdditiveState[] = [];
  for (const [stateIndex, spec] of states.entries()) {
    if (spec.kind !== "function") continue;
    if (spec.additive === undefined) return null;
    if (spec.columns.some((column) => derived.some(({ name }) => name === column.name)))
      return null;
    const one = { columns: spec.columns, parts: spec.additive, stateIndex };
    if (!isExact(one, segments)) return null;
    found.push(one);
  }
  return found.length === 0 ? null : found;
}

/** Products of whole numbers are exact as doubles below it. */
const exactMax = 2n ** 53n;

/**
 * The query with sums in place of these functions: each part is the sum of a derived column, which
 * has a value where all columns of the function have. No leaf knows how the root will rank what
 * comes of them.
 */
export function sumsQuery(query: ResolvedQuery, additive: readonly AdditiveState[]): ResolvedQuery {
  const derived = additive.flatMap((one) => one.parts.map((_, part) => partColumn(one, part)));
  return {
    ...query,
    states: innerStates(query.states, additive),
    derived: [...(query.derived ?? []), ...derived],
    cut: { ...query.cut, ranks: [] },
  };
}

/** States of the leaf in place of the query's: an additive function has as many as it has parts. */
function innerStates(
  states: readonly StateSpec[],
  additive: readonly AdditiveState[],
): readonly StateSpec[] {
  return states.flatMap((spec, index) => {
    const one = additive.find(({ stateIndex }) => stateIndex === index);
    if (one === undefined) return [spec];
    return one.parts.map(({ factors }, part): StateSpec => {
      const column = partName(index, part);
      if (factors.length === 0) return { kind: "present", column, weighted: true };
      return { kind: "sum", column, decimals: decimalsOf(one, part) };
    });
  });
}

/** The product of a part's factors (of none: any of the columns, for its presence). */
function partColumn(state: AdditiveState, part: number): ResolvedDerived {
  const { factors } = state.parts[part]!;
  const read = factors.length === 0 ? [0] : factors;
  const decimals = read.reduce((sum, factor) => sum + state.columns[factor]!.decimals, 0);
  const expression = productWhere(
    read.map((factor) => inputOf(state, factor)),
    state.columns.map((_, index) => index).filter((index) => !read.includes(index)),
    (index) => inputOf(state, index),
    decimals,
  );
  return {
    ...{ index: -1, name: partName(state.stateIndex, part), type: "int", decimals },
    inputs: state.columns,
    how: { kind: "expression", expression },
  };
}

function inputOf({ columns }: AdditiveState, index: number): TypedInput {
  return { kind: "input", index, type: "int", decimals: columns[index]!.decimals };
}

/** Whether the products of every row of these segments are exact. */
function isExact({ columns, parts }: AdditiveState, segments: readonly SegmentView[]): boolean {
  return segments.every((segment) => {
    const stored = columns.map((column) => columnOf(column, segment));
    return parts.every(({ factors }) => {
      const magnitude = factors.reduce((product, factor) => {
        const column = stored[factor];
        return column?.kind === "int" ? product * magnitudeOf(column) : 0n;
      }, 1n);
      return factors.length < 2 || magnitude < exactMax;
    });
  });
}

/** The query's states, computed from the summed ones. */
export function foldAdditive(
  partial: PartialResult,
  states: readonly StateSpec[],
  additive: readonly AdditiveState[],
): PartialResult {
  const sides = partial.sides.map((side) => foldSide(side, states, additive));
  return { sides, sample: partial.sample };
}

function foldSide(
  side: PartialSide,
  states: readonly StateSpec[],
  additive: readonly AdditiveState[],
): PartialSide {
  let at = 0;
  const folded = states.map((_, index): StateColumn => {
    const one = additive.find(({ stateIndex }) => stateIndex === index);
    if (one === undefined) return side.states[at++]!;
    const own = side.states.slice(at, at + one.parts.length);
    at += one.parts.length;
    const texts = Array.from({ length: side.groupCount }, (_, group) => [
      printState(one, own, group),
    ]);
    return { kind: "function", states: texts };
  });
  return { ...side, states: folded };
}

/** As the sandbox would print the state. */
function printState(state: AdditiveState, columns: readonly StateColumn[], group: number): string {
  const parts = state.parts.map(({ name, factors }, part) => {
    const column = columns[part]!;
    if (factors.length === 0) return `${JSON.stringify(name)}:${countOf(column, group)}`;
    const sum = exactSumOf(column, group);
    // Further than a double is exact, and so far beyond 64 bits that it is unknown.
    const value = sum === "overflow" ? Number.NaN : Number(sum) / 10 ** decimalsOf(state, part);
    const text = Number.isNaN(value) ? { [numberTag]: "NaN" } : value;
    return `${JSON.stringify(name)}:${JSON.stringify(text)}`;
  });
  return `{${parts.join(",")}}`;
}

function decimalsOf({ columns, parts }: AdditiveState, part: number): number {
  const { factors } = parts[part]!;
  return factors.reduce((sum, factor) => sum + columns[factor]!.decimals, 0);
}

/** No column of a table can be called so. */
const partName = (stateIndex: number, part: number): string => `\u0000sum ${stateIndex} ${part}`;

const magnitudeOf = ({ min, max }: IntColumn): bigint => {
  if (min > max) return 0n;
  const low = min < 0n ? -min : min;
  const high = max < 0n ? -max : max;
  return low > high ? low : high;
};

function columnOf({ name }: BoundColumn, segment: SegmentView): SegmentColumn | undefined {
  if (name !== timeColumn) return segment.columns.get(name);
  const zone = { min: BigInt(segment.minMs), max: BigInt(segment.maxMs) };
  return { kind: "int", decimals: 0, present: 0, ...zone, ...timesOf(segment) };
}
