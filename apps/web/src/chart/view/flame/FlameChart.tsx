import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { PointerTooltip } from "../../kit/pointer/PointerTooltip.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";
import type { FlameFrame } from "./buildFlame.js";
import { type FlameLook, rowPx, rowTop } from "./drawFlame.js";
import styles from "./FlameChart.module.css";
import { boxAt, type FlameBox, layoutFlame, stepFrom } from "./layoutFlame.js";
import { useFlameCanvas, useFlameDrawing } from "./useFlameCanvas.js";

export interface FlameChartProps {
  /** The frame that is as wide as the graph. */
  readonly zoomed: FlameFrame;
  /** Where the keyboard is. */
  readonly active: FlameFrame;
  readonly look: FlameLook;
  readonly rootBelow: boolean;
  readonly label: string;
  readonly describe: (frame: FlameFrame) => string;
  readonly tooltipOf: (frame: FlameFrame) => TooltipContent;
  readonly onZoom: (frame: FlameFrame) => void;
  readonly onActive: (frame: FlameFrame) => void;
  /** Asks for the menu of a frame at a place of the window. */
  readonly onPick: (frame: FlameFrame, x: number, y: number) => void;
}

/** Where a pointer rests: within what is scrolled, and in the window. */
interface PointedPlace {
  readonly left: number;
  readonly top: number;
  readonly x: number;
  readonly y: number;
}

/** A second click within this time makes a double click: the menu waits for it. */
const doubleClickMs = 220;

/** The boxes: hover tells, click asks for the menu, double click or Enter zooms, arrows walk. */
export function FlameChart(props: FlameChartProps) {
  const { zoomed, active, look, rootBelow, onActive, onZoom, onPick } = props;
  const canvas = useFlameCanvas();
  const { widthPx, scrollRef } = canvas;
  const layout = useMemo(() => layoutFlame(zoomed, widthPx), [zoomed, widthPx]);
  const rows = useMemo(() => {
    // Flames stand on the ground, however few.
    const least = rootBelow ? Math.floor(canvas.heightPx / rowPx) : 0;
    return { rootBelow, count: Math.max(layout.rows.length, least) };
  }, [layout, rootBelow, canvas.heightPx]);
  useFlameDrawing(canvas, layout, look, rows);
  const [place, setPlace] = useState<PointedPlace | null>(null);
  const topOf = (frame: FlameFrame) => rowTop(frame.depth, rows);
  const clicks = useClicks(onPick, onZoom);
  const itemId = useId();

  const placeOf = ({ currentTarget: scroll, clientX, clientY }: MouseEvent<HTMLElement>) => {
    const { left, top } = scroll.getBoundingClientRect();
    return { left: clientX - left, top: clientY - top + scroll.scrollTop, x: clientX, y: clientY };
  };
  const boxIn = ({ left, top }: PointedPlace): FlameBox | null => {
    const row = Math.floor(top / rowPx);
    return boxAt(layout, rootBelow ? rows.count - 1 - row : row, left);
  };
  // What lies there now: an answer that streams in moves frames under a pointer that rests.
  const pointed = place === null ? null : boxIn(place);
  const boxOf = (frame: FlameFrame): FlameBox | undefined =>
    layout.rows[frame.depth]?.find((box) => box.frame === frame);
  const activeBox = boxOf(active);
  const pickActive = (): void => {
    const place = scrollRef.current?.getBoundingClientRect();
    if (place === undefined || activeBox === undefined) return;
    const top = place.top + topOf(active) + rowPx - (scrollRef.current?.scrollTop ?? 0);
    onPick(active, place.left + activeBox.left + 8, top);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = stepOfKey(event.key, rootBelow);
    if (step !== null) onActive(stepFrom(layout, active, step));
    else if (event.key === "Enter") onZoom(active === zoomed ? (active.parent ?? active) : active);
    else if (event.key === " ") pickActive();
    else if (event.key === "Escape" && zoomed.parent !== null) onZoom(zoomed.parent);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  useEffect(() => {
    const scroll = scrollRef.current;
    if (scroll === null || document.activeElement !== scroll) return;
    const top = rowTop(active.depth, rows);
    if (top < scroll.scrollTop) scroll.scrollTop = top;
    const bottom = top + rowPx - scroll.clientHeight;
    if (bottom > scroll.scrollTop) scroll.scrollTop = bottom;
  }, [scrollRef, active, rows]);

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
        onKeyDown={onKeyDown}
        onMouseMove={(event) => {
          setPlace(placeOf(event));
        }}
        onMouseLeave={() => setPlace(null)}
        onScroll={() => setPlace(null)}
        onClick={(event) => {
          const box = boxIn(placeOf(event));
          if (box === null) return;
          onActive(box.frame);
          clicks.click(box.frame, event.clientX, event.clientY);
        }}
        onDoubleClick={(event) => {
          const box = boxIn(placeOf(event));
          if (box !== null) clicks.doubleClick(box.frame);
        }}
      >
        <canvas ref={canvas.canvasRef} className={styles.canvas} />
        <div className={styles.graph} style={{ height: rows.count * rowPx }}>
          {pointed !== null && <Outline box={pointed} top={topOf(pointed.frame)} />}
          {activeBox !== undefined && (
            <div
              id={itemId}
              role="treeitem"
              aria-level={active.depth + 1}
              aria-selected="true"
              aria-label={props.describe(active)}
              tabIndex={-1}
              className={styles.active}
              style={{ left: activeBox.left, width: activeBox.width, top: topOf(active) }}
            />
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

function Outline({ box, top }: { readonly box: FlameBox; readonly top: number }) {
  return <div className={styles.outline} style={{ left: box.left, width: box.width, top }} />;
}

function stepOfKey(key: string, rootBelow: boolean) {
  if (key === "ArrowLeft") return "before";
  if (key === "ArrowRight") return "after";
  if (key === "ArrowUp") return rootBelow ? "child" : "parent";
  if (key === "ArrowDown") return rootBelow ? "parent" : "child";
  return null;
}

/** One click or two: the menu of the first would be in the way of the second. */
function useClicks(
  onPick: FlameChartProps["onPick"],
  onZoom: FlameChartProps["onZoom"],
): {
  readonly click: (frame: FlameFrame, x: number, y: number) => void;
  readonly doubleClick: (frame: FlameFrame) => void;
} {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    click(frame, x, y) {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => onPick(frame, x, y), doubleClickMs);
    },
    doubleClick(frame) {
      clearTimeout(timer.current);
      onZoom(frame);
    },
  };
}
