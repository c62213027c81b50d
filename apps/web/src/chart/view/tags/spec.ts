import type { ColumnInfo } from "@hadal/sdk";
import { autoBucketMs } from "../../../query/group/bucket.js";
import type { GroupSpec } from "../../../query/group/groupSpec.js";
import { numberName } from "../../../query/number/labels.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { measureOf, rankedMeasureOption } from "../../spec/measure.js";
import { overGroups } from "../../spec/overGroups.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** More lines of the leaderboard are for those who search, and have filters. */
const valuesMax = 100;
/** A point for every two pixels of a sparkline. */
const sparkPoints = 40;

/** Sets first: that is what they are for. Which type a derived column has is known after the first answer. */
function countedColumns(
  { derive }: ExploreState,
  columns: readonly ColumnInfo[],
): readonly string[] {
  const own = ["set", "vector", "string"].flatMap((wanted) =>
    columns.filter(({ type }) => type === wanted).map(({ name }) => name),
  );
  return [...new Set([...own, ...derive.map(({ as }) => as)])];
}

/** Each element of a list is counted; another column's values as they are. */
function groupOf(name: string, columns: readonly ColumnInfo[]): readonly GroupSpec[] {
  if (name === "") return [];
  const type = columns.find((column) => column.name === name)?.type;
  return [type === "set" || type === "vector" ? { element: name } : name];
}

export const tags: ViewSpec = {
  id: "tags",
  name: "Trending values",
  group: "ranking",
  answers: "Which values of a column, or elements of sets, spike?",
  load: async () => (await import("./TagsView.js")).TagsView,
  fields: ["compare", "aggregates"],
  options: [
    {
      name: "list",
      label: "Values of",
      choices: (state, columns) =>
        countedColumns(state, columns).map((value) => ({ value, label: value })),
    },
    rankedMeasureOption,
  ],
  needsColumns: true,
  lacks: (state, columns) =>
    countedColumns(state, columns).length > 0
      ? null
      : `${state.table} has no column of texts, sets or lists whose values could be counted.`,
  fill: (state) => state,
  orderNames: overGroups.orderNames,
  build: (state, context) => {
    const measure = measureOf(state, context);
    const groups = groupOf(context.option("list"), context.columns);
    const name = numberName(measure);
    // What changed most comes first; without a side B, what there is most of.
    const orderBy = [{ by: state.compare === null ? name : `${name}.delta`, desc: true }];
    const asked = { ...context.counted, aggregates: [measure] };
    const bucket = `${autoBucketMs(context.rangeMs * (300 / sparkPoints))}ms`;
    return {
      query: { ...asked, groupBy: groups, orderBy, limit: valuesMax },
      extras: {
        sparks: {
          ...asked,
          groupBy: [{ time: bucket }, ...groups],
          orderBy: [{ by: name, desc: true }],
          series: valuesMax,
        },
        total: { ...asked, groupBy: [] },
      },
    };
  },
};
