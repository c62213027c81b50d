import type { Flame, FlameFrame } from "./buildFlame.js";

/** Position of a frame, in pixels from the left. */
export interface FlameBox {
  readonly frame: FlameFrame;
  readonly left: number;
  readonly width: number;
}

export interface FlameLayout {
  /** Per row from the root, from left to right. */
  readonly rows: readonly (readonly FlameBox[])[];
  readonly drawnCount: number;
  /** Frames too narrow to be seen. */
  readonly hiddenCount: number;
}

/** A narrower box can be neither seen nor clicked. */
const widthMinPx = 0.6;

/** Boxes of the zoomed frame, of all below it, and of its callers, which are as wide as it is. */
export function layoutFlame(zoomed: FlameFrame, widthPx: number): FlameLayout {
  const rows: FlameBox[][] = [];
  for (let above = zoomed.parent; above !== null; above = above.parent) {
    rows[above.depth] = [{ frame: above, left: 0, width: widthPx }];
  }
  let [drawnCount, hiddenCount] = [zoomed.depth, 0];
  const whole = zoomed.now.total;
  const pxPer = whole > 0 ? widthPx / whole : 0;
  // An explicit stack: recursion could overflow, since stacks may be thousands of frames deep.
  const open: { readonly frame: FlameFrame; readonly left: number }[] = [
    { frame: zoomed, left: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { frame, left } = next;
    const width = frame === zoomed ? widthPx : frame.now.total * pxPer;
    if (width < widthMinPx) {
      hiddenCount += 1;
      continue;
    }
    const row = rows[frame.depth] ?? [];
    row.push({ frame, left, width });
    rows[frame.depth] = row;
    drawnCount += 1;
    let at = left;
    const children = frame.children.map((child) => {
      const place = { frame: child, left: at };
      at += child.now.total * pxPer;
      return place;
    });
    // Pushed from the last: the leftmost is popped first, so every row is in order.
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child !== undefined) open.push(child);
    }
  }
  return { rows, drawnCount, hiddenCount };
}

/** The box under a pixel of a row. */
export function boxAt(layout: FlameLayout, row: number, x: number): FlameBox | null {
  const boxes = layout.rows[row] ?? [];
  let [low, high] = [0, boxes.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const box = boxes[middle];
    if (box === undefined) return null;
    if (x < box.left) high = middle - 1;
    else if (x >= box.left + box.width) low = middle + 1;
    else return box;
  }
  return null;
}

/** Names from the root down, without the root. */
export function pathOf(frame: FlameFrame): string[] {
  const path: string[] = [];
  for (let at: FlameFrame | null = frame; at !== null && at.parent !== null; at = at.parent) {
    path.push(at.name);
  }
  return path.reverse();
}

/** The frame at a path, or the deepest that exists: it keeps the position when the result changes. */
export function frameAt(flame: Flame, path: readonly string[]): FlameFrame {
  let frame = flame.root;
  for (const name of path) {
    const child = frame.children.find((one) => one.name === name && !one.isRest);
    if (child === undefined) return frame;
    frame = child;
  }
  return frame;
}

/** A step of the keyboard cursor: to the caller, to what it called, or to a neighbour in the row. */
export type FrameStep = "parent" | "child" | "before" | "after";

/** The step of an arrow key; null: another key. */
export function stepOfKey(
  key: string,
  { rootBelow }: { readonly rootBelow: boolean },
): FrameStep | null {
  if (key === "ArrowLeft") return "before";
  if (key === "ArrowRight") return "after";
  if (key === "ArrowUp") return rootBelow ? "child" : "parent";
  if (key === "ArrowDown") return rootBelow ? "parent" : "child";
  return null;
}

/** The frame after a step; the same frame where there is none. */
export function stepFrom(layout: FlameLayout, frame: FlameFrame, step: FrameStep): FlameFrame {
  if (step === "parent") return frame.parent ?? frame;
  const row = layout.rows[frame.depth] ?? [];
  const at = row.findIndex((box) => box.frame === frame);
  if (step === "before") return row[at - 1]?.frame ?? frame;
  if (step === "after") return row[at + 1]?.frame ?? frame;
  const below = layout.rows[frame.depth + 1] ?? [];
  // To the widest child: most of the total is there.
  const children = below.filter((box) => box.frame.parent === frame);
  return children.reduce(
    (best, { frame: child }) => (child.now.total > best.now.total ? child : best),
    children[0]?.frame ?? frame,
  );
}

export interface Matches {
  readonly frames: ReadonlySet<FlameFrame>;
  /** What the matching frames take, each stack counted once. */
  readonly total: number;
}

/** Frames whose name contains the text, in any case; null: the text is empty. */
export function findFrames(flame: Flame, text: string): Matches | null {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return null;
  const frames = new Set<FlameFrame>();
  /** Frames at or below a match, whose total is counted. */
  const counted = new Set<FlameFrame>();
  let total = 0;
  for (const frame of flame.frames) {
    if (frame.parent === null || frame.isRest) continue;
    const isWithin = counted.has(frame.parent);
    const isMatch = frame.name.toLowerCase().includes(wanted);
    if (isMatch) frames.add(frame);
    if (isMatch && !isWithin) total += frame.now.total;
    if (isMatch || isWithin) counted.add(frame);
  }
  return { frames, total };
}
