import type { TestInfo } from "@playwright/test";

const mark = "figure:";

/** Notes a measured number for the report. */
export function noteFigure(info: TestInfo, name: string, value: number): void {
  info.annotations.push({
    type: `${mark}${name}`,
    description: String(Math.round(value * 10) / 10),
  });
}

/** The figure's name in an annotation; null when it is none. */
export const figureName = (type: string): string | null =>
  type.startsWith(mark) ? type.slice(mark.length) : null;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
