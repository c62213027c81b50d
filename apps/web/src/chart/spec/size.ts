import { type ColumnInfo, sampleRateColumn, timeColumn } from "@hadal/sdk";
import type { Aggregate } from "../../query/number/aggregate.js";
import { parseAggregate, printAggregate } from "../../query/number/aggregateUrl.js";
import { aggregateLabel, isAdditive } from "../../query/number/labels.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { BuildContext, ViewOption } from "./viewSpec.js";

/** Choices for widths and areas: the form's additive numbers, then the count, then sums of columns. */
export const sizeOption: ViewOption = {
  name: "size",
  label: "Size by",
  choices: (state, columns) =>
    sizes(state, columns).map((spec) => ({
      value: printAggregate(spec),
      label: aggregateLabel(spec),
    })),
};

/** The number that was chosen for the size. */
export const sizeOf = (context: BuildContext): Aggregate =>
  parseAggregate(context.option(sizeOption.name));

function sizes(state: ExploreState, columns: readonly ColumnInfo[]): readonly Aggregate[] {
  const sums = columns
    .filter(({ name, type }) => type === "int" && name !== timeColumn && name !== sampleRateColumn)
    // Columns with a unit measure something; sums of status codes and ids come last.
    .sort((a, b) => Number(b.unit !== undefined) - Number(a.unit !== undefined))
    .map(({ name }): Aggregate => ({ fn: "sum", column: name }));
  const all = [...state.aggregates.filter(isAdditive), { fn: "count" } as const, ...sums];
  return [...new Map(all.map((spec) => [printAggregate(spec), spec])).values()];
}
