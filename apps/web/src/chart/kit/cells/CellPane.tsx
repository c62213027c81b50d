import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useContext,
  useRef,
  useState,
} from "react";
import { OpenMark } from "../pointer/openMark.js";
import { cellText, type TooltipContent } from "../pointer/tooltip.js";
import styles from "./CellPane.module.css";
import {
  boxOf,
  type CellBox,
  type CellPlot,
  cellAt,
  isInside,
  rectOf,
  stepOf,
} from "./cellPlot.js";
import { Tip } from "./Tip.js";

export interface CellPaneProps {
  readonly hostRef: RefObject<HTMLDivElement | null>;
  readonly plot: CellPlot | null;
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  readonly describe: (
    box: CellBox,
    at: { readonly x: number; readonly y: number },
  ) => TooltipContent | null;
  /** Asks for the menu of these cells at this place of the page. */
  readonly onPick: (
    box: CellBox,
    at: { readonly x: number; readonly y: number; readonly plotY: number },
  ) => void;
  /** What a drag from one cell to another holds; by default all between them. */
  readonly span?: (from: CellBox, to: CellBox) => CellBox;
}

/** A shorter drag is a click of an unsteady hand. */
const dragPxMin = 5;

interface Pointed {
  readonly box: CellBox;
  readonly x: number;
  readonly y: number;
  /** From the keyboard: the cell is outlined even where nothing is selected. */
  readonly byKey: boolean;
}

/** Cells that can be pointed at, dragged over and walked by arrow keys; Shift widens, Enter opens the menu. */
export function CellPane(props: CellPaneProps) {
  const { hostRef, plot, label, describe, onPick, span = boxOf } = props;
  const start = useRef<{ x: number; y: number; cell: CellBox } | null>(null);
  const anchor = useRef<CellBox | null>(null);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [brush, setBrush] = useState<CellBox | null>(null);

  const openMark = useContext(OpenMark);
  const [last, setLast] = useState<{ box: CellBox; x: number; y: number } | null>(null);
  const isOpen = last !== null && openMark?.x === last.x && openMark.y === last.y;
  const pick: CellPaneProps["onPick"] = (box, at) => {
    setLast({ box, x: at.x, y: at.y });
    onPick(box, at);
  };

  const pixel = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const clear = (): void => {
    start.current = null;
    setBrush(null);
    setPointed(null);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    const { x, y } = pixel(event);
    if (event.button !== 0 || plot === null || !isInside(plot, x, y)) return;
    start.current = { x, y, cell: cellAt(plot, x, y) };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (plot === null) return;
    const { x, y } = pixel(event);
    const from = start.current;
    const isDrag = from !== null && Math.hypot(x - from.x, y - from.y) >= dragPxMin;
    setBrush(isDrag ? span(from.cell, cellAt(plot, x, y)) : null);
    setPointed(isInside(plot, x, y) ? { box: cellAt(plot, x, y), x, y, byKey: false } : null);
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    const from = start.current;
    const picked = brush ?? from?.cell ?? null;
    start.current = null;
    setBrush(null);
    if (from === null || picked === null) return;
    pick(picked, { x: event.clientX, y: event.clientY, plotY: pixel(event).y });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (plot === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const current = pointed?.box ?? cellAt(plot, plot.left, plot.top + plot.height / 2);
    const area = brush ?? current;
    const { left, top, width, height } = rectOf(plot, area);
    const middle = { x: left + width / 2, y: top + height / 2 };
    if (event.key === "Enter" || event.key === " ") {
      const host = event.currentTarget.getBoundingClientRect();
      pick(area, { x: host.left + middle.x, y: host.top + middle.y, plotY: middle.y });
      event.preventDefault();
      return;
    }
    const next = pointed === null ? current : stepOf(plot, current, event.key);
    if (next === null || !/^(Arrow|Page|Home|End)/.test(event.key)) return;
    event.preventDefault();
    anchor.current = event.shiftKey ? (anchor.current ?? current) : null;
    setBrush(anchor.current === null ? null : span(anchor.current, next));
    const at = rectOf(plot, next);
    setPointed({ box: next, x: at.left + at.width / 2, y: at.top + at.height / 2, byKey: true });
  };

  const shown = brush ?? (pointed?.byKey ? pointed.box : isOpen ? last.box : null);
  const content = pointed === null ? null : describe(brush ?? pointed.box, pointed);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a form's; this is one chart with a cursor in it
    <div
      className={styles.pane}
      data-testid="chart"
      role="group"
      aria-roledescription="chart"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its cells are walked by arrow keys
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={clear}
      onPointerLeave={() => start.current === null && setPointed(null)}
      onKeyDown={onKeyDown}
      onBlur={clear}
    >
      <div ref={hostRef} className={styles.host} />
      {plot !== null && shown !== null && (
        <div className={styles.brush} style={rectOf(plot, shown)} data-testid="brush" />
      )}
      {content !== null && pointed !== null && (
        <Tip content={content} x={pointed.x} y={pointed.y} />
      )}
      <div className={styles.spoken} aria-live="polite">
        {pointed?.byKey && content !== null && spokenText(content)}
      </div>
    </div>
  );
}

const spokenText = ({ title, rows }: TooltipContent): string =>
  [title, ...rows.map(({ name, cells }) => [name, ...cells.map(cellText)].join(" "))].join("; ");
