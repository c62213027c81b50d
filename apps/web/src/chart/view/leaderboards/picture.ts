import { formatChange, formatShare } from "../../../format/change.js";
import { formatBounded } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatCompact } from "../../../format/number.js";
import { formatMeasure } from "../../../format/value.js";
import { asNumber, baseNameOf, type ChartMeasure } from "../../kit/answer/series.js";
import { changeOf, type GroupTotal } from "../../kit/answer/totals.js";
import { drawTable, tableHeight } from "../../kit/picture/drawTable.js";
import type { PictureCell, PictureTable } from "../../kit/picture/pictureTable.js";
import type { DrawView, PictureProps } from "../../kit/picture/viewPicture.js";
import { morePx, writeMore } from "../../kit/picture/writeMore.js";
import { createSvgContext } from "../../kit/svg/svgContext.js";
import { boardsInForce } from "./boardsInForce.js";
import type { BoardData } from "./boardsOf.js";
import { isByShare } from "./grownMost.js";

const boardMinPx = 240;
const gapPx = 20;

export const drawLeaderboards: DrawView = (props) => {
  const { input, theme, ruler } = props;
  const [measure] = input.measures;
  if (measure === undefined) return {};
  const { whole, isGrown, boards } = boardsInForce(props);
  const all = asNumber(whole?.now ?? null) ?? 0;
  const tables = boards.map((board) =>
    boardTable(board, props, { measure, all: board.isOfWhole ? all : 0 }),
  );
  return {
    chart: ({ width, height }) => {
      const pen = createSvgContext(ruler);
      const columns = Math.max(1, Math.floor((width + gapPx) / (boardMinPx + gapPx)));
      const wide = (width + gapPx) / columns;
      const heightOf = (table: PictureTable): number =>
        tableHeight(pen, table, theme, wide - gapPx);
      let top = 0;
      for (let first = 0; first < tables.length; first += columns) {
        const line = tables.slice(first, first + columns);
        const high = Math.max(...line.map(heightOf));
        const isLast = first + columns >= tables.length;
        if (top > 0 && top + high + (isLast ? 0 : morePx) > height) {
          writeMore(pen, tables.length - first, "column", { y: height, theme });
          break;
        }
        line.forEach((table, i) => {
          const box = { left: i * wide, top, width: wide - gapPx };
          drawTable(pen, table, theme, { ...box, height: Math.min(high, height - top) });
        });
        top += high + gapPx;
      }
      return pen.print(width, height);
    },
    notes:
      isGrown && isByShare(whole)
        ? [
            `There are fewer than ${baseNameOf(measure)}: first comes what has more of the whole now.`,
          ]
        : [],
  };
};

interface BoardParts {
  readonly measure: ChartMeasure;
  /** The number over all rows; 0 where the values are no parts of it. */
  readonly all: number;
}

function boardTable(
  { column, totals, valueCount, isList }: BoardData,
  { input, theme }: PictureProps,
  { measure, all }: BoardParts,
): PictureTable {
  const shown = totals ?? [];
  const most = Math.max(0, ...shown.map(({ values }) => asNumber(values[0] ?? null) ?? 0));
  const count = `${formatCompact(valueCount)} ${isList ? "elements" : "values"}`;
  return {
    columns: [
      { head: column, align: "left", grows: true },
      { head: totals === null ? "no answer" : count, align: "right" },
      { head: input.compared ? "Δ %" : "of all", align: "right" },
    ],
    rows: shown.map((total) => {
      const value = asNumber(total.values[0] ?? null) ?? 0;
      const text = formatBounded(total.values[0] ?? null, measure.measure, formatMeasure);
      return {
        cells: [
          { text: shortenName(total.label, 40) },
          { text, fill: most > 0 ? Math.max(0, value / most) : 0 },
          input.compared
            ? changeCell(total, theme)
            : { text: all > 0 ? formatShare(value / all) : "", color: theme.quiet },
        ],
      };
    }),
    more: 0,
  };
}

function changeCell(
  { values, compare, unsure }: GroupTotal,
  theme: PictureProps["theme"],
): PictureCell {
  const [value, base] = [values[0] ?? null, compare[0] ?? null];
  const change = changeOf(value, base);
  const isSame = unsure[0] === true || change === 0 || change === null;
  const isMore = (asNumber(value) ?? 0) > (asNumber(base) ?? 0);
  return {
    text: formatChange(change),
    color: isSame ? theme.quiet : isMore ? theme.more : theme.less,
  };
}
