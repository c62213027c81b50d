import { MapChart } from "echarts/charts";
import { use } from "echarts/core";
import atlasText from "world-atlas/countries-50m.json?raw";
import { shortenName } from "../../../format/name.js";
import { type GroupTotal, totalsOfResult } from "../../kit/answer/totals.js";
import { createShades } from "../../kit/paint/shade.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import { amountKey, differenceKey } from "../../kit/picture/pictureKey.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { svgOfOption } from "../../kit/svg/svgOfChart.js";
import { buildMapOption, mapDrawing } from "./build.js";
import { registerWorld, type WorldMap } from "./worldShapes.js";

use([MapChart]);

let known: WorldMap | null = null;

function world(): WorldMap {
  known ??= registerWorld(JSON.parse(atlasText));
  return known;
}

export const drawMap: DrawView = (props) => {
  const { input, theme } = props;
  const totals = totalsOfResult(input.result, input);
  const table = groupTable({ totals, input, theme });
  const drawing = mapDrawing(totals, world(), input, theme);
  if (drawing === null) return { table };
  const { countries, scale, measure } = drawing;
  const shades = createShades(theme);
  return {
    chart: (size) => svgOfOption(buildMapOption(drawing), size),
    key: input.compared
      ? differenceKey(shades, { gone: false })
      : [amountKey(shades, scale, measure)],
    notes: [
      ...listed("Not on the map", countries.unknown),
      ...listed("Same country as another value, not shown", countries.notShown),
    ],
    table,
  };
};

const listedMax = 6;

function listed(lead: string, totals: readonly GroupTotal[]): string[] {
  if (totals.length === 0) return [];
  const names = totals.slice(0, listedMax).map(({ label }) => shortenName(label, 20));
  const more = totals.length > listedMax ? ` and ${totals.length - listedMax} more` : "";
  return [`${lead}: ${names.join(", ")}${more}`];
}
