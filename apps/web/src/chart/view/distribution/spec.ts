import type { AggregateSpec, Filter, Query, Result, ResultValue } from "@hadal/sdk";
import { filtersOfGroup, type GroupValue } from "../../../query/filter/groupFilter.js";
import { groupName } from "../../../query/group/groupSpec.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { columnWithoutNumbers, scaleOption, spreadAggregates } from "../../spec/spreadProbe.js";
import { valueBucket } from "../../spec/valueBucket.js";
import { lacksNumbers, valueOption } from "../../spec/valueColumn.js";
import type { BuildContext, ViewSpec } from "../../spec/viewSpec.js";

/** More shapes over each other cannot be read. */
const groupsMax = 5;
const binsWanted = 120;
/** The percentiles that are marked. */
const marked = [50, 90, 95, 99];

export const distribution: ViewSpec = {
  id: "distribution",
  name: "Distribution",
  group: "distribution",
  answers: "What is the shape of the values, and where is the tail?",
  load: async () => (await import("./DistributionView.js")).DistributionView,
  fields: ["compare", "group"],
  options: [
    valueOption,
    scaleOption,
    {
      name: "shape",
      label: "Shape",
      choices: () => [
        { value: "count", label: "histogram" },
        { value: "share", label: "histogram, % of each" },
        { value: "cdf", label: "cumulative (CDF)" },
      ],
    },
  ],
  needsColumns: true,
  lacks: lacksNumbers,
  fill: (state) => state,
  orderNames: () => ["count"],
  probe: (state, context) =>
    perGroup(state, context, [count, ...spreadAggregates(context.option("value"))]),
  build: (state, context) => {
    const column = context.option("value");
    const only = groupsFilter(state, context.probed);
    const { filter = [], compare } = context.counted;
    const query: Query = {
      ...context.counted,
      filter: [...filter, ...only],
      ...(compare?.filter && { compare: { ...compare, filter: [...compare.filter, ...only] } }),
      aggregates: [count],
      groupBy: [...state.groupBy, valueBucket(context, binsWanted)],
    };
    const marks = perGroup(state, context, [count, ...percentiles(column)]);
    return { query, extras: { marks }, without: columnWithoutNumbers(context.probed, [column]) };
  },
};

const count: AggregateSpec = { fn: "count" };

const percentiles = (column: string): AggregateSpec[] =>
  marked.map((p) => ({ fn: "percentile", column, p }));

/** Numbers of the largest groups. */
const perGroup = (
  state: ExploreState,
  { counted }: BuildContext,
  aggregates: readonly AggregateSpec[],
): Query => ({
  ...counted,
  groupBy: state.groupBy,
  aggregates,
  orderBy: [{ by: "count", desc: true }],
  limit: groupsMax,
});

/** With more groups than are drawn, the rows of those that are; of whole lists, which no filter says, the chart leaves out. */
function groupsFilter(state: ExploreState, probed: Result | null): Filter[] {
  if (probed?.truncated?.groups === undefined || state.groupBy.length === 0) return [];
  const names = state.groupBy.map(groupName);
  const groups = probed.rows.map((row) =>
    filtersOfGroup(
      names.map((column, i) => groupValue(column, row[i] ?? null)),
      state.groupBy,
    ),
  );
  const known = groups.filter((filters) => filters !== null);
  return known.length < groups.length ? [] : [{ any: known.map((all) => ({ all })) }];
}

const groupValue = (column: string, value: ResultValue): GroupValue =>
  value !== null && typeof value === "object"
    ? { column, value: null, list: value.map(String) }
    : { column, value };
