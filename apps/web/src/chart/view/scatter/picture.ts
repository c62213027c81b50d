import { CustomChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { use } from "echarts/core";
import { shortenName } from "../../../format/name.js";
import { formatCompact } from "../../../format/number.js";
import { svgOfCells } from "../../kit/cells/svgOfCells.js";
import { cellKey } from "../../kit/picture/pictureKey.js";
import { rowTable } from "../../kit/picture/rowTable.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { buildScatter, scatterCeiling } from "./build.js";
import { drawnScatter } from "./drawing.js";

use([CustomChart, GridComponent]);

export const drawScatter: DrawView = (props) => {
  const { input, query, theme, ruler } = props;
  const { compared } = input;
  const scatter = buildScatter(input, query);
  if (scatter === null) return { table: rowTable({ ...input, theme }) };
  const ceiling = scatterCeiling(scatter);
  const drawnIn = (width: number) => drawnScatter({ ...props, scatter, ceiling, width });
  const { colorOf, dotCount, grid } = drawnIn(0);
  const { groups, missing } = scatter;
  return {
    chart: (size) => svgOfCells(drawnIn(size.width).grid, theme, ruler)(size),
    key:
      groups.length > 1 && !compared
        ? groups.map(({ key, label }) => ({
            kind: "swatch",
            color: colorOf(key),
            text: shortenName(label, 28),
          }))
        : cellKey({
            ...{ label: "count", top: formatCompact(ceiling), palette: grid.palette },
            ...{ isTwoSided: compared, compared },
          }),
    notes: [
      ...(missing > 0 ? [`${formatCompact(missing)} rows lack one of the two`] : []),
      ...(dotCount > 0 ? ["each dot is a row"] : []),
      ...(groups.length > 1 && !compared && dotCount === 0
        ? ["a cell has the colour of its largest group"]
        : []),
    ],
  };
};
