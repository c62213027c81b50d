import { useContext, useMemo, useRef } from "react";
import type { OnIntent } from "../answer/intent.js";
import { OpenMark } from "../pointer/openMark.js";
import { AnnotationFlags } from "./annotation/AnnotationFlags.js";
import { ShownAnnotations } from "./annotation/shownAnnotations.js";
import { useTimePanels, useTimeVectors } from "./draw/useTimePanels.js";
import { type PlottedLines, useTimePlot } from "./draw/useTimePlot.js";
import type { TimePlot } from "./plot/plot.js";
import { pixelOfTime } from "./plot/scale.js";
import { seriesAt } from "./point/interact.js";
import { PointedTime } from "./point/PointedTime.js";
import { SharedMoment } from "./point/SharedMoment.js";
import { useTimeKeys } from "./point/useTimeKeys.js";
import { type Brush, type Pointed, useTimePointer } from "./point/useTimePointer.js";
import styles from "./TimeChart.module.css";

export interface TimeChartProps extends PlottedLines {
  /** Name for screen readers; by default the kind of chart. */
  readonly name?: string;
  /** The group that is pointed at in the legend. */
  readonly focusedKey: string | null;
  readonly onIntent: OnIntent;
}

/** Lines (or a stack) over time. */
export function TimeChart(props: TimeChartProps) {
  const hostRef = useRef<HTMLDivElement>(null);
  const panelsRef = useRef<HTMLDivElement>(null);
  const plot = useTimePlot(hostRef, props);
  useTimeVectors(hostRef, plot, useContext(ShownAnnotations).annotations);
  const picked = useContext(OpenMark)?.range;
  const {
    brush: drawn,
    pointed: under,
    ...listeners
  } = useTimePointer(hostRef, plot, props.onIntent);
  const keys = useTimeKeys(hostRef, plot, props.onIntent);
  const hovered = useMemo(() => lineUnder(plot, under), [plot, under]);
  useTimePanels(panelsRef, plot, keys.focusedKey ?? props.focusedKey ?? hovered);
  const [brush, pointed] = [drawn ?? keys.brush, under ?? keys.pointed];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; this is one chart with a cursor
    <div
      className={styles.chart}
      data-testid="chart"
      role="group"
      aria-roledescription="chart"
      aria-label={describe(props)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk its buckets
      tabIndex={0}
      onKeyDown={keys.onKeyDown}
      onBlur={keys.onBlur}
      {...listeners}
    >
      <div ref={hostRef} className={styles.host}>
        <div ref={panelsRef} className={styles.host} />
        {plot?.panels.map((panel) => (
          <PanelName key={panel.measure.name} panel={panel} />
        ))}
      </div>
      {plot !== null && <AnnotationFlags plot={plot} onIntent={props.onIntent} />}
      {plot !== null && pointed !== null && <PointedTime plot={plot} pointed={pointed} />}
      <SharedMoment plot={plot} pointed={under} />
      {plot !== null && picked !== undefined && brush === null && (
        <PickedTime plot={plot} range={picked} />
      )}
      {brush !== null && <BrushedTime brush={brush} />}
      <div className={styles.spoken} aria-live="polite">
        {keys.spoken}
      </div>
    </div>
  );
}

function PanelName({ panel }: { readonly panel: TimePlot["panels"][number] }) {
  const { measure, top, notes } = panel;
  return (
    <div
      className={styles.name}
      style={{ top: top - 24 }}
      data-testid="panel-name"
      title={[measure.label, ...notes].join(" · ")}
    >
      {measure.label}
      {notes.length > 0 && <small> · {notes.join(" · ")}</small>}
    </div>
  );
}

/** The times that a drag selects. */
function BrushedTime({ brush: { fromPx, toPx, asks } }: { readonly brush: Brush }) {
  return (
    <div className={styles.brush} style={{ left: fromPx, width: toPx - fromPx }}>
      <span className={styles.hint}>{asks ? "what is different here?" : "zoom · ⇧ asks"}</span>
    </div>
  );
}

interface PickedTimeProps {
  readonly plot: TimePlot;
  readonly range: { readonly fromMs: number; readonly toMs: number };
}

/** The times whose menu is open. */
function PickedTime({ plot, range }: PickedTimeProps) {
  const [left, right] = [pixelOfTime(plot, range.fromMs), pixelOfTime(plot, range.toMs)];
  const width = Math.max(1, right - left);
  return <div className={styles.brush} style={{ left, width }} data-testid="picked-time" />;
}

function describe({ chosen, stacked, name }: TimeChartProps): string {
  const what = chosen.input.measures.map((measure) => measure.label).join(", ");
  const groups = chosen.set.series.map((series) => series.label).slice(0, 5);
  return `${name ?? (stacked ? "Stacked area" : "Time series")} of ${what}: ${groups.join(", ")}`;
}

/** The line under the pointer, where a focused line shows more: the other side, the error bars. */
function lineUnder(plot: TimePlot | null, pointed: Pointed | null): string | null {
  const isAsked = plot?.panels.some(({ lines, bands }) =>
    [...lines, ...bands].some(({ isOfFocus }) => isOfFocus === true),
  );
  if (plot === null || pointed === null || isAsked !== true) return null;
  const touched = seriesAt(plot, pixelOfTime(plot, pointed.timeMs), pointed.chartY);
  return touched === null ? null : (plot.drawing.set.series[touched.seriesIndex]?.key ?? null);
}
