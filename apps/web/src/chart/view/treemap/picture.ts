import { SunburstChart, TreemapChart } from "echarts/charts";
import { use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { totalsOfResult } from "../../kit/answer/totals.js";
import { createShades } from "../../kit/paint/shade.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import { differenceKey } from "../../kit/picture/pictureKey.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { svgOfOption } from "../../kit/svg/svgOfChart.js";
import { buildTreeOption } from "./build.js";
import { treeDrawing, treeNotes } from "./drawing.js";

use([TreemapChart, SunburstChart, LabelLayout]);

export const drawTreemap: DrawView = (props) => {
  const { input, theme } = props;
  const table = groupTable({ totals: totalsOfResult(input.result, input), input, theme });
  const drawing = treeDrawing(props, theme);
  if (drawing === null) return { table };
  const { negativeCount } = drawing.tree;
  return {
    chart: ({ width, height }) =>
      svgOfOption(buildTreeOption(drawing, width * height), { width, height }),
    key: input.compared ? differenceKey(createShades(theme), { gone: true }) : [],
    notes: negativeCount > 0 ? [treeNotes(negativeCount)] : [],
    table,
  };
};
