import { type AggregateFn, aggregateMeanings, unitOfColumn } from "@hadal/sdk";
import { type Aggregate, isNumber, isRatio } from "../../query/number/aggregate.js";
import { aggregateLabel, numberName } from "../../query/number/labels.js";
import type { ExploreState } from "../../query/state/exploreState.js";

/** A value axis of a chart over time. */
export interface ValueAxis {
  /** Key of its options: the result column and what is drawn of it. */
  readonly name: string;
  readonly label: string;
  readonly unit: string | undefined;
}

/** The axes of a state's lines that the form can predict; the result decides whether sides are compared. */
export function valueAxes(
  state: ExploreState,
  options: Readonly<Record<string, string>>,
): readonly ValueAxis[] {
  if (state.view === "percentiles") {
    const column = options.value ?? "";
    return [{ name: `p50_${column}`, label: column, unit: unitOfColumn(column) }];
  }
  const amounts = state.aggregates.filter(isNumber).map(
    (spec): ValueAxis => ({
      name: numberName(spec),
      label: aggregateLabel(spec),
      unit: unitOfNumber(spec),
    }),
  );
  if (state.view === "area") return options.stack === "share" ? amounts.map(shareOf) : amounts;
  const { versus } = options;
  if (versus === "ratio") return amounts.map(ratioOf);
  if (versus === "difference") return amounts.map(differenceOf);
  return versus === "auto" ? [...amounts, ...amounts.map(differenceOf)] : amounts;
}

const shareOf = ({ name, label }: ValueAxis): ValueAxis => ({
  ...{ name: `${name}.share`, label: `${label}, % of all`, unit: "percent" },
});

const ratioOf = ({ name, label }: ValueAxis): ValueAxis => ({
  ...{ name: `${name}.ratio`, label: `${label}: ratio`, unit: "times" },
});

const differenceOf = (axis: ValueAxis): ValueAxis => ({
  ...axis,
  name: `${axis.name}.difference`,
  label: `${axis.label}: difference`,
});

/** The server's name of the column in results. */
function unitOfNumber(spec: Aggregate): string | undefined {
  if (isRatio(spec)) return spec.percent === true ? "percent" : undefined;
  if (spec.columns !== undefined || spec.column === undefined) return undefined;
  return aggregateMeanings[spec.fn as AggregateFn].keepsUnit
    ? unitOfColumn(spec.column)
    : undefined;
}
