/** How far lines reach, zero included downwards; null: they have no point. Of as many steps as an answer may have. */
export function spanOf(
  lines: readonly (readonly (number | null)[])[],
): { readonly low: number; readonly high: number } | null {
  let [low, high] = [0, Number.NEGATIVE_INFINITY];
  for (const line of lines) {
    for (const value of line) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return high === Number.NEGATIVE_INFINITY ? null : { low, high };
}

/** The range of values, and the size to draw them in. */
export interface SparkBox {
  readonly low: number;
  readonly high: number;
  readonly width: number;
  readonly height: number;
}

/** A line as an SVG path in a box of this size; gaps stay gaps, a lone point is a short dash. */
export function sparkPath(
  line: readonly (number | null)[],
  { low, high, width, height }: SparkBox,
): string {
  const span = high - low || 1;
  const step = line.length > 1 ? width / (line.length - 1) : width;
  let path = "";
  let isOpen = false;
  line.forEach((value, i) => {
    if (value === null) {
      isOpen = false;
      return;
    }
    const y = (height - ((value - low) / span) * height).toFixed(1);
    const x = (i * step).toFixed(1);
    const isLone = !isOpen && (line[i + 1] ?? null) === null;
    path += isLone ? `M${x} ${y}h1` : `${isOpen ? "L" : "M"}${x} ${y}`;
    isOpen = true;
  });
  return path;
}
