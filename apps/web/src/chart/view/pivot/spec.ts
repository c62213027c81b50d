import { numberName } from "../../../query/number/labels.js";
import { measureOf, measureOption } from "../../spec/measure.js";
import { overGroups } from "../../spec/overGroups.js";
import { withGroups } from "../../spec/parts.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** 40 rows of 20 columns, with all cells that may rank between them. */
const cellsMax = 20_000;
const rowsMax = 40;
const columnsMax = 20;

export const pivot: ViewSpec = {
  id: "pivot",
  name: "Pivot grid",
  group: "relation",
  answers: "How do two columns cross?",
  load: async () => (await import("./PivotView.js")).PivotView,
  fields: ["compare", "aggregates", "group"],
  options: [measureOption],
  needsColumns: true,
  lacks: ({ groupBy }) =>
    groupBy.length > 1 ? null : "A pivot grid needs two columns to split by: rows, then columns.",
  fill: (state, columns) => withGroups(state, columns, 2),
  orderNames: overGroups.orderNames,
  build: (state, context) => {
    const measure = measureOf(state, context);
    const [rows, columns] = state.groupBy;
    const asked = {
      ...context.counted,
      aggregates: [measure],
      orderBy: [{ by: numberName(measure), desc: true }],
    };
    const both = [rows, columns].filter((group) => group !== undefined);
    const one = (group: typeof rows, limit: number) => ({
      ...asked,
      groupBy: group === undefined ? [] : [group],
      limit,
    });
    return {
      query: { ...asked, groupBy: both, limit: cellsMax },
      // Percentiles and averages of a row cannot be had from its cells.
      extras: {
        rows: one(rows, rowsMax),
        columns: one(columns, columnsMax),
        total: one(undefined, 1),
      },
    };
  },
};
