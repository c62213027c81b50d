import { useEffect, useMemo, useRef } from "react";
import { shortenName } from "../../../format/name.js";
import { formatCompact, formatExact } from "../../../format/number.js";
import { CellChart } from "../../kit/cells/CellChart.js";
import { LevelLegend, RampLegend } from "../../kit/paint/RampLegend.js";
import { noChangeColor } from "../../kit/paint/shade.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import styles from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import {
  boxContent,
  buildScatter,
  dotsOf,
  scatterCeiling,
  scatterGrid,
  scatterTip,
} from "./build.js";

/** Two numbers of each row against each other: cells by count, single rows where there are few. */
export function ScatterView(props: ViewProps) {
  const { input, query, extras, colors, themeName, questionKey, onIntent } = props;
  const theme = useChartTheme(themeName);
  const scatter = useMemo(() => buildScatter(input, query), [input, query]);
  const held = useRef({ key: "", ceiling: 0 });
  const drawn = useMemo(() => {
    if (scatter === null) return null;
    const hues = colors.huesOf(scatter.groups.map(({ key }) => key));
    const hueOf = new Map(scatter.groups.map(({ key }, g) => [key, hues[g] ?? 0]));
    const colorOf = (key: string): string => {
      const hue = hueOf.get(key);
      if (scatter.groups.length < 2) return theme.accent;
      return hue === undefined ? theme.quiet : (theme.series[hue] ?? theme.accent);
    };
    // Side B has no rows here: a comparison is drawn as cells.
    const { rows } = extras;
    const dots = rows === undefined || input.compared ? [] : dotsOf(rows, scatter, colorOf);
    const before =
      held.current.key === questionKey && !input.result.final ? held.current.ceiling : 0;
    const ceiling = Math.max(before, scatterCeiling(scatter));
    const look = { theme, hues, dots, ceiling, width: window.innerWidth };
    return { ceiling, colorOf, grid: scatterGrid(scatter, look), dots };
  }, [scatter, colors, theme, extras, input, questionKey]);
  useEffect(() => {
    held.current = { key: questionKey, ceiling: drawn?.ceiling ?? 0 };
  }, [questionKey, drawn]);
  if (scatter === null || drawn === null) return <div className={styles.loading} />;

  const { grid, ceiling, colorOf, dots } = drawn;
  const top = formatCompact(ceiling);
  const note = (
    <>
      {scatter.missing > 0 && (
        <span>· {formatCompact(scatter.missing)} rows lack one of the two</span>
      )}
      {dots.length > 0 && <span>· each dot is a row</span>}
    </>
  );
  const isGrouped = scatter.groups.length > 1 && !input.compared;
  return (
    <div className={styles.split}>
      {isGrouped ? (
        <LevelLegend
          label={dots.length > 0 ? "rows of" : "mostly"}
          levels={scatter.groups.map(({ key, label }) => ({
            color: colorOf(key),
            text: shortenName(label, 28),
          }))}
        >
          {note}
        </LevelLegend>
      ) : (
        <RampLegend
          label={input.compared ? "Δ count" : "count"}
          low={input.compared ? `−${top} less` : "0"}
          high={input.compared ? `+${top} more` : top}
          colors={input.compared ? grid.palette.slice(0, -1) : grid.palette}
          aside={
            input.compared
              ? { color: noChangeColor(theme), text: "within the error bars" }
              : undefined
          }
        >
          {note}
        </RampLegend>
      )}
      <div className={styles.chart}>
        <CellChart
          grid={grid}
          label={`Scatter of ${scatter.up.column} by ${scatter.across.column}${input.compared ? `, difference to ${scatter.baseName}` : ""}`}
          themeName={themeName}
          describe={(box) =>
            scatterTip(
              scatter,
              box,
              (at) => grid.palette[(grid.cells[at] ?? 0) - 1] ?? "transparent",
            )
          }
          onPick={(box, { x, y }) => {
            const { count, label, filters } = boxContent(scatter, box);
            const text = formatExact(count);
            onIntent({ kind: "pick", mark: { group: [], filters, label, text, x, y } });
          }}
        />
      </div>
    </div>
  );
}
