import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { type CellBox, type CellPlot, cellAt, isInside, rectOf, stepOf } from "./cellPlot.js";

/** Where a menu opens: in the window, and in the plot from its top. */
export interface PickPlace {
  readonly x: number;
  readonly y: number;
  readonly plotY: number;
}

export interface CellCursorOptions {
  readonly plot: CellPlot | null;
  /** The cells that a drag from one cell to another selects. */
  readonly span: (from: CellBox, to: CellBox) => CellBox;
  /** Opens the menu of these cells. */
  readonly onPick: (box: CellBox, at: PickPlace) => void;
}

/** The cell under the pointer or the keyboard cursor. */
export interface PointedCell {
  readonly box: CellBox;
  readonly x: number;
  readonly y: number;
  /** From the keyboard: the cell is outlined even where nothing is selected. */
  readonly byKey: boolean;
}

interface CursorState {
  readonly pointed: PointedCell | null;
  /** The selected cells. */
  readonly brush: CellBox | null;
  readonly setPointed: (pointed: PointedCell | null) => void;
  readonly setBrush: (brush: CellBox | null) => void;
}

/** A shorter drag counts as a click. */
const dragPxMin = 5;

/** Cells can be hovered, dragged over and walked by arrow keys; Shift extends the selection. */
export function useCellCursor(options: CellCursorOptions) {
  const [pointed, setPointed] = useState<PointedCell | null>(null);
  const [brush, setBrush] = useState<CellBox | null>(null);
  const state = { pointed, brush, setPointed, setBrush };
  const pointer = usePointer(options, state);
  const onKeyDown = useKeys(options, state);
  const listeners = { ...pointer, onKeyDown, onBlur: pointer.onPointerCancel };
  return { pointed, brush, listeners };
}

function usePointer(
  { plot, span, onPick }: CellCursorOptions,
  { brush, setBrush, setPointed }: CursorState,
) {
  const start = useRef<{ x: number; y: number; cell: CellBox } | null>(null);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>): void {
      const { x, y } = pixelOf(event);
      if (event.button !== 0 || plot === null || !isInside(plot, x, y)) return;
      start.current = { x, y, cell: cellAt(plot, x, y) };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      if (plot === null) return;
      const { x, y } = pixelOf(event);
      const from = start.current;
      const isDrag = from !== null && Math.hypot(x - from.x, y - from.y) >= dragPxMin;
      setBrush(isDrag ? span(from.cell, cellAt(plot, x, y)) : null);
      setPointed(isInside(plot, x, y) ? { box: cellAt(plot, x, y), x, y, byKey: false } : null);
    },
    onPointerUp(event: PointerEvent<HTMLElement>): void {
      const from = start.current;
      const picked = brush ?? from?.cell ?? null;
      start.current = null;
      setBrush(null);
      if (from === null || picked === null) return;
      onPick(picked, { x: event.clientX, y: event.clientY, plotY: pixelOf(event).y });
    },
    onPointerCancel(): void {
      start.current = null;
      setBrush(null);
      setPointed(null);
    },
    onPointerLeave(): void {
      if (start.current === null) setPointed(null);
    },
  };
}

function pixelOf(event: PointerEvent<HTMLElement>) {
  const box = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function useKeys(
  { plot, span, onPick }: CellCursorOptions,
  { pointed, brush, setBrush, setPointed }: CursorState,
) {
  const anchor = useRef<CellBox | null>(null);
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (plot === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const current = pointed?.box ?? cellAt(plot, plot.left, plot.top + plot.height / 2);
    if (event.key === "Enter" || event.key === " ") {
      const area = brush ?? current;
      const host = event.currentTarget.getBoundingClientRect();
      const { x, y } = middleOf(plot, area);
      onPick(area, { x: host.left + x, y: host.top + y, plotY: y });
      event.preventDefault();
      return;
    }
    const next = pointed === null ? current : stepOf(plot, current, event.key);
    if (next === null || !/^(Arrow|Page|Home|End)/.test(event.key)) return;
    event.preventDefault();
    anchor.current = event.shiftKey ? (anchor.current ?? current) : null;
    setBrush(anchor.current === null ? null : span(anchor.current, next));
    setPointed({ box: next, ...middleOf(plot, next), byKey: true });
  };
}

function middleOf(plot: CellPlot, box: CellBox) {
  const { left, top, width, height } = rectOf(plot, box);
  return { x: left + width / 2, y: top + height / 2 };
}
