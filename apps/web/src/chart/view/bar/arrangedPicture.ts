import { formatBounded } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasure } from "../../../format/value.js";
import { labelOfCell } from "../../kit/answer/series.js";
import type { GroupTotal } from "../../kit/answer/totals.js";
import { totalsBeside } from "../../kit/answer/totalsBeside.js";
import { otherHue } from "../../kit/paint/color.js";
import { fitName } from "../../kit/paint/fitName.js";
import type { PictureProps, ViewPicture } from "../../kit/picture/viewPicture.js";
import { writeMore } from "../../kit/picture/writeMore.js";
import { createSvgContext, type SvgContext } from "../../kit/svg/svgContext.js";
import {
  type ArrangedBar,
  arrangeBars,
  type BarPart,
  hasLengths,
  lengthOf,
  partKeyOf,
  partKinds,
  sizeOf,
} from "./arrange.js";
import { barsWithin } from "./barsWithin.js";

const rowPx = 28;
const barPx = 18;
const fontPx = 12;
const numberPx = 76;

const nameOf = ({ group }: GroupTotal): string => group.slice(1).map(labelOfCell).join(" · ");

/** Bars of parts, on top of each other or side by side. */
export function drawArranged(
  props: PictureProps,
  totals: readonly GroupTotal[],
  { isStack }: { readonly isStack: boolean },
): ViewPicture {
  const { input, extras, colors, theme } = props;
  const wholes = totalsBeside(extras.whole, input, input.groupColumns.slice(0, 1));
  if (wholes === null) return { notes: ["The whole bars come from other leaves: see the table."] };
  const kinds = partKinds(totals);
  const bars = arrangeBars({ totals, wholes, kinds, isStack, nameOf });
  const stacks = isStack && hasLengths(bars);
  const hues = colors.huesOf(kinds);
  const colorOf = (key: string): string =>
    theme.series[hues[kinds.indexOf(key)] ?? otherHue] ?? theme.edge;
  const names = new Map(totals.map((total) => [partKeyOf(total), nameOf(total)]));
  return {
    chart: ({ width, height }) => {
      const pen = createSvgContext(props.ruler);
      const most = barsWithin(bars.length, (px) => Math.floor(px / rowPx), height);
      drawBars(pen, bars.slice(0, most), props, { width, stacks, colorOf });
      if (most < bars.length) writeMore(pen, bars.length - most, "bar", { y: height, theme });
      return pen.print(width, height);
    },
    key: kinds.map((key) => ({
      kind: "swatch",
      color: colorOf(key),
      text: shortenName(names.get(key) ?? "", 30),
    })),
    notes: isStack && !stacks ? ["What is below 0 cannot be stacked: it is side by side."] : [],
  };
}

interface BarsLook {
  readonly width: number;
  readonly stacks: boolean;
  readonly colorOf: (key: string) => string;
}

function drawBars(
  pen: SvgContext,
  bars: readonly ArrangedBar[],
  { input, theme }: PictureProps,
  { width, stacks, colorOf }: BarsLook,
): void {
  const measure = input.measures[0]?.measure;
  const longest = Math.max(...bars.map((bar) => lengthOf(bar, { stacks })), 0);
  const left = Math.min(220, width * 0.3);
  const room = Math.max(10, width - left - numberPx);
  pen.font = `${fontPx}px ${theme.font}`;
  pen.textBaseline = "middle";
  bars.forEach(({ whole, parts }, i) => {
    const top = i * rowPx + (rowPx - barPx) / 2;
    const middle = top + barPx / 2;
    pen.fillStyle = theme.ink;
    pen.textAlign = "right";
    const widthOf = (text: string): number => pen.measureText(text).width;
    pen.fillText(fitName(whole.label, 60, left - 16, widthOf), left - 8, middle);
    const end = drawParts(pen, parts, {
      ...{ left, top, stacks, colorOf },
      pxPerOne: longest > 0 ? room / longest : 0,
    });
    pen.fillStyle = theme.ink;
    pen.textAlign = "left";
    const number = formatBounded(whole.values[0] ?? null, measure, formatMeasure);
    pen.fillText(number, end + 6, middle);
  });
}

interface PartsPlace extends Omit<BarsLook, "width"> {
  readonly left: number;
  readonly top: number;
  readonly pxPerOne: number;
}

/** Returns where the bar ends. */
function drawParts(
  pen: SvgContext,
  parts: readonly BarPart[],
  { left, top, stacks, colorOf, pxPerOne }: PartsPlace,
): number {
  let [at, end] = [left, left];
  parts.forEach((part, i) => {
    const long = sizeOf(part) * pxPerOne;
    pen.fillStyle = colorOf(part.key);
    if (stacks) {
      pen.fillRect(at, top, long > 2 ? long - 1 : long, barPx);
      at += long;
    } else {
      const thick = barPx / parts.length;
      pen.fillRect(left, top + i * thick, long, Math.max(1, thick - 1));
    }
    end = Math.max(end, stacks ? at : left + long);
  });
  return end;
}
