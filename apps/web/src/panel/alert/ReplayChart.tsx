import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { useBoxSize } from "../../chart/kit/time/draw/useTimePanels.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatDated, formatRange } from "../../format/time.js";
import { formatMeasure } from "../../format/value.js";
import styles from "./alert.module.css";
import { linePath, type ReplayScale, type ReplaySeries, replayScale } from "./replaySeries.js";
import type { Replay } from "./useReplay.js";

const height = 150;
const dayMs = 86_400_000;

export interface ReplayChartProps {
  readonly replay: Replay;
  readonly windowMs: number;
  /** A bound on the scale of the number, which can be dragged; null: the condition has none. */
  readonly bound: number | null;
  /** Absent: it cannot be moved. */
  readonly onBound: ((value: number) => void) | null;
}

/** The numbers of seven days with the moments at which the rule would have fired. */
export function ReplayChart({ replay, windowMs, bound, onBound }: ReplayChartProps) {
  const boxRef = useRef<HTMLDivElement>(null);
  const { width } = useBoxSize(boxRef);
  const { range, series } = replay;
  const scale = replayScale(series ?? empty, bound, range, { width: Math.max(width, 1), height });
  const zone = ownTimeZone();
  return (
    <div ref={boxRef} className={styles.replay} data-testid="alert-replay">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`The number in windows from ${formatRange(range.fromMs, range.toMs, zone, range.toMs)}`}
      >
        {(replay.firings ?? []).map(({ fromMs, toMs, heldBack }) => (
          <rect
            key={`${fromMs} ${toMs}`}
            className={styles.firing}
            data-held={heldBack !== undefined}
            data-testid="replay-firing"
            x={scale.x(fromMs)}
            width={Math.max(2, scale.x(toMs) - scale.x(fromMs))}
            y={0}
            height={height}
          >
            <title>{firingTitle(fromMs, toMs, heldBack)}</title>
          </rect>
        ))}
        {series?.lines.map((line, i) => (
          <path
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name here
            key={i}
            className={styles.line}
            d={linePath(line, windowMs, scale)}
          />
        ))}
      </svg>
      {replay.lack !== null && (
        <p className={styles.lack} data-testid="replay-lack">
          {replay.lack}
        </p>
      )}
      {bound !== null && <Bound {...{ bound, scale, onBound }} unit={series?.unit} />}
      <div className={styles.days}>
        <span>{formatDated(range.fromMs, zone)}</span>
        <span>now</span>
      </div>
    </div>
  );
}

const empty: ReplaySeries = {
  ...{ lines: [], unit: undefined },
  ...{ highest: Number.NEGATIVE_INFINITY, lowest: Number.POSITIVE_INFINITY },
};

function firingTitle(fromMs: number, toMs: number, heldBack: string | undefined): string {
  const zone = ownTimeZone();
  const when = toMs - fromMs < dayMs ? formatRange(fromMs, toMs, zone, Date.now()) : "";
  const times = when === "" ? `${formatDated(fromMs, zone)} – ${formatDated(toMs, zone)}` : when;
  return heldBack === undefined ? times : `${times}: held back, ${heldBack}`;
}

interface BoundProps {
  readonly bound: number;
  readonly scale: ReplayScale;
  readonly unit: string | undefined;
  readonly onBound: ((value: number) => void) | null;
}

const keySteps: Readonly<Record<string, number>> = {
  ...{ ArrowUp: -1, ArrowRight: -1, ArrowDown: 1, ArrowLeft: 1, PageUp: -10, PageDown: 10 },
};

/** The line of the condition: it is dragged, or moved by the arrow keys a pixel at a time. */
function Bound({ bound, scale, unit, onBound }: BoundProps) {
  const y = scale.y(bound);
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (onBound === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const top = event.currentTarget.parentElement?.getBoundingClientRect().top ?? 0;
    onBound(scale.valueAt(Math.min(height, Math.max(0, event.clientY - top))));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = keySteps[event.key];
    if (step === undefined || onBound === null) return;
    event.preventDefault();
    onBound(scale.valueAt(y + step));
  };
  return (
    <div
      className={styles.bound}
      role="slider"
      tabIndex={onBound === null ? -1 : 0}
      aria-label="Fires beyond"
      aria-orientation="vertical"
      aria-valuenow={bound}
      aria-valuetext={formatMeasure(bound, { unit })}
      aria-disabled={onBound === null}
      data-testid="alert-bound"
      style={{ top: `${y}px` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKeyDown}
    >
      <span className={styles.boundText}>{formatMeasure(bound, { unit })}</span>
    </div>
  );
}
