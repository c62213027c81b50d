import { useEffect, useMemo, useRef } from "react";
import type { OnIntent } from "../intent.js";
import type { ChartInput, SeriesSet } from "../series.js";
import { readChartTheme } from "../theme.js";
import { renderTooltip } from "../tooltip.js";
import { useChart } from "../useChart.js";
import { buildTimeOption, type TimeDrawing } from "./build.js";
import { nearestIndex, panelAt } from "./interact.js";
import styles from "./TimeChart.module.css";
import { timeTooltip } from "./tooltipContent.js";
import { useTimePointer } from "./useTimePointer.js";

export interface TimeChartProps {
  readonly input: ChartInput;
  readonly set: SeriesSet;
  readonly hues: readonly number[];
  readonly stacked: boolean;
  /** What stacks is percent of a whole: the axis ends there. */
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

/** Lines (or a stack) over time. */
export function TimeChart(props: TimeChartProps) {
  const {
    input,
    set,
    hues,
    stacked,
    shares = false,
    themeName,
    questionKey,
    focusedKey,
    onIntent,
  } = props;
  const { hostRef, chart, width, height } = useChart();
  const held = useRef<{ key: string; ceilings: readonly number[] }>({ key: "", ceilings: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is read from the page when its name changes
  const theme = useMemo(() => readChartTheme(document.body), [themeName]);
  const drawing = useMemo<TimeDrawing | null>(() => {
    if (width === 0) return null;
    const ceilings = held.current.key === questionKey ? held.current.ceilings : [];
    return { input, set, hues, stacked, shares, theme, width, height, ceilings };
  }, [input, set, hues, stacked, shares, theme, width, height, questionKey]);
  const drawn = useRef(drawing);
  const pointedPanel = useRef(0);
  const pointer = useTimePointer(hostRef, chart, drawing, onIntent);

  useEffect(() => {
    if (chart === null || drawing === null) return;
    const { option, ceilings } = buildTimeOption(drawing);
    held.current = { key: questionKey, ceilings };
    drawn.current = drawing;
    chart.setOption(
      { ...option, tooltip: tooltipOption(drawn, pointedPanel) },
      { replaceMerge: ["series", "grid", "xAxis", "yAxis"], lazyUpdate: false },
    );
  }, [chart, drawing, questionKey]);

  useEffect(() => {
    if (chart === null || drawing === null) return;
    chart.dispatchAction({ type: "downplay" });
    if (focusedKey === null) return;
    const seriesId = input.measures.map((_, m) => `${m}:a:${focusedKey}`);
    chart.dispatchAction({ type: "highlight", seriesId });
  }, [chart, drawing, focusedKey, input.measures]);

  return (
    <div
      className={styles.chart}
      data-testid="chart"
      onPointerDown={pointer.onPointerDown}
      onPointerMove={(event) => {
        const { top } = event.currentTarget.getBoundingClientRect();
        if (drawing !== null) pointedPanel.current = panelAt(drawing, event.clientY - top);
        pointer.onPointerMove(event);
      }}
      onPointerUp={pointer.onPointerUp}
      onPointerCancel={pointer.onPointerCancel}
    >
      <div ref={hostRef} className={styles.host} role="img" aria-label={describe(props)} />
      {pointer.brush !== null && (
        <div
          className={styles.brush}
          style={{ left: pointer.brush.fromPx, width: pointer.brush.toPx - pointer.brush.fromPx }}
        >
          <span className={styles.hint}>
            {pointer.brush.asks ? "what is different here?" : "zoom · ⇧ asks"}
          </span>
        </div>
      )}
    </div>
  );
}

function tooltipOption(
  drawn: { readonly current: TimeDrawing | null },
  panel: { readonly current: number },
) {
  return {
    trigger: "axis" as const,
    confine: true,
    transitionDuration: 0,
    className: "chart-tooltip-frame",
    backgroundColor: "transparent",
    borderWidth: 0,
    padding: 0,
    extraCssText: "box-shadow:none",
    axisPointer: { type: "line" as const },
    formatter: (params: unknown) => {
      const { current } = drawn;
      const [first] = Array.isArray(params) ? params : [params];
      const value = (first as { axisValue?: unknown } | undefined)?.axisValue;
      if (current === null || value === undefined) return "";
      const at = nearestIndex(current.set.timesMs, Number(value));
      return renderTooltip(timeTooltip(current, at, panel.current));
    },
  };
}

function describe({ input, set, stacked, name }: TimeChartProps): string {
  const what = input.measures.map((measure) => measure.label).join(", ");
  const groups = set.series.map((series) => series.label).slice(0, 5);
  return `${name ?? (stacked ? "Stacked area" : "Time series")} of ${what}: ${groups.join(", ")}`;
}
