import { useContext, useLayoutEffect, useMemo, useRef } from "react";
import { coversOf } from "../coverage.js";
import type { OnIntent } from "../intent.js";
import { OpenMark } from "../openMark.js";
import { useChartTheme } from "../useChartTheme.js";
import type { ChosenLines } from "./drawnLines.js";
import { seriesAt } from "./interact.js";
import { PointedTime } from "./PointedTime.js";
import { buildTimePlot, type TimePlot } from "./plot.js";
import { pixelOfTime } from "./scale.js";
import styles from "./TimeChart.module.css";
import { useTimeKeys } from "./useTimeKeys.js";
import { useBoxSize, useTimePanels, useTimeVectors } from "./useTimePanels.js";
import { type Pointed, useTimePointer } from "./useTimePointer.js";

export interface TimeChartProps {
  readonly chosen: ChosenLines;
  readonly stacked: boolean;
  /** What stacks is percent of a whole. */
  readonly shares?: boolean;
  /** What it is called for those who do not see it; by default by what it draws. */
  readonly name?: string;
  /** Changes when the page's colours do. */
  readonly themeName: string;
  /** Axes are held for as long as this stays the same. */
  readonly questionKey: string;
  /** The group that the reader points at elsewhere. */
  readonly focusedKey: string | null;
  readonly onIntent: OnIntent;
}

/** Ends of the axes that are on the screen. */
interface HeldAxes {
  readonly key: string;
  readonly ceilings: readonly number[];
  readonly floors: readonly number[];
}

/** Lines (or a stack) over time. */
export function TimeChart(props: TimeChartProps) {
  const { chosen, stacked, shares = false, themeName } = props;
  const hostRef = useRef<HTMLDivElement>(null);
  const panelsRef = useRef<HTMLDivElement>(null);
  const { width, height } = useBoxSize(hostRef);
  // Tops of amounts are none of shares, of averages none of single buckets.
  const questionKey = `${props.questionKey} ${shares} ${chosen.sides} ${keyOfOptions(chosen.options)}`;
  const held = useRef<HeldAxes>({ key: "", ceilings: [], floors: [] });
  const theme = useChartTheme(themeName);
  const plot = useMemo<TimePlot | null>(() => {
    if (width === 0) return null;
    const { options, lineCount: _, ...lines } = chosen;
    const { ceilings, floors } =
      held.current.key === questionKey ? held.current : { ceilings: [], floors: [] };
    return buildTimePlot({
      ...{ ...lines, ...options, covers: coversOf(lines.input), stacked, shares },
      ...{ theme, width, height, ceilings, floors },
    });
  }, [chosen, stacked, shares, theme, width, height, questionKey]);
  useLayoutEffect(() => {
    if (plot === null) return;
    const [ceilings, floors] = [
      plot.panels.map(({ ceiling }) => ceiling),
      plot.panels.map(({ floor }) => floor),
    ];
    held.current = { key: questionKey, ceilings, floors };
  }, [plot, questionKey]);
  useTimeVectors(hostRef, plot);
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
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a form's; this is one chart with a cursor in it
    <div
      className={styles.chart}
      data-testid="chart"
      role="group"
      aria-roledescription="chart"
      aria-label={describe(props)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its buckets are walked by arrow keys
      tabIndex={0}
      onKeyDown={keys.onKeyDown}
      onBlur={keys.onBlur}
      {...listeners}
    >
      <div ref={hostRef} className={styles.host}>
        <div ref={panelsRef} className={styles.host} />
        {plot?.panels.map(({ measure, top, notes }) => (
          <div
            key={measure.name}
            className={styles.name}
            style={{ top: top - 24 }}
            data-testid="panel-name"
            title={[measure.label, ...notes].join(" · ")}
          >
            {measure.label}
            {notes.length > 0 && <small> · {notes.join(" · ")}</small>}
          </div>
        ))}
      </div>
      {plot !== null && pointed !== null && <PointedTime plot={plot} pointed={pointed} />}
      {plot !== null && picked !== undefined && brush === null && (
        <PickedTime plot={plot} range={picked} />
      )}
      {brush !== null && (
        <div
          className={styles.brush}
          style={{ left: brush.fromPx, width: brush.toPx - brush.fromPx }}
        >
          <span className={styles.hint}>
            {brush.asks ? "what is different here?" : "zoom · ⇧ asks"}
          </span>
        </div>
      )}
      <div className={styles.spoken} aria-live="polite">
        {keys.spoken}
      </div>
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

const keyOfOptions = ({ axes, ...options }: ChosenLines["options"]): string =>
  JSON.stringify([...axes, options]);

/** The line under the pointer, where pointing at a line shows more of it: the other side, the error bars. */
function lineUnder(plot: TimePlot | null, pointed: Pointed | null): string | null {
  const isAsked = plot?.panels.some(({ lines, bands }) =>
    [...lines, ...bands].some(({ isOfFocus }) => isOfFocus === true),
  );
  if (plot === null || pointed === null || isAsked !== true) return null;
  const touched = seriesAt(plot, pixelOfTime(plot, pointed.timeMs), pointed.chartY);
  return touched === null ? null : (plot.drawing.set.series[touched.seriesIndex]?.key ?? null);
}
