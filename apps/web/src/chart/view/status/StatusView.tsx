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
  chosenLevels,
  type Levels,
  levelText,
  numberText,
  placeOf,
  statusGrid,
  statusTip,
} from "./build.js";
import status from "./StatusView.module.css";

/** More rows than this are a table. */
const groupsMax = 200;

/** Each group's number over time as colours: which group was bad, and when. */
export function StatusView(props: ViewProps) {
  const { input, themeName, onIntent } = props;
  const measure = input.measures[0] ?? countMeasure;
  const { set, groupCount } = useGroupSeries(props);
  const levels = useHeldLevels(props, set);
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
        {groupCount > groupsMax && (
          <span>
            · the first {groupsMax} of {groupCount} groups
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
            onPick={onPick}
            span={boxOfGroup}
          />
        </div>
      </div>
    </div>
  );
}

/** The drawn groups in a stable order, by any number of the query, also one that is not drawn. */
function useGroupSeries({ input, extras, rank, questionKey }: ViewProps) {
  const whole = useMemo(() => buildSeries(input), [input]);
  const { totals } = extras;
  const ranked = useMemo(
    () => rankSeries(whole, input, totals, rank),
    [whole, totals, input, rank],
  );
  const held = useHeldOrder(ranked, { key: questionKey, final: input.result.final });
  const set = useMemo((): SeriesSet => {
    const byKey = new Map(whole.series.map((series) => [series.key, series]));
    const series = held.slice(0, groupsMax).flatMap(({ key }) => byKey.get(key) ?? []);
    return { timesMs: whole.timesMs, series };
  }, [whole, held]);
  return { set, groupCount: held.length };
}

/** The levels of the last complete result: colours do not change while parts arrive. */
function useHeldLevels({ input, options, questionKey, themeName }: ViewProps, set: SeriesSet) {
  const theme = useChartTheme(themeName);
  const chosen = `${options.levels} ${options.good}`;
  const kept = useRef<{ key: string; levels: Levels } | null>(null);
  return useMemo(() => {
    const key = `${questionKey} ${chosen} ${themeName}`;
    if (!input.result.final && kept.current?.key === key) return kept.current.levels;
    const made = chosenLevels(set, options, theme);
    kept.current = { key, levels: made };
    return made;
  }, [set, input, options, chosen, questionKey, themeName, theme]);
}
