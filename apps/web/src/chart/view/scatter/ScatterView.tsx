import { type ReactNode, useMemo } from "react";
import { shortenName } from "../../../format/name.js";
import { formatCompact, formatExact } from "../../../format/number.js";
import { CellChart } from "../../kit/cells/CellChart.js";
import { useHeldCeiling } from "../../kit/cells/useHeldCeiling.js";
import { LevelLegend, RampLegend } from "../../kit/paint/RampLegend.js";
import { noChangeColor } from "../../kit/paint/shade.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import styles from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { boxContent, buildScatter, type Scatter, scatterCeiling, scatterTip } from "./build.js";
import { drawnScatter } from "./drawing.js";

/** Two numbers of each row against each other: cells by count, or single rows where they are few. */
export function ScatterView(props: ViewProps) {
  const { input, query, questionKey } = props;
  const scatter = useMemo(() => buildScatter(input, query), [input, query]);
  const own = useMemo(() => (scatter === null ? null : scatterCeiling(scatter)), [scatter]);
  const ceiling = useHeldCeiling(own, { questionKey, final: input.result.final });
  return scatter === null ? (
    <div className={styles.loading} />
  ) : (
    <DrawnScatter {...props} scatter={scatter} ceiling={ceiling} />
  );
}

interface DrawnScatterProps extends ViewProps {
  readonly scatter: Scatter;
  /** The count with the strongest colour. */
  readonly ceiling: number;
}

function DrawnScatter(props: DrawnScatterProps) {
  const { input, themeName, onIntent, scatter } = props;
  const { grid, colorOf, dotCount } = useDrawing(props);
  const cellColor = (at: number) => grid.palette[(grid.cells[at] ?? 0) - 1] ?? "transparent";
  const isGrouped = scatter.groups.length > 1 && !input.compared;
  const notes = <Notes missing={scatter.missing} dotCount={dotCount} />;
  return (
    <div className={styles.split}>
      {isGrouped ? (
        <LevelLegend
          label={dotCount > 0 ? "rows of" : "mostly"}
          levels={scatter.groups.map(({ key, label }) => ({
            color: colorOf(key),
            text: shortenName(label, 28),
          }))}
        >
          {notes}
        </LevelLegend>
      ) : (
        <CountLegend {...props} palette={grid.palette}>
          {notes}
        </CountLegend>
      )}
      <div className={styles.chart}>
        <CellChart
          grid={grid}
          label={`Scatter of ${scatter.up.column} by ${scatter.across.column}${input.compared ? `, difference to ${scatter.baseName}` : ""}`}
          themeName={themeName}
          describe={(box) => scatterTip(scatter, box, cellColor)}
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

function useDrawing({ input, extras, colors, themeName, scatter, ceiling }: DrawnScatterProps) {
  const theme = useChartTheme(themeName);
  return useMemo(
    () =>
      drawnScatter({ input, extras, colors, scatter, ceiling, theme, width: window.innerWidth }),
    [input, extras, colors, scatter, ceiling, theme],
  );
}

function Notes({ missing, dotCount }: { readonly missing: number; readonly dotCount: number }) {
  return (
    <>
      {missing > 0 && <span>· {formatCompact(missing)} rows lack one of the two</span>}
      {dotCount > 0 && <span>· each dot is a row</span>}
    </>
  );
}

interface CountLegendProps extends DrawnScatterProps {
  readonly palette: readonly string[];
  readonly children: ReactNode;
}

function CountLegend({ input, themeName, ceiling, palette, children }: CountLegendProps) {
  const theme = useChartTheme(themeName);
  const top = formatCompact(ceiling);
  if (!input.compared) {
    return (
      <RampLegend label="count" low="0" high={top} colors={palette}>
        {children}
      </RampLegend>
    );
  }
  return (
    <RampLegend
      label="Δ count"
      low={`−${top} less`}
      high={`+${top} more`}
      colors={palette.slice(0, -1)}
      extra={{ color: noChangeColor(theme), text: "within the error bars" }}
    >
      {children}
    </RampLegend>
  );
}
