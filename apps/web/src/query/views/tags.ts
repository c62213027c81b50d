import type { ColumnInfo } from "@hadal/sdk";
import { autoBucketMs } from "../bucket.js";
import { numberName } from "../labels.js";
import { measureOf, rankedMeasureOption } from "./measure.js";
import { overGroups } from "./overGroups.js";
import type { ViewSpec } from "./viewSpec.js";

/** More lines of the leaderboard are for those who search, and have filters. */
const elementsMax = 100;
/** A point for every two pixels of a sparkline. */
const sparkPoints = 40;

/** Sets first: that is what they are for. */
const listColumns = (columns: readonly ColumnInfo[]): readonly string[] =>
  ["set", "vector"].flatMap((wanted) =>
    columns.filter(({ type }) => type === wanted).map(({ name }) => name),
  );

export const tags: ViewSpec = {
  id: "tags",
  name: "Trending elements",
  group: "ranking",
  answers: "Which elements of sets spike?",
  fields: ["compare", "aggregates"],
  options: [
    {
      name: "list",
      label: "Elements of",
      choices: (_, columns) => listColumns(columns).map((value) => ({ value, label: value })),
    },
    rankedMeasureOption,
  ],
  needsColumns: true,
  lacks: (state, columns) =>
    listColumns(columns).length > 0
      ? null
      : `${state.table} has no column of sets or lists whose elements could be counted.`,
  fill: (state) => state,
  orderNames: overGroups.orderNames,
  build: (state, context) => {
    const measure = measureOf(state, context);
    const list = context.option("list");
    const elements = list === "" ? [] : [{ element: list }];
    const name = numberName(measure);
    // What changed most comes first; without a side B, what there is most of.
    const orderBy = [{ by: state.compare === null ? name : `${name}.delta`, desc: true }];
    const asked = { ...context.counted, aggregates: [measure] };
    const bucket = `${autoBucketMs(context.rangeMs * (300 / sparkPoints))}ms`;
    return {
      query: { ...asked, groupBy: elements, orderBy, limit: elementsMax },
      extras: {
        sparks: {
          ...asked,
          groupBy: [{ time: bucket }, ...elements],
          orderBy: [{ by: name, desc: true }],
          series: elementsMax,
        },
        total: { ...asked, groupBy: [] },
      },
    };
  },
};
