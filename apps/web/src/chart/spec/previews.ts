import type { PreviewNumbers } from "./previewNumbers.js";

/** The answer on the screen drawn small; the path is null where a few numbers are not enough. */
export interface ViewPreview {
  readonly pathOf: (numbers: PreviewNumbers) => string | null;
  readonly isFilled: boolean;
}

/** Size of a preview in the list of views. */
export const [previewWidth, previewHeight] = [36, 20];

export const linePreview: ViewPreview = { pathOf: ({ line }) => linePath(line), isFilled: false };

export const areaPreview: ViewPreview = {
  pathOf: ({ line }) => {
    const path = linePath(line);
    return path === null ? null : `${path}V${previewHeight}H0Z`;
  },
  isFilled: true,
};

export const barsPreview: ViewPreview = {
  pathOf: ({ groups }) => barsPath(groups),
  isFilled: true,
};

export const tilesPreview: ViewPreview = {
  pathOf: ({ groups }) => tilesPath(groups),
  isFilled: true,
};

function linePath(line: readonly number[]): string | null {
  if (line.length < 2) return null;
  const top = Math.max(...line, 0);
  const bottom = Math.min(...line, 0);
  const x = (at: number): string => ((at * previewWidth) / (line.length - 1)).toFixed(1);
  const y = (value: number): string =>
    (previewHeight - 1 - ((value - bottom) / (top - bottom || 1)) * (previewHeight - 2)).toFixed(1);
  return `M${line.map((value, at) => `${x(at)} ${y(value)}`).join("L")}`;
}

function barsPath(groups: readonly number[]): string | null {
  const [most = 0] = groups;
  if (groups.length < 2 || most <= 0) return null;
  const step = previewHeight / groups.length;
  return groups
    .map((value, i) => {
      const length = Math.max(1, (value / most) * previewWidth).toFixed(1);
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
      const room = (Math.max(0, value) / whole) * previewWidth;
      const path = `M${left.toFixed(1)} 1h${Math.max(0.5, room - 1).toFixed(1)}v${previewHeight - 2}h-${Math.max(0.5, room - 1).toFixed(1)}Z`;
      left += room;
      return path;
    })
    .join("");
}
