import { formatMeasure } from "../../../format/value.js";
import type { ChartMeasure } from "../answer/series.js";
import type { AmountScale } from "./amountScale.js";
import { RampLegend } from "./RampLegend.js";
import type { Shades } from "./shade.js";

const inTools = { inline: true, testId: "scale-legend" } as const;

/** Blue is less, orange is more; the middle is no change beyond the error bars. */
export function DifferenceLegend({ shades, gone = false }: DifferenceLegendProps) {
  const colors = [-1, -0.5, 0, 0.5, 1].map((tone) => shades.difference(tone));
  const left = gone ? "gone, ≤ ½" : "≤ ½";
  const note = gone ? "What is gone is as large as it was." : undefined;
  return (
    <RampLegend
      {...inTools}
      label="A ÷ B"
      colors={colors}
      low={left}
      high="≥ 2×, new"
      extra={{ color: shades.difference(0), text: "alike, or within the error bars" }}
      title={note}
    />
  );
}

export interface DifferenceLegendProps {
  readonly shades: Shades;
  /** Groups of side B alone are drawn too. */
  readonly gone?: boolean;
}

export interface AmountLegendProps {
  readonly shades: Shades;
  readonly scale: AmountScale;
  readonly measure: ChartMeasure;
}

/** Legend of one hue, from small to large. */
export function AmountLegend({ shades, scale, measure }: AmountLegendProps) {
  const text = (value: number) => formatMeasure(value, measure.measure);
  return (
    <RampLegend
      {...inTools}
      label={scale.isLog ? `${measure.label}, log scale` : measure.label}
      colors={[0, 0.25, 0.5, 0.75, 1].map((share) => shades.amount(share))}
      low={text(scale.low)}
      high={text(scale.high)}
    />
  );
}
