import { type PointerEvent, useRef } from "react";
import type { Cell } from "../model/boardGrid.js";

/** What a drag changes: the tile's place, or its size. */
export type DragKind = "move" | "resize";

export interface TileDragOf {
  readonly cell: Cell;
  /** Size of a grid cell with its gap, in pixels. */
  readonly step: () => { readonly x: number; readonly y: number };
  readonly onDrag: (cell: Cell) => void;
  readonly onDrop: (cell: Cell) => void;
  readonly onCancel: () => void;
}

interface Start {
  readonly x: number;
  readonly y: number;
  readonly cell: Cell;
}

/** Pointer handlers that move or resize a tile by whole cells. */
export function useTileDrag(kind: DragKind, of: TileDragOf) {
  const start = useRef<Start | null>(null);
  const last = useRef<Cell>(of.cell);
  const cellAt = (event: PointerEvent<HTMLElement>, { x, y, cell }: Start): Cell => {
    const step = of.step();
    const columns = Math.round((event.clientX - x) / step.x);
    const rows = Math.round((event.clientY - y) / step.y);
    return kind === "move"
      ? { ...cell, x: cell.x + columns, y: Math.max(0, cell.y + rows) }
      : { ...cell, w: Math.max(1, cell.w + columns), h: Math.max(1, cell.h + rows) };
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || !isOwn(event, kind)) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { x: event.clientX, y: event.clientY, cell: of.cell };
      last.current = of.cell;
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (start.current === null) return;
      const next = cellAt(event, start.current);
      if (isSame(next, last.current)) return;
      last.current = next;
      of.onDrag(next);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (start.current === null) return;
      const next = cellAt(event, start.current);
      const isMoved = !isSame(next, start.current.cell);
      start.current = null;
      if (isMoved) of.onDrop(next);
      else of.onCancel();
    },
    onPointerCancel() {
      start.current = null;
      of.onCancel();
    },
  };
}

/** React passes on events of the menu and dialogs of the tile, which lie elsewhere on the page. */
function isOwn({ target, currentTarget }: PointerEvent<HTMLElement>, kind: DragKind): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  return kind === "resize" || target.closest("button, input, a") === null;
}

const isSame = (a: Cell, b: Cell): boolean =>
  a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h;
