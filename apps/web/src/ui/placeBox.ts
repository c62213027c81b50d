/** Room between what floats and the edge of the window. */
const edgePx = 8;

/** Below this much room the other side is looked at: what floats grows while its values come. */
const roomPxMin = 320;

export type Side = "below" | "above";

export interface Placing {
  /** What it floats at, in the window. */
  readonly anchor: Pick<DOMRect, "left" | "right" | "top" | "bottom">;
  /** Its own size, as if there were room without end. */
  readonly width: number;
  readonly height: number;
  readonly windowWidth: number;
  readonly windowHeight: number;
  readonly align: "start" | "end";
  readonly gapPx: number;
  /** Where it was; what grows stays on its side for as long as it fits there. */
  readonly before: Side | null;
}

export interface Place {
  readonly side: Side;
  readonly left: number;
  /** Distance from the window's top where it lies below, from its bottom where it lies above: it grows away from its anchor. */
  readonly offset: number;
  readonly maxHeight: number;
}

/** Where a box floats at an anchor: below it, above it where that has more room, always inside the window. */
export function placeBox(placing: Placing): Place {
  const { anchor, width, height, windowWidth, windowHeight, align, gapPx, before } = placing;
  const below = windowHeight - anchor.bottom - gapPx - edgePx;
  const above = anchor.top - gapPx - edgePx;
  const wanted = before === null ? Math.max(height, Math.min(roomPxMin, windowHeight)) : height;
  const isBelow = before !== "above" && (wanted <= below || below >= above);
  const start = align === "start" ? anchor.left : anchor.right - width;
  return {
    side: isBelow ? "below" : "above",
    left: Math.max(edgePx, Math.min(start, windowWidth - width - edgePx)),
    offset: isBelow ? anchor.bottom + gapPx : windowHeight - anchor.top + gapPx,
    maxHeight: Math.max(0, isBelow ? below : above),
  };
}
