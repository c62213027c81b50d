import { unitOfColumn } from "@hadal/sdk";
import { type Aggregate, isNumber, isRatio } from "../../query/number/aggregate.js";
import { aggregateLabel, numberName } from "../../query/number/labels.js";
import type { ExploreState } from "../../query/state/exploreState.js";

/** An axis of values that a chart over time has, or may have. */
export interface ValueAxis {
  /** By which its choices are kept: of the result column, and of what is drawn of it. */
  readonly name: string;
  readonly label: string;
  readonly unit: string | undefined;
}

/** The axes of a state's lines, as far as the form can tell: whether sides are compared is decided by the answer. */
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

/** As the server names it in its answers. */
function unitOfNumber(spec: Aggregate): string | undefined {
  if (isRatio(spec)) return spec.percent === true ? "percent" : undefined;
  const isOfColumn = ["sum", "avg", "min", "max", "percentile", "stddev", "stddev_pop"].includes(
    spec.fn,
  );
  if (spec.columns !== undefined || !isOfColumn || spec.column === undefined) return undefined;
  return unitOfColumn(spec.column);
}
