import { BarChart, CustomChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { use } from "echarts/core";
import { baseNameOf } from "../../kit/answer/series.js";
import { type GroupTotal, totalsOfResult } from "../../kit/answer/totals.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import type { DrawView, PictureProps, ViewPicture } from "../../kit/picture/viewPicture.js";
import { writeMore } from "../../kit/picture/writeMore.js";
import { createSvgContext } from "../../kit/svg/svgContext.js";
import { svgOfOption } from "../../kit/svg/svgOfChart.js";
import { drawArranged } from "./arrangedPicture.js";
import { barsWithin } from "./barsWithin.js";
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
  const { input, colors, theme, ruler } = props;
  const { measures, compared } = input;
  const hues = colors.huesOf(totals.map(({ key }) => key));
  return {
    chart: ({ width, height }) => {
      const most = barsWithin(totals.length, barsIn, height);
      const shown = { totals: totals.slice(0, most), measures, hues, compared, theme, width };
      const { option } = buildBarOption({ ...shown, ceilings: [], streaming: false });
      const svg = svgOfOption(option, { width, height });
      if (most === totals.length) return svg;
      const pen = createSvgContext(ruler);
      pen.embed(svg, 0, 0);
      writeMore(pen, totals.length - most, "bar", { y: height, theme });
      return pen.print(width, height);
    },
    notes: compared ? [`The paler bars: ${baseNameOf(measures[0])}.`] : [],
    table: groupTable({ totals, input, theme, hues }),
  };
}

/** How many bars a height has room for. */
const barsIn = (height: number): number =>
  Math.floor((height - barHeight(0)) / (barHeight(1) - barHeight(0)));
