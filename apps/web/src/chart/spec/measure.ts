import { type Aggregate, isNumber } from "../../query/number/aggregate.js";
import { aggregateLabel, numberName } from "../../query/number/labels.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { BuildContext, ViewOption } from "./viewSpec.js";

/** Which of the form's numbers a view shows that has room for one. */
export const measureOption: ViewOption = {
  name: "measure",
  label: "Colour by",
  choices: ({ aggregates }) => {
    const numbers = aggregates.filter(isNumber);
    // One is no choice.
    if (numbers.length < 2) return [];
    return numbers.map((spec) => ({ value: numberName(spec), label: aggregateLabel(spec) }));
  },
};

/** The same for views without colours by it: the largest comes first. */
export const rankedMeasureOption: ViewOption = { ...measureOption, label: "Rank by" };

/** The number that was chosen, else the first; counting where the form has none. */
export function measureOf({ aggregates }: ExploreState, { option }: BuildContext): Aggregate {
  const numbers = aggregates.filter(isNumber);
  const chosen = option(measureOption.name);
  return numbers.find((spec) => numberName(spec) === chosen) ?? numbers[0] ?? { fn: "count" };
}
