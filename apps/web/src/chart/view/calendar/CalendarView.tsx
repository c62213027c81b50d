import { useEffect, useMemo, useRef } from "react";
import { formatMeasure } from "../../../format/value.js";
import { countMeasure } from "../../kit/answer/series.js";
import { ceilingOf, isSkewed, isTwoSided } from "../../kit/cells/amountCells.js";
import { CellChart } from "../../kit/cells/CellChart.js";
import type { CellBox } from "../../kit/cells/cellPlot.js";
import { RampLegend } from "../../kit/paint/RampLegend.js";
import { noChangeColor } from "../../kit/paint/shade.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import styles from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { boxOfTimes, buildCalendar, calendarGrid, timesOfBox } from "./build.js";
import { calendarTip, textOf } from "./calendarTip.js";

/** One number by day and hour of the day, in the zone that was chosen. */
export function CalendarView(props: ViewProps) {
  const { input, options, themeName, questionKey, onIntent } = props;
  const measure = input.measures[0] ?? countMeasure;
  const theme = useChartTheme(themeName);
  const calendar = useMemo(() => buildCalendar(input, measure), [input, measure]);
  const held = useRef({ key: "", ceiling: 0 });
  const { color } = options;
  const drawn = useMemo(() => {
    const isSame = held.current.key === questionKey && !input.result.final;
    const ceiling = Math.max(isSame ? held.current.ceiling : 0, ceilingOf(calendar));
    const isLog = color === "log" || (color === "auto" && isSkewed(calendar, ceiling));
    const look = { theme, isLog, ceiling, width: window.innerWidth };
    return { ceiling, grid: calendarGrid(calendar, look) };
  }, [calendar, input, questionKey, theme, color]);
  useEffect(() => {
    held.current = { key: questionKey, ceiling: drawn.ceiling };
  }, [questionKey, drawn]);

  const { grid, ceiling } = drawn;
  const colorOf = (at: number) => grid.palette[(grid.cells[at] ?? 0) - 1] ?? "transparent";
  const onPick = (box: CellBox, at: { readonly x: number; readonly y: number }): void => {
    const range = timesOfBox(calendar, box, input);
    if (range.toMs <= range.fromMs) return;
    const text = textOf(calendar, calendar.amounts, box, measure);
    onIntent({ kind: "pick", mark: { group: [], range, text, x: at.x, y: at.y } });
  };
  const top = formatMeasure(ceiling, measure.measure);
  const twoSided = isTwoSided(calendar);
  const [less, more] = input.compared ? [" less", " more"] : ["", ""];
  return (
    <div className={styles.split}>
      <RampLegend
        label={input.compared ? `Δ ${measure.label}` : measure.label}
        low={twoSided ? `−${top}${less}` : "0"}
        high={twoSided ? `+${top}${more}` : top}
        colors={twoSided ? grid.palette.slice(0, -1) : grid.palette}
        extra={
          input.compared
            ? { color: noChangeColor(theme), text: "within the error bars" }
            : undefined
        }
      />
      <div className={styles.chart}>
        <CellChart
          grid={grid}
          label={`Calendar of ${measure.label} by day and hour${input.compared ? ", difference to side B" : ""}`}
          themeName={themeName}
          describe={(box) => calendarTip({ calendar, input, measure, colorOf }, box)}
          onPick={(box, { x, y }) => onPick(box, { x, y })}
          span={boxOfTimes}
        />
      </div>
    </div>
  );
}
