import { PieChart } from "echarts/charts";
import { use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { formatChange } from "../../../format/change.js";
import { formatBounded } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasure } from "../../../format/value.js";
import { baseNameOf } from "../../kit/answer/series.js";
import { changeOf, totalsOfResult } from "../../kit/answer/totals.js";
import type { Whole } from "../../kit/answer/whole.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import type { DrawView, PictureProps } from "../../kit/picture/viewPicture.js";
import { createSvgContext, type SvgContext } from "../../kit/svg/svgContext.js";
import { svgOfOption } from "../../kit/svg/svgOfChart.js";
import { buildPieOption, ringOfTotals } from "./build.js";

use([PieChart, LabelLayout]);

export const drawDonut: DrawView = (props) => {
  const { input, colors, theme, ruler } = props;
  const { compared, measures } = input;
  const totals = totalsOfResult(input.result, input);
  const hues = colors.huesOf(totals.map(({ key }) => key));
  const { slices, whole, wholeOfShares, notes } = ringOfTotals(props, { totals, hues, theme });
  return {
    chart: (size) => {
      const option = buildPieOption({ slices, whole: wholeOfShares, compared, theme, ...size });
      const pen = createSvgContext(ruler);
      pen.embed(svgOfOption(option, size), 0, 0);
      if (whole !== null) writeWhole(pen, whole, props, { x: size.width / 2, y: size.height / 2 });
      return pen.print(size.width, size.height);
    },
    notes: [
      ...(notes === "" ? [] : [notes]),
      ...(compared ? [`The inner ring is ${baseNameOf(measures[0])}.`] : []),
    ],
    table: groupTable({ totals, input, theme, hues }),
  };
};

const [wholePx, labelPx] = [20, 12];

/** The whole in the middle of the ring. */
function writeWhole(
  pen: SvgContext,
  { now, was }: Whole,
  { input, theme }: PictureProps,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  const [measure] = input.measures;
  const lines = [
    shortenName(measure?.label ?? "", 16),
    ...(input.compared ? [formatChange(changeOf(now, was))] : []),
  ];
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = theme.ink;
  pen.font = `600 ${wholePx}px ${theme.font}`;
  const top = y - (lines.length * 16) / 2;
  pen.fillText(formatBounded(now, measure?.measure, formatMeasure), x, top);
  pen.font = `${labelPx}px ${theme.font}`;
  pen.fillStyle = theme.quiet;
  lines.forEach((line, i) => {
    pen.fillText(line, x, top + 20 + i * 16);
  });
}
