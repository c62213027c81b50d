import { groupName } from "../../../query/group/groupSpec.js";
import { columnWithoutNumbers, scaleOption, spreadProbe } from "../../spec/spreadProbe.js";
import { valueBucket } from "../../spec/valueBucket.js";
import { numberColumns, valueOption } from "../../spec/valueColumn.js";
import type { ViewOption, ViewSpec } from "../../spec/viewSpec.js";

/** Up to this many rows are drawn as dots. */
const dotsMax = 2_000;
const [binsAcross, binsUp] = [72, 48];
/** Cells of all groups: beyond this the rarest are left out. */
const cellsMax = 50_000;

const xOption: ViewOption = {
  name: "x",
  label: "Across",
  choices: (_, columns) => {
    // Not the column that goes up by default.
    const [first, second, ...rest] = numberColumns(columns);
    const turned = [second, first, ...rest].filter((column) => column !== undefined);
    return turned.map(({ name }) => ({ value: name, label: name }));
  },
};

export const scatter: ViewSpec = {
  id: "scatter",
  name: "Scatter",
  group: "relation",
  answers: "How are two numbers related?",
  load: async () => (await import("./ScatterView.js")).ScatterView,
  fields: ["compare", "group"],
  options: [
    { ...valueOption, label: "Up" },
    xOption,
    { ...scaleOption, label: "Scale up" },
    { ...scaleOption, name: "scaleX", label: "Scale across" },
  ],
  needsColumns: true,
  lacks: (_, columns) =>
    numberColumns(columns).length < 2 ? "This table has no two columns of numbers." : null,
  fill: (state) => state,
  orderNames: () => ["count"],
  probe: (_, { counted, option }) => spreadProbe(counted, [option("x"), option("value")]),
  build: (state, context) => {
    const { counted, base, option, probed } = context;
    const [x, y] = [option("x"), option("value")];
    const query = {
      ...counted,
      aggregates: [{ fn: "count" as const }],
      groupBy: [
        { ...valueBucket(context, binsAcross, x, "scaleX"), as: "bin across" },
        { ...valueBucket(context, binsUp), as: "bin up" },
        ...state.groupBy,
      ],
      orderBy: [{ by: "count", desc: true }],
      limit: cellsMax,
    };
    const at = probed?.columns.findIndex(({ name }) => name === "count.raw") ?? -1;
    const isFew = at >= 0 && Number(probed?.rows[0]?.[at] ?? 0) <= dotsMax;
    const without = columnWithoutNumbers(probed, [x, y]);
    if (!isFew) return { query, without };
    const columns = [...new Set([x, y, ...state.groupBy.map(groupName)])];
    const rows = { ...base, sampleView: { columns }, limit: dotsMax };
    return { query, extras: { rows }, without };
  },
};
