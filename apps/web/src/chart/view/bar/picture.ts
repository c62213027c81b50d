import { BarChart, CustomChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { use } from "echarts/core";
import { baseNameOf } from "../../kit/answer/series.js";
import { type GroupTotal, totalsOfResult } from "../../kit/answer/totals.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import type { DrawView, PictureProps, ViewPicture } from "../../kit/picture/viewPicture.js";
import { svgOfOption } from "../../kit/svg/svgOfChart.js";
import { drawArranged } from "./arrangedPicture.js";
import { barHeight, buildBarOption } from "./build.js";

use([BarChart, CustomChart, GridComponent]);

export const drawBars: DrawView = (props) => {
  const { input, options } = props;
  const totals = totalsOfResult(input.result, input);
  const { bars } = options;
  if (bars !== "stack" && bars !== "side") return ranked(props, totals);
  return {
    ...drawArranged(props, totals, { isStack: bars === "stack" }),
    table: groupTable({ ...props, totals }),
  };
};

function ranked(props: PictureProps, totals: readonly GroupTotal[]): ViewPicture {
  const { input, colors, theme } = props;
  const { measures, compared } = input;
  const hues = colors.huesOf(totals.map(({ key }) => key));
  return {
    chart: ({ width, height }) => {
      const drawn = totals.slice(0, Math.max(1, barsIn(height)));
      const shown = { totals: drawn, measures, hues, compared, theme, width };
      const { option } = buildBarOption({ ...shown, ceilings: [], streaming: false });
      return svgOfOption(option, { width, height });
    },
    notes: compared ? [`The paler bars: ${baseNameOf(measures[0])}.`] : [],
    table: groupTable({ totals, input, theme, hues }),
  };
}

/** How many bars a height has room for. */
const barsIn = (height: number): number =>
  Math.floor((height - barHeight(0)) / (barHeight(1) - barHeight(0)));
