import type { CSSProperties, ReactNode } from "react";
import styles from "./RampLegend.module.css";

export interface RampLegendProps {
  readonly label: string;
  readonly low: string;
  readonly high: string;
  readonly colors: readonly string[];
  /** A further colour beside the ramp, and its meaning. */
  readonly extra?: { readonly color: string; readonly text: string } | undefined;
  readonly children?: ReactNode;
  /** Within a row of tools, which has its own margins. */
  readonly inline?: boolean;
  readonly testId?: string;
  readonly title?: string | undefined;
}

/** Legend of a colour ramp. */
export function RampLegend(props: RampLegendProps) {
  const { label, low, high, colors, extra, children, inline = false } = props;
  const { testId = "ramp-legend", title } = props;
  return (
    <div className={styles.legend} data-inline={inline} data-testid={testId} title={title}>
      <span className={styles.label}>{label}</span>
      <span>{low}</span>
      <span
        className={styles.ramp}
        style={{ "--ramp": `linear-gradient(to right, ${colors.join(",")})` } as CSSProperties}
      />
      <span>{high}</span>
      {extra !== undefined && <Swatch color={extra.color} text={extra.text} />}
      {children}
    </div>
  );
}

export interface LevelLegendProps {
  readonly label: string;
  readonly levels: readonly { readonly color: string; readonly text: string }[];
  readonly children?: ReactNode;
}

/** Legend of a few colours. */
export function LevelLegend({ label, levels, children }: LevelLegendProps) {
  return (
    <div className={styles.legend} data-testid="ramp-legend">
      <span className={styles.label}>{label}</span>
      {levels.map(({ color, text }) => (
        <Swatch key={text} color={color} text={text} />
      ))}
      {children}
    </div>
  );
}

/** One colour and its meaning. */
function Swatch({ color, text }: { readonly color: string; readonly text: string }) {
  return (
    <span className={styles.swatch}>
      <i style={{ background: color }} />
      {text}
    </span>
  );
}
