/** The keyboard cursor of a chart over time. */
export interface TimeCursor {
  /** Index of the bucket. */
  readonly at: number;
  /** Where the selection began; null: nothing is selected. */
  readonly anchor: number | null;
  /** Index of the line; null: all rows. */
  readonly line: number | null;
}

interface Extent {
  readonly buckets: number;
  readonly lines: number;
}

/** Step of Page Up and Page Down, in buckets. */
const pageSteps = 10;

/** The cursor after a key; null: another key. It starts at the last bucket. */
export function movedCursor(
  cursor: TimeCursor | null,
  { key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">,
  { buckets, lines }: Extent,
): TimeCursor | null {
  const last = buckets - 1;
  if (last < 0) return null;
  const { at, line, anchor } = cursor ?? { at: last, line: null, anchor: null };
  if (key === "ArrowUp" || key === "ArrowDown") {
    if (lines === 0) return null;
    // After the last line and before the first comes "all rows".
    const places = lines + 1;
    const place = ((line ?? -1) + 1 + (key === "ArrowDown" ? 1 : places - 1)) % places;
    return { at, anchor, line: place === 0 ? null : place - 1 };
  }
  const next = cursor === null && key.startsWith("Arrow") ? last : bucketAfter(key, at, last);
  if (next === null) return null;
  return { at: next, line, anchor: shiftKey ? (anchor ?? at) : null };
}

function bucketAfter(key: string, at: number, last: number): number | null {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, at - 1);
    case "ArrowRight":
      return Math.min(last, at + 1);
    case "PageUp":
      return Math.max(0, at - pageSteps);
    case "PageDown":
      return Math.min(last, at + pageSteps);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
