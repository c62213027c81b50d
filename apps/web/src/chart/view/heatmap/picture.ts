import { CustomChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { use } from "echarts/core";
import { formatCompact } from "../../../format/number.js";
import { formatMeasure } from "../../../format/value.js";
import { countMeasure } from "../../kit/answer/series.js";
import { ceilingOf, isSkewed, isTwoSided } from "../../kit/cells/amountCells.js";
import { svgOfCells } from "../../kit/cells/svgOfCells.js";
import { cellKey } from "../../kit/picture/pictureKey.js";
import { rowTable } from "../../kit/picture/rowTable.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { buildHeat, heatGrid } from "./build.js";

use([CustomChart, GridComponent]);

export const drawHeatmap: DrawView = (props) => {
  const { input, query, options, theme, ruler } = props;
  const measure = input.measures.find((one) => one.additive) ?? countMeasure;
  const heat = buildHeat(input, query, measure);
  if (heat === null) return { table: rowTable({ ...input, theme }) };
  const ceiling = ceilingOf(heat);
  const isLog = options.color === "log" || (options.color === "auto" && isSkewed(heat, ceiling));
  const gridIn = (width: number) =>
    heatGrid(heat, {
      ...{ theme, isLog, ceiling, width, timeZone: input.timeZone, name: heat.scale.column },
    });
  return {
    chart: (size) => svgOfCells(gridIn(size.width), theme, ruler)(size),
    key: cellKey({
      ...{ label: measure.label, top: formatMeasure(ceiling, measure.measure) },
      ...{ palette: gridIn(0).palette, isTwoSided: isTwoSided(heat), compared: input.compared },
    }),
    notes: heat.missing > 0 ? [`${formatCompact(heat.missing)} without ${heat.scale.column}`] : [],
  };
};
