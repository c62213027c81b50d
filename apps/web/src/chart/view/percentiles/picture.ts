import { baseNameOf, ownNameOf } from "../../kit/answer/series.js";
import { readLineOptions } from "../../kit/legend/lineOptions.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { pictureOfTime } from "../../kit/time/draw/pictureOfTime.js";
import { sidesKey, sidesNotes } from "../../kit/time/draw/sidesKey.js";
import { chosenLines } from "../../kit/time/plot/drawnLines.js";
import { percentileMeasure, percentileSeries, percentileTotals } from "./build.js";

export const drawPercentiles: DrawView = (props) => {
  const { input, query, extras, colors, options, theme } = props;
  const [first] = input.measures;
  const sides = { ownName: ownNameOf(first), baseName: baseNameOf(first) };
  const measure = { ...percentileMeasure(query, input.result), ...sides };
  const own = { ...input, measures: [measure], groupColumns: [] };
  const set = percentileSeries(input, query);
  const hues = colors.huesOf(set.series.map(({ key }) => key));
  const chosen = chosenLines({ input: own, set, hues }, readLineOptions(options), "overlaid");
  return {
    chart: pictureOfTime({ ...props, chosen, stacked: true }),
    key: sidesKey(chosen),
    notes: sidesNotes(chosen, { stacked: false }),
    table: groupTable({ totals: percentileTotals(query, extras.totals), input: own, theme, hues }),
  };
};
