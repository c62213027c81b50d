import { formatChange, formatShare } from "../../../format/change.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasure } from "../../../format/value.js";
import { countMeasure } from "../../kit/answer/series.js";
import { changeOf } from "../../kit/answer/totals.js";
import { createShades } from "../../kit/paint/shade.js";
import { differenceKey } from "../../kit/picture/pictureKey.js";
import { type PictureTable, tableRowsMax } from "../../kit/picture/pictureTable.js";
import type { DrawView, PictureProps } from "../../kit/picture/viewPicture.js";
import { createSvgContext } from "../../kit/svg/svgContext.js";
import { buildFlame, type Flame } from "./buildFlame.js";
import { drawFlame, rowPx } from "./drawFlame.js";
import { flameNotes, nameOfFrame, shareOf } from "./flameWords.js";
import { functionTotals } from "./functionTotals.js";
import { layoutFlame } from "./layoutFlame.js";

export const drawFlameGraph: DrawView = (props) => {
  const { input, options, extras, theme, ruler } = props;
  const { result, compared } = input;
  const measure = input.measures[0] ?? countMeasure;
  const flame = buildFlame({
    ...{ result, stackColumn: options.stack ?? "", measure: measure.name },
    ...{ fromLast: options.merge === "last", total: extras.total ?? null },
  });
  const rootBelow = options.root === "bottom";
  const note = flameNotes(flame, measure, result.truncated?.groups ?? 0);
  return {
    chart: ({ width, height }) => {
      const layout = layoutFlame(flame.root, width);
      const least = rootBelow ? Math.floor(height / rowPx) : 0;
      const count = Math.max(layout.rows.length, least);
      // The root is in the picture; the deepest frames may not be.
      const topPx = rootBelow ? Math.max(0, count * rowPx - height) : 0;
      const pen = createSvgContext(ruler);
      const window = { widthPx: width, heightPx: height, topPx, ratio: 1 };
      const rows = { count, rootBelow };
      drawFlame(pen, layout, { theme, compared, matches: null }, { ...window, rows });
      return pen.print(width, height);
    },
    key: compared ? differenceKey(createShades(theme), { gone: false }) : [],
    notes: note === "" ? [] : [note],
    table: functionTable(flame, props),
  };
};

/** Every function once. */
function functionTable(flame: Flame, { input, theme }: PictureProps): PictureTable {
  const { measure, label } = input.measures[0] ?? countMeasure;
  const functions = functionTotals(flame);
  const whole = flame.root.now.total;
  return {
    columns: [
      { head: "function", align: "left", grows: true },
      { head: `${label}, with calls`, align: "right" },
      { head: "of all", align: "right" },
      { head: "itself", align: "right" },
      ...(input.compared ? [{ head: "Δ %", align: "right" as const }] : []),
    ],
    rows: functions.slice(0, tableRowsMax).map(({ name, self, total, was, unsure }) => ({
      cells: [
        { text: shortenName(nameOfFrame(name), 80) },
        { text: formatMeasure(total, measure), fill: whole > 0 ? total / whole : 0 },
        { text: formatShare(shareOf(total, whole)), color: theme.quiet },
        { text: formatMeasure(self, measure) },
        ...(input.compared
          ? [
              {
                text: formatChange(changeOf(total, was)),
                color: unsure ? theme.quiet : total > was ? theme.more : theme.less,
              },
            ]
          : []),
      ],
    })),
    more: Math.max(0, functions.length - tableRowsMax),
  };
}
