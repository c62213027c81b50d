import { buildSeries, isCut } from "../../kit/answer/series.js";
import { rankSeries } from "../../kit/groups/sortTotals.js";
import { readLineOptions } from "../../kit/legend/lineOptions.js";
import { groupTable } from "../../kit/picture/groupTable.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { pictureOfTime } from "../../kit/time/draw/pictureOfTime.js";
import { sidesKey, sidesNotes } from "../../kit/time/draw/sidesKey.js";
import { chosenLines } from "../../kit/time/plot/drawnLines.js";
import { sharesOf, stackOf } from "./stack.js";

const drawOverTime =
  (as: "lines" | "stack"): DrawView =>
  (props) => {
    const stacked = as === "stack";
    const { input, extras, rank, options, theme } = props;
    const set = buildSeries(input);
    const order = rankSeries(set, input, extras.totals, rank);
    const whole = stacked ? extras.whole : undefined;
    const { stack, hues, listed } = stackOf({ ...props, set, order, whole });
    const shares = stacked && options.stack === "share";
    const plotted = shares ? sharesOf(stack, input, extras.whole) : { input, set: stack };
    const sides = stacked ? "overlaid" : "chosen";
    const chosen = chosenLines({ ...plotted, hues }, readLineOptions(options), sides);
    return {
      chart: pictureOfTime({ ...props, chosen, stacked, shares }),
      key: sidesKey(chosen),
      notes: [
        ...sidesNotes(chosen, { stacked }),
        ...(extras.totals === undefined && isCut(input.result)
          ? ["The last points did not fit the result."]
          : []),
      ],
      table: groupTable({ totals: listed, input, theme, hues }),
    };
  };

export const drawLines = drawOverTime("lines");
export const drawStack = drawOverTime("stack");
