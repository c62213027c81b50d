import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo } from "react";
import { focusedBeside } from "../../../ui/root/focus.js";
import { PointerTooltip } from "../../kit/pointer/PointerTooltip.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";
import type { FlameFrame } from "./buildFlame.js";
import { type FlameLook, type FlameRows, rowPx, rowTop } from "./drawFlame.js";
import styles from "./FlameChart.module.css";
import {
  type FlameBox,
  type FlameLayout,
  layoutFlame,
  stepFrom,
  stepOfKey,
} from "./layoutFlame.js";
import { useFlameCanvas, useFlameDrawing } from "./useFlameCanvas.js";
import { type FrameActions, useFramePointer } from "./useFramePointer.js";

export interface FlameChartProps extends FrameActions {
  /** The frame that is as wide as the graph. */
  readonly zoomed: FlameFrame;
  /** The frame that the keyboard cursor is on. */
  readonly active: FlameFrame;
  readonly look: FlameLook;
  readonly rootBelow: boolean;
  readonly label: string;
  readonly describe: (frame: FlameFrame) => string;
  readonly tooltipOf: (frame: FlameFrame) => TooltipContent;
}

/** The boxes: hover describes, click opens the menu, double click or Enter zooms, arrows move. */
export function FlameChart(props: FlameChartProps) {
  const { zoomed, active, look, rootBelow } = props;
  const canvas = useFlameCanvas();
  const { widthPx, heightPx, scrollRef } = canvas;
  const layout = useMemo(() => layoutFlame(zoomed, widthPx), [zoomed, widthPx]);
  const rows = useMemo(() => {
    // With the root at the bottom, the graph is at least as high as its box.
    const least = rootBelow ? Math.floor(heightPx / rowPx) : 0;
    return { rootBelow, count: Math.max(layout.rows.length, least) };
  }, [layout, rootBelow, heightPx]);
  useFlameDrawing(canvas, layout, look, rows);
  useActiveInSight(scrollRef, active, rows);
  const { place, pointed, listeners } = useFramePointer(layout, rows, props);
  const activeBox = layout.rows[active.depth]?.find((box) => box.frame === active);
  const itemId = useId();
  return (
    <div className={styles.frame}>
      <div
        ref={scrollRef}
        role="tree"
        aria-label={props.label}
        aria-activedescendant={itemId}
        tabIndex={0}
        className={styles.scroll}
        data-testid="chart"
        data-drawn={layout.drawnCount}
        data-pointing={pointed !== null}
        onKeyDown={(event) => onFrameKey(event, props, { layout, rows, activeBox })}
        {...listeners}
      >
        <canvas ref={canvas.canvasRef} className={styles.canvas} />
        <div className={styles.graph} style={{ height: rows.count * rowPx }}>
          {pointed !== null && <Outline box={pointed} rows={rows} />}
          {activeBox !== undefined && (
            <ActiveItem id={itemId} box={activeBox} rows={rows} label={props.describe(active)} />
          )}
        </div>
      </div>
      <PointerTooltip
        content={pointed === null ? null : props.tooltipOf(pointed.frame)}
        x={place?.x ?? 0}
        y={place?.y ?? 0}
      />
      {layout.hiddenCount > 0 && (
        <span className={styles.hidden} data-above={rootBelow}>
          {layout.drawnCount} frames drawn, {layout.hiddenCount} narrower than a pixel
        </span>
      )}
    </div>
  );
}

interface OutlineProps {
  readonly box: FlameBox;
  readonly rows: FlameRows;
}

const placeOfBox = ({ left, width, frame }: FlameBox, rows: FlameRows) => ({
  left,
  width,
  top: rowTop(frame.depth, rows),
});

function Outline({ box, rows }: OutlineProps) {
  return <div className={styles.outline} style={placeOfBox(box, rows)} />;
}

/** The active frame for screen readers: the canvas has no elements. */
function ActiveItem({ id, box, rows, label }: OutlineProps & { id: string; label: string }) {
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={box.frame.depth + 1}
      aria-selected="true"
      aria-label={label}
      tabIndex={-1}
      className={styles.active}
      style={placeOfBox(box, rows)}
    />
  );
}

interface DrawnFlame {
  readonly layout: FlameLayout;
  readonly rows: FlameRows;
  readonly activeBox: FlameBox | undefined;
}

function onFrameKey(
  event: KeyboardEvent<HTMLElement>,
  { active, zoomed, onActive, onZoom, onPick }: FlameChartProps,
  { layout, rows, activeBox }: DrawnFlame,
): void {
  const step = stepOfKey(event.key, rows);
  if (step !== null) onActive(stepFrom(layout, active, step));
  else if (event.key === "Enter") onZoom(active === zoomed ? (active.parent ?? active) : active);
  else if (event.key === " ") {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const y = top + rowTop(active.depth, rows) + rowPx - event.currentTarget.scrollTop;
    if (activeBox !== undefined) onPick(active, left + activeBox.left + 8, y);
  } else if (event.key === "Escape" && zoomed.parent !== null) onZoom(zoomed.parent);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Scrolls to the active frame while the keyboard is in the graph. */
function useActiveInSight(
  scrollRef: RefObject<HTMLElement | null>,
  active: FlameFrame,
  rows: FlameRows,
): void {
  useEffect(() => {
    const scroll = scrollRef.current;
    if (scroll === null || focusedBeside(scroll) !== scroll) return;
    const top = rowTop(active.depth, rows);
    if (top < scroll.scrollTop) scroll.scrollTop = top;
    const bottom = top + rowPx - scroll.clientHeight;
    if (bottom > scroll.scrollTop) scroll.scrollTop = bottom;
  }, [scrollRef, active, rows]);
}
