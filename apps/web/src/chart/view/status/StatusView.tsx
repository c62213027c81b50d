import { useMemo, useRef } from "react";
import { baseNameOf, buildSeries, countMeasure, type SeriesSet } from "../../kit/answer/series.js";
import { CellChart } from "../../kit/cells/CellChart.js";
import type { CellBox } from "../../kit/cells/cellPlot.js";
import { rankSeries } from "../../kit/groups/sortTotals.js";
import { LevelLegend } from "../../kit/paint/RampLegend.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import styles from "../../kit/props/split.module.css";
import { useHeldOrder } from "../../kit/props/useHeldOrder.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import {
  boxOfGroup,
  levelsOf,
  levelText,
  numberText,
  placeOf,
  statusGrid,
  statusTip,
} from "./build.js";
import status from "./StatusView.module.css";

/** More rows than this are a table. */
const groupsMax = 200;

/** Each group's number over time as colours: who was bad, and when. */
export function StatusView(props: ViewProps) {
  const { input, extras, options, rank, themeName, questionKey, onIntent } = props;
  const measure = input.measures[0] ?? countMeasure;
  const theme = useChartTheme(themeName);
  const whole = useMemo(() => buildSeries(input), [input]);
  const { totals } = extras;
  // By any number that was asked for, also one that is not drawn.
  const ranked = useMemo(
    () => rankSeries(whole, input, totals, rank),
    [whole, totals, input, rank],
  );
  const held = useHeldOrder(ranked, questionKey, input.result.final);
  const set = useMemo((): SeriesSet => {
    const byKey = new Map(whole.series.map((series) => [series.key, series]));
    const series = held.slice(0, groupsMax).flatMap(({ key }) => byKey.get(key) ?? []);
    return { timesMs: whole.timesMs, series };
  }, [whole, held]);

  const chosen = `${options.levels} ${options.good}`;
  const kept = useRef<{ key: string; levels: ReturnType<typeof levelsOf> } | null>(null);
  const levels = useMemo(() => {
    // Colours hold still while parts arrive: the levels of the last whole answer stay.
    const key = `${questionKey} ${chosen} ${themeName}`;
    if (!input.result.final && kept.current?.key === key) return kept.current.levels;
    const made = levelsOf(set, options.levels ?? "auto", options.good === "high", theme);
    kept.current = { key, levels: made };
    return made;
  }, [set, input, options, chosen, questionKey, themeName, theme]);
  const grid = useMemo(
    () => statusGrid(set, input, levels, window.innerWidth),
    [set, input, levels],
  );

  const onPick = (box: CellBox, at: { readonly x: number; readonly y: number }): void => {
    const { series, range } = placeOf(set, input, box);
    if (series === null) return;
    const text = numberText(series.values[0] ?? [], box, measure);
    onIntent({ kind: "pick", mark: { group: series.group, range, text, x: at.x, y: at.y } });
  };
  const names = set.series.slice(0, 5).map(({ label }) => label);
  return (
    <div className={styles.split}>
      <LevelLegend
        label={measure.label}
        levels={levels.colors.map((color, level) => ({
          color,
          text: levelText(levels, level, measure),
        }))}
      >
        {input.compared && <span>· the thin row is {baseNameOf(measure)}</span>}
        {held.length > groupsMax && (
          <span>
            · the first {groupsMax} of {held.length} groups
          </span>
        )}
      </LevelLegend>
      <div className={status.scroll}>
        <div
          style={{ height: "100%", minHeight: set.series.length * (input.compared ? 26 : 18) + 40 }}
        >
          <CellChart
            grid={grid}
            label={`Status history of ${measure.label}: ${names.join(", ")}`}
            themeName={themeName}
            describe={(box) => statusTip({ set, input, measure, levels }, box)}
            onPick={(box, { x, y }) => onPick(box, { x, y })}
            span={boxOfGroup}
          />
        </div>
      </div>
    </div>
  );
}
