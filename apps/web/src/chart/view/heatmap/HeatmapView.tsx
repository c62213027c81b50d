import { useEffect, useMemo, useRef } from "react";
import { formatCompact } from "../../../format/number.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { countMeasure } from "../../kit/answer/series.js";
import { ceilingOf, isSkewed, isTwoSided } from "../../kit/cells/amountCells.js";
import { filtersOfBins } from "../../kit/cells/binColumn.js";
import { CellChart } from "../../kit/cells/CellChart.js";
import type { CellBox } from "../../kit/cells/cellPlot.js";
import { RampLegend } from "../../kit/paint/RampLegend.js";
import { noChangeColor } from "../../kit/paint/shade.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import styles from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { areaOf, buildHeat, heatGrid, heatTip } from "./build.js";

/** Amounts by time and value. */
export function HeatmapView(props: ViewProps) {
  const { input, query, options, themeName, questionKey, onIntent } = props;
  const measure = input.measures.find((one) => one.additive) ?? countMeasure;
  const theme = useChartTheme(themeName);
  const heat = useMemo(() => buildHeat(input, query, measure), [input, query, measure]);
  const held = useRef({ key: "", ceiling: 0 });
  const { color } = options;
  const drawn = useMemo(() => {
    if (heat === null) return null;
    const before =
      held.current.key === questionKey && !input.result.final ? held.current.ceiling : 0;
    const ceiling = Math.max(before, ceilingOf(heat));
    const { timeZone } = input;
    const isLog = color === "log" || (color === "auto" && isSkewed(heat, ceiling));
    const name = heat.scale.column;
    const look = { theme, timeZone, isLog, ceiling, name, width: window.innerWidth };
    return { ceiling, grid: heatGrid(heat, look) };
  }, [heat, input, questionKey, theme, color]);
  useEffect(() => {
    held.current = { key: questionKey, ceiling: drawn?.ceiling ?? 0 };
  }, [questionKey, drawn]);
  if (heat === null || drawn === null) return <div className={styles.loading} />;

  const { grid, ceiling } = drawn;
  const colorOf = (at: number) => grid.palette[(grid.cells[at] ?? 0) - 1] ?? "transparent";
  const onPick = (box: CellBox, at: { readonly x: number; readonly y: number }): void => {
    const { amount, label, bins, range } = areaOf(heat, box, input);
    const text = formatMeasureExact(amount, measure.measure);
    const filters = filtersOfBins(heat.scale, bins.from, bins.to);
    onIntent({ kind: "pick", mark: { group: [], filters, range, label, text, ...at } });
  };
  const top = formatMeasure(ceiling, measure.measure);
  const twoSided = isTwoSided(heat);
  const [less, more] = input.compared ? [" less", " more"] : ["", ""];
  const ramp = twoSided ? grid.palette.slice(0, -1) : grid.palette;
  const shown = `${measure.label} by time and ${heat.scale.column}`;
  return (
    <div className={styles.split}>
      <RampLegend
        label={input.compared ? `Δ ${measure.label}` : measure.label}
        low={twoSided ? `−${top}${less}` : "0"}
        high={twoSided ? `+${top}${more}` : top}
        colors={ramp}
        aside={
          input.compared
            ? { color: noChangeColor(theme), text: "within the error bars" }
            : undefined
        }
      >
        {heat.missing > 0 && (
          <span>
            · {formatCompact(heat.missing)} without {heat.scale.column}
          </span>
        )}
      </RampLegend>
      <div className={styles.chart}>
        <CellChart
          grid={grid}
          label={`Heatmap of ${shown}${input.compared ? ", difference to side B" : ""}`}
          themeName={themeName}
          describe={(box) => heatTip(heat, box, { input, measure, colorOf })}
          onPick={(box, { x, y }) => onPick(box, { x, y })}
        />
      </div>
    </div>
  );
}
