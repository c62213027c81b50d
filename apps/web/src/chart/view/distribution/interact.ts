import { formatChange, formatShare } from "../../../format/change.js";
import { formatErrorBar } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatExact } from "../../../format/number.js";
import { changeOf } from "../../kit/answer/totals.js";
import { boundsOf, rangeText } from "../../kit/cells/binScale.js";
import type { CellBox, CellPlot } from "../../kit/cells/cellPlot.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";
import { type Distribution, drawnOf, type Shape, type ShapeKind, totalOf } from "./build.js";
import { heightOf } from "./option.js";

/** The values of these bins, in words. */
export function labelOfBins(distribution: Distribution, box: CellBox): string {
  const { scale } = distribution;
  const { low } = boundsOf(scale, box.fromColumn);
  const { high } = boundsOf(scale, box.toColumn);
  return `${scale.column} ${rangeText({ low, high }, scale.measure)}`;
}

/** The number of rows of a shape in these bins. */
export const amountIn = (amounts: readonly number[], box: CellBox): number =>
  totalOf(amounts.slice(box.fromColumn, box.toColumn + 1));

/** The place that is pointed at, and what the axis measures. */
export interface PointedPlace {
  readonly bin: number;
  readonly y: number;
  readonly kind: ShapeKind;
  readonly ceiling: number;
}

/** The shape whose line is nearest to a height; null: there are none. */
export function shapeNear(
  { shapes }: Distribution,
  plot: CellPlot,
  { bin, y, kind, ceiling }: PointedPlace,
): Shape | null {
  let best: { shape: Shape; distance: number } | null = null;
  for (const shape of shapes) {
    const value = drawnOf(shape.amounts, kind)[bin] ?? 0;
    const distance = Math.abs(heightOf(plot, value, ceiling) - y);
    if (best === null || distance < best.distance) best = { shape, distance };
  }
  return best?.shape ?? null;
}

interface ShapeLook {
  readonly theme: ChartTheme;
  readonly hues: readonly number[];
  /** What side B is called. */
  readonly baseName: string;
}

export function shapeTip(
  distribution: Distribution,
  box: CellBox,
  look: ShapeLook,
): TooltipContent {
  const { shapes } = distribution;
  const isOne = box.fromColumn === box.toColumn;
  const compared = shapes.some(({ compare }) => compare !== null);
  return {
    title: labelOfBins(distribution, box),
    heads: compared ? ["count", "of its rows", look.baseName, "Δ %"] : ["count", "of its rows"],
    rows: shapes.map((shape, s) => {
      const amount = amountIn(shape.amounts, box);
      const base = shape.compare === null ? null : amountIn(shape.compare, box);
      const bar = isOne ? formatErrorBar(amount, shape.errorBars[box.fromColumn] ?? null) : "";
      const share = formatShare(amount / Math.max(1, totalOf(shape.amounts)));
      const change =
        isOne && shape.unclear[box.fromColumn] === true
          ? "unclear"
          : formatChange(changeOf(amount, base));
      return {
        color: look.theme.series[look.hues[s] ?? 0] ?? look.theme.accent,
        name: shortenName(shape.label, 40),
        cells: [
          `${formatExact(amount)} ${bar}`.trim(),
          share,
          ...(base === null ? [] : [formatExact(base), change]),
        ],
      };
    }),
    note: null,
  };
}
