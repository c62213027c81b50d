import { LineChart } from "echarts/charts";
import { GridComponent, MarkLineComponent } from "echarts/components";
import { use } from "echarts/core";
import { formatCompact } from "../../../format/number.js";
import { baseNameOf } from "../../kit/answer/series.js";
import { totalsOfResult } from "../../kit/answer/totals.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import type { PictureKey } from "../../kit/picture/pictureKey.js";
import { rowTable } from "../../kit/picture/rowTable.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { svgOfOption } from "../../kit/svg/svgOfChart.js";
import { buildDistribution, marksOf, type ShapeKind } from "./build.js";
import { measuresOf } from "./measures.js";
import { buildShapeOption } from "./option.js";

use([LineChart, MarkLineComponent, GridComponent]);

export const drawDistribution: DrawView = (props) => {
  const { input, query, extras, options, colors, theme } = props;
  const distribution = buildDistribution(input, query);
  if (distribution === null) return { table: rowTable({ ...input, theme }) };
  const { shapes, groupColumns, missing, scale } = distribution;
  const hues = colors.huesOf(shapes.map(({ key }) => key));
  const hueOf = new Map(shapes.map(({ key }, s) => [key, hues[s] ?? 0]));
  const measures = measuresOf(props);
  const totals =
    extras.marks === undefined ? [] : totalsOfResult(extras.marks, { groupColumns, measures });
  const marks = marksOf(extras.marks, groupColumns);
  const kind = (options.shape ?? "count") as ShapeKind;
  const hidden = Math.max(distribution.hidden, extras.marks?.truncated?.groups ?? 0);
  const dotted: PictureKey = {
    kind: "line",
    isDotted: true,
    text: baseNameOf(input.measures[0]),
  };
  return {
    chart: (size) => {
      const look = { kind, hues, theme, ...size, ceiling: null, streaming: false };
      return svgOfOption(buildShapeOption({ distribution, marks, ...look }).option, size);
    },
    key: input.compared ? [dotted] : [],
    notes: [
      ...(hidden > 0 ? [`The ${totals.length} largest of ${totals.length + hidden} groups.`] : []),
      ...(missing > 0 ? [`${formatCompact(missing)} rows have no ${scale.column}.`] : []),
    ],
    table: groupTable({
      ...{ totals, theme, input: { groupColumns, measures, compared: input.compared } },
      hues: totals.map(({ key }) => hueOf.get(key) ?? 0),
    }),
  };
};
