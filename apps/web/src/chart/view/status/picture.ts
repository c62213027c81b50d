import { CustomChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { use } from "echarts/core";
import { baseNameOf, buildSeries, countMeasure, type SeriesSet } from "../../kit/answer/series.js";
import { svgOfCells } from "../../kit/cells/svgOfCells.js";
import { rankSeries } from "../../kit/groups/sortTotals.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { chosenLevels, levelText, statusGrid } from "./build.js";

use([CustomChart, GridComponent]);

/** A row must have room for its name. */
const rowPx = 16;

export const drawStatus: DrawView = (props) => {
  const { input, extras, rank, options, theme, ruler } = props;
  const measure = input.measures[0] ?? countMeasure;
  const whole = buildSeries(input);
  const byKey = new Map(whole.series.map((series) => [series.key, series]));
  const order = rankSeries(whole, input, extras.totals, rank);
  const series = order.flatMap(({ key }) => byKey.get(key) ?? []);
  const levels = chosenLevels({ ...whole, series }, options, theme);
  const perGroup = input.compared ? 1.5 : 1;
  const shownIn = (height: number): SeriesSet => ({
    ...whole,
    series: series.slice(0, Math.max(1, Math.floor((height - 40) / (rowPx * perGroup)))),
  });
  return {
    chart: (size) =>
      svgOfCells(statusGrid(shownIn(size.height), input, levels, size.width), theme, ruler)(size),
    key: levels.colors.map((color, level) => ({
      kind: "swatch",
      color,
      text: levelText(levels, level, measure),
    })),
    notes: [
      measure.label,
      `${series.length} ${series.length === 1 ? "group" : "groups"}, the first ones drawn`,
      ...(input.compared ? [`the thin row is ${baseNameOf(measure)}`] : []),
    ],
  };
};
