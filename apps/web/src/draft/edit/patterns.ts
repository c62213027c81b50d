import type { DerivedColumn } from "@hadal/sdk";
import { type Aggregate, isCount, isRatio } from "../../query/number/aggregate.js";
import { numberName } from "../../query/number/labels.js";
import type { ExploreState } from "../../query/state/exploreState.js";

/** Rows grouped by the template of a text column, with the count of each template over time. */
export function withPatterns(state: ExploreState, column: string): ExploreState {
  const derived = state.derive.find((one) => isPatternOf(one, column)) ?? {
    as: freeName(`${column}_pattern`, state),
    expression: { fn: "pattern", args: [{ column }] },
  };
  const count = state.aggregates.find(countsRows) ?? { fn: "count" };
  return {
    ...state,
    derive: state.derive.includes(derived) ? state.derive : [...state.derive, derived],
    groupBy: [derived.as],
    aggregates: [count, ...state.aggregates.filter((spec) => spec !== count)],
    having: [],
    order: null,
    view: "tags",
    options: { ...state.options, list: derived.as, measure: numberName(count) },
  };
}

const countsRows = (spec: Aggregate): boolean =>
  isCount(spec) && !isRatio(spec) && spec.column === undefined && spec.per === undefined;

function isPatternOf(derived: DerivedColumn, column: string): boolean {
  if (!("expression" in derived)) return false;
  const { expression } = derived;
  if (!("fn" in expression) || expression.fn !== "pattern") return false;
  const [text] = expression.args;
  return text !== undefined && "column" in text && text.column === column;
}

function freeName(wanted: string, { derive }: ExploreState): string {
  const isTaken = (name: string): boolean => derive.some(({ as }) => as === name);
  let name = wanted;
  for (let number = 2; isTaken(name); number++) name = `${wanted}_${number}`;
  return name;
}
