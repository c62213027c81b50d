import { formatChange } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { formatMeasure } from "../../../format/value.js";
import { baseNameOf } from "../../kit/answer/series.js";
import { changeOf, differenceOf } from "../../kit/answer/totals.js";
import { fitName } from "../../kit/paint/fitName.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import { drawLine } from "../../kit/picture/drawTable.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { spanOf } from "../../kit/svg/sparkPath.js";
import { createSvgContext, type SvgContext } from "../../kit/svg/svgContext.js";
import { type BigNumber, bigNumbers, normalText } from "./build.js";

const cardMinPx = 220;
const gapPx = 16;
const valuePx = 30;
const smallPx = 12;

export const drawBigNumbers: DrawView = ({ input, extras, theme, ruler }) => {
  const numbers = bigNumbers(input, extras);
  return {
    chart: ({ width, height }) => {
      const pen = createSvgContext(ruler);
      const columns = Math.min(numbers.length, Math.max(1, Math.floor(width / cardMinPx)));
      const rows = Math.ceil(numbers.length / columns);
      const [wide, high] = [(width + gapPx) / columns, (height + gapPx) / rows];
      numbers.forEach((one, i) => {
        const [left, top] = [(i % columns) * wide, Math.floor(i / columns) * high];
        const card = createSvgContext(ruler);
        const size = { width: wide - gapPx, height: high - gapPx };
        drawCard(card, one, theme, size);
        pen.embed(card.print(size.width, size.height), left, top);
      });
      return pen.print(width, height);
    },
  };
};

interface CardSize {
  readonly width: number;
  readonly height: number;
}

/** Label, number with its error, change, line over time, and the usual range, as far as there is room. */
function drawCard(pen: SvgContext, one: BigNumber, theme: ChartTheme, size: CardSize): void {
  const { measure, value, errorBar, base, normal } = one;
  pen.textBaseline = "top";
  const small = (text: string, top: number, color: string): void => {
    pen.font = `${smallPx}px ${theme.font}`;
    pen.fillStyle = color;
    const widthOf = (shown: string): number => pen.measureText(shown).width;
    pen.fillText(fitName(text, 120, size.width, widthOf), 0, top);
  };
  small(measure.label, 0, theme.quiet);
  const number = formatBounded(value, measure.measure, formatMeasure);
  pen.font = `600 ${valuePx}px ${theme.font}`;
  pen.fillStyle = theme.ink;
  pen.fillText(number, 0, 16, size.width);
  let top = 16 + valuePx + 8;
  const error = formatErrorBar(value, errorBar, measure.measure);
  if (error !== "") {
    small(error, top, theme.quiet);
    top += 18;
  }
  if (base !== undefined) {
    small(changeText(one), top, changeColor(one, theme));
    top += 18;
  }
  const usual = normal === null ? 0 : 18;
  const room = Math.min(60, size.height - top - usual - 8);
  if (room >= 14) {
    drawSpark(pen, one, theme, { top: top + 4, width: size.width, height: room });
    top += room + 10;
  }
  if (normal === null || top + smallPx > size.height) return;
  small(normalText(normal, measure), top, normal.verdict === "usual" ? theme.quiet : theme.warn);
}

function changeText({ measure, value, base = null, unsure }: BigNumber): string {
  const was = `${baseNameOf(measure)} ${formatMeasure(base, measure.measure)}`;
  return `${formatChange(changeOf(value, base))}  ${was}${unsure === null ? "" : `, ${unsure}`}`;
}

function changeColor({ value, base = null, unsure }: BigNumber, theme: ChartTheme): string {
  const difference = Number(differenceOf(value, base) ?? 0);
  if (unsure !== null || difference === 0) return theme.quiet;
  return difference > 0 ? theme.more : theme.less;
}

function drawSpark(
  pen: SvgContext,
  { line, baseLine }: BigNumber,
  theme: ChartTheme,
  { top, width, height }: CardSize & { readonly top: number },
): void {
  const span = spanOf([line, baseLine ?? []]);
  if (span === null) return;
  const box = { left: 0, top, width, height };
  const above = (of: readonly (number | null)[]) =>
    of.map((value) => (value === null ? null : value - span.low));
  const look = { color: theme.accent, ceiling: span.high - span.low };
  if (baseLine !== null)
    drawLine(pen, above(baseLine), box, { ...look, dash: [1, 3], widthPx: 1.4 });
  drawLine(pen, above(line), box, { ...look, dash: [], widthPx: 1.6 });
}
