import { formatMeasure } from "../format/value.js";
import type { AmountScale } from "./amountScale.js";
import styles from "./ScaleLegend.module.css";
import type { ChartMeasure } from "./series.js";
import type { Shades } from "./shade.js";

interface ScaleLegendProps {
  readonly label: string;
  /** Colours from left to right. */
  readonly colors: readonly string[];
  readonly left: string;
  readonly right: string;
  readonly note?: string | undefined;
}

/** What the colours of a chart say. */
function ScaleLegend({ label, colors, left, right, note }: ScaleLegendProps) {
  return (
    <div className={styles.legend} data-testid="scale-legend" title={note}>
      <span>{label}</span>
      <span className={styles.end}>{left}</span>
      <span
        className={styles.bar}
        style={{ background: `linear-gradient(90deg, ${colors.join(", ")})` }}
      />
      <span className={styles.end}>{right}</span>
    </div>
  );
}

/** Blue less, orange more; in the middle what did not change, or not beyond its error bars. */
export function DifferenceLegend({ shades, gone = false }: DifferenceLegendProps) {
  const colors = [-1, -0.5, 0, 0.5, 1].map((tone) => shades.difference(tone));
  const left = gone ? "gone, ≤ ½" : "≤ ½";
  const note = gone ? "What is gone is as large as it was." : undefined;
  return (
    <ScaleLegend label="now ÷ was" colors={colors} left={left} right="≥ 2×, new" note={note} />
  );
}

export interface DifferenceLegendProps {
  readonly shades: Shades;
  /** What only side B has is drawn too. */
  readonly gone?: boolean;
}

export interface AmountLegendProps {
  readonly shades: Shades;
  readonly scale: AmountScale;
  readonly measure: ChartMeasure;
}

/** One hue from little to much. */
export function AmountLegend({ shades, scale, measure }: AmountLegendProps) {
  const text = (value: number) => formatMeasure(value, measure.measure);
  return (
    <ScaleLegend
      label={scale.isLog ? `${measure.label}, log scale` : measure.label}
      colors={[0, 0.25, 0.5, 0.75, 1].map((share) => shades.amount(share))}
      left={text(scale.low)}
      right={text(scale.high)}
    />
  );
}
