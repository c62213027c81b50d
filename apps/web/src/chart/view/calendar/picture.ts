import { CustomChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { use } from "echarts/core";
import { formatMeasure } from "../../../format/value.js";
import { countMeasure } from "../../kit/answer/series.js";
import { ceilingOf, isSkewed, isTwoSided } from "../../kit/cells/amountCells.js";
import { svgOfCells } from "../../kit/cells/svgOfCells.js";
import { cellKey } from "../../kit/picture/pictureKey.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { buildCalendar, calendarGrid } from "./build.js";

use([CustomChart, GridComponent]);

export const drawCalendar: DrawView = (props) => {
  const { input, options, theme, ruler } = props;
  const measure = input.measures[0] ?? countMeasure;
  const calendar = buildCalendar(input, measure);
  const ceiling = ceilingOf(calendar);
  const isLog =
    options.color === "log" || (options.color === "auto" && isSkewed(calendar, ceiling));
  const gridIn = (width: number) => calendarGrid(calendar, { theme, isLog, ceiling, width });
  return {
    chart: (size) => svgOfCells(gridIn(size.width), theme, ruler)(size),
    key: cellKey({
      ...{ label: measure.label, top: formatMeasure(ceiling, measure.measure) },
      ...{ palette: gridIn(0).palette, isTwoSided: isTwoSided(calendar), compared: input.compared },
    }),
  };
};
