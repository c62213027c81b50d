import type { View } from "../../../query/viewIds.js";
import type { PreviewNumbers } from "./previewNumbers.js";
import styles from "./ViewPicker.module.css";

const [width, height] = [36, 20];

/** The views that a few numbers are enough to draw small. */
const drawings: Readonly<Partial<Record<View, (numbers: PreviewNumbers) => string | null>>> = {
  timeseries: ({ line }) => linePath(line),
  area: ({ line }) => {
    const path = linePath(line);
    return path === null ? null : `${path}V${height}H0Z`;
  },
  bar: ({ groups }) => barsPath(groups),
  leaderboards: ({ groups }) => barsPath(groups),
  treemap: ({ groups }) => tilesPath(groups),
};
const filled: ReadonlySet<View> = new Set(["area", "bar", "leaderboards", "treemap"]);

export interface ViewPreviewProps {
  readonly view: View;
  readonly numbers: PreviewNumbers;
}

/** The current answer as this view would show it, about; null where a few numbers are not enough. */
export function previewOf({ view, numbers }: ViewPreviewProps) {
  const path = drawings[view]?.(numbers) ?? null;
  if (path === null) return null;
  return (
    <svg
      className={styles.preview}
      viewBox={`0 0 ${width} ${height}`}
      data-filled={filled.has(view)}
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

function linePath(line: readonly number[]): string | null {
  if (line.length < 2) return null;
  const top = Math.max(...line, 0);
  const bottom = Math.min(...line, 0);
  const x = (at: number): string => ((at * width) / (line.length - 1)).toFixed(1);
  const y = (value: number): string =>
    (height - 1 - ((value - bottom) / (top - bottom || 1)) * (height - 2)).toFixed(1);
  return `M${line.map((value, at) => `${x(at)} ${y(value)}`).join("L")}`;
}

function barsPath(groups: readonly number[]): string | null {
  const [most = 0] = groups;
  if (groups.length < 2 || most <= 0) return null;
  const step = height / groups.length;
  return groups
    .map((value, i) => {
      const length = Math.max(1, (value / most) * width).toFixed(1);
      return `M0 ${(i * step).toFixed(1)}h${length}v${(step * 0.6).toFixed(1)}h-${length}Z`;
    })
    .join("");
}

/** Tiles side by side, as wide as their share. */
function tilesPath(groups: readonly number[]): string | null {
  const whole = groups.reduce((sum, value) => sum + Math.max(0, value), 0);
  if (groups.length < 2 || whole <= 0) return null;
  let left = 0;
  return groups
    .map((value) => {
      const room = (Math.max(0, value) / whole) * width;
      const path = `M${left.toFixed(1)} 1h${Math.max(0.5, room - 1).toFixed(1)}v${height - 2}h-${Math.max(0.5, room - 1).toFixed(1)}Z`;
      left += room;
      return path;
    })
    .join("");
}
