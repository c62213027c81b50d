import type { TestInfo } from "@playwright/test";

const mark = "figure:";

/** Records a measured number for the report. */
export function noteFigure(info: TestInfo, name: string, value: number): void {
  info.annotations.push({
    type: `${mark}${name}`,
    description: String(Math.round(value * 10) / 10),
  });
}

/** The name of the figure in an annotation; null: not a figure. */
export const figureName = (type: string): string | null =>
  type.startsWith(mark) ? type.slice(mark.length) : null;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
