import { useMemo } from "react";
import { formatCompact } from "../../../format/number.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { type ChartMeasure, countMeasure } from "../../kit/answer/series.js";
import { ceilingOf, isSkewed, isTwoSided } from "../../kit/cells/amountCells.js";
import { filtersOfBins } from "../../kit/cells/binColumn.js";
import { CellChart } from "../../kit/cells/CellChart.js";
import type { CellBox } from "../../kit/cells/cellPlot.js";
import { useHeldCeiling } from "../../kit/cells/useHeldCeiling.js";
import { RampLegend } from "../../kit/paint/RampLegend.js";
import { noChangeColor } from "../../kit/paint/shade.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import styles from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { areaOf, buildHeat, type Heat, heatGrid, heatTip } from "./build.js";

/** Amounts by time and value. */
export function HeatmapView(props: ViewProps) {
  const { input, query } = props;
  const measure = input.measures.find((one) => one.additive) ?? countMeasure;
  const heat = useMemo(() => buildHeat(input, query, measure), [input, query, measure]);
  const { questionKey } = props;
  const own = useMemo(() => (heat === null ? null : ceilingOf(heat)), [heat]);
  const ceiling = useHeldCeiling(own, { questionKey, final: input.result.final });
  return heat === null ? (
    <div className={styles.loading} />
  ) : (
    <DrawnHeat {...props} measure={measure} heat={heat} ceiling={ceiling} />
  );
}

interface DrawnHeatProps extends ViewProps {
  readonly measure: ChartMeasure;
  readonly heat: Heat;
  /** The amount with the strongest colour. */
  readonly ceiling: number;
}

function DrawnHeat(props: DrawnHeatProps) {
  const { input, options, themeName, onIntent, measure, heat, ceiling } = props;
  const theme = useChartTheme(themeName);
  const { color } = options;
  const { timeZone } = input;
  const grid = useMemo(() => {
    const isLog = color === "log" || (color === "auto" && isSkewed(heat, ceiling));
    const name = heat.scale.column;
    return heatGrid(heat, { theme, timeZone, isLog, ceiling, name, width: window.innerWidth });
  }, [heat, ceiling, timeZone, theme, color]);
  const colorOf = (at: number) => grid.palette[(grid.cells[at] ?? 0) - 1] ?? "transparent";
  const onPick = (box: CellBox, { x, y }: { readonly x: number; readonly y: number }): void => {
    const { amount, label, bins, range } = areaOf(heat, box, input);
    const text = formatMeasureExact(amount, measure.measure);
    const filters = filtersOfBins(heat.scale, bins.from, bins.to);
    onIntent({ kind: "pick", mark: { group: [], filters, range, label, text, x, y } });
  };
  const shown = `${measure.label} by time and ${heat.scale.column}`;
  return (
    <div className={styles.split}>
      <HeatLegend {...props} palette={grid.palette} theme={theme} />
      <div className={styles.chart}>
        <CellChart
          grid={grid}
          label={`Heatmap of ${shown}${input.compared ? ", difference to side B" : ""}`}
          themeName={themeName}
          describe={(box) => heatTip(heat, box, { input, measure, colorOf })}
          onPick={onPick}
        />
      </div>
    </div>
  );
}

interface HeatLegendProps extends DrawnHeatProps {
  readonly palette: readonly string[];
  readonly theme: ChartTheme;
}

function HeatLegend({ input, measure, heat, ceiling, palette, theme }: HeatLegendProps) {
  const top = formatMeasure(ceiling, measure.measure);
  const twoSided = isTwoSided(heat);
  const { compared } = input;
  const [less, more] = compared ? [" less", " more"] : ["", ""];
  return (
    <RampLegend
      label={compared ? `Δ ${measure.label}` : measure.label}
      low={twoSided ? `−${top}${less}` : "0"}
      high={twoSided ? `+${top}${more}` : top}
      colors={twoSided ? palette.slice(0, -1) : palette}
      extra={compared ? { color: noChangeColor(theme), text: "within the error bars" } : undefined}
    >
      {heat.missing > 0 && (
        <span>
          · {formatCompact(heat.missing)} without {heat.scale.column}
        </span>
      )}
    </RampLegend>
  );
}
