import { type Amount, asNumber } from "../../kit/answer/series.js";
import styles from "./Spark.module.css";

export interface SparkProps {
  readonly values: readonly Amount[];
  /** The same of side B; null: nothing is compared. */
  readonly compare: readonly Amount[] | null;
  readonly color: string;
}

const [widthPx, heightPx] = [96, 20];

/** A line without axes: only its shape speaks, side B dotted. Hidden from readers, who have the numbers. */
export function Spark({ values, compare, color }: SparkProps) {
  const top = Math.max(0, ...[...values, ...(compare ?? [])].map((value) => asNumber(value) ?? 0));
  return (
    <svg width={widthPx} height={heightPx} aria-hidden="true" className={styles.spark}>
      {compare !== null && (
        <path
          d={sparkPath(compare, top)}
          fill="none"
          stroke={color}
          strokeDasharray="2 2"
          opacity={0.6}
        />
      )}
      <path d={sparkPath(values, top)} fill="none" stroke={color} strokeWidth={1.5} />
    </svg>
  );
}

/** Points over the whole width, 0 at the bottom; gaps where a number is missing. */
export function sparkPath(values: readonly Amount[], top: number): string {
  const step = (widthPx - 2) / Math.max(1, values.length - 1);
  let isGap = true;
  return values
    .map((value, i) => {
      const number = asNumber(value);
      if (number === null) {
        isGap = true;
        return "";
      }
      const height = top > 0 ? (Math.max(0, number) / top) * (heightPx - 3) : 0;
      const point = `${isGap ? "M" : "L"}${round(1 + i * step)} ${round(heightPx - 1.5 - height)}`;
      isGap = false;
      return point;
    })
    .join("");
}

const round = (px: number): number => Math.round(px * 10) / 10;
