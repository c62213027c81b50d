import { useMemo } from "react";
import type { ChartMeasure } from "../../kit/answer/series.js";
import { AmountLegend, DifferenceLegend } from "../../kit/paint/ScaleLegend.js";
import { createShades } from "../../kit/paint/shade.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import split from "../../kit/props/split.module.css";
import { useHeldOrder } from "../../kit/props/useHeldOrder.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { buildPivot, type Pivot, pivotNotes, scaleOf } from "./buildPivot.js";
import { PivotGrid } from "./PivotGrid.js";

/** Two columns crossed. */
export function PivotView(props: ViewProps) {
  const { input, onIntent } = props;
  const [measure] = input.measures;
  return measure === undefined ? null : (
    <MeasuredPivot {...props} measure={measure} onIntent={onIntent} />
  );
}

function MeasuredPivot(props: ViewProps & { readonly measure: ChartMeasure }) {
  const { input, extras, measure, themeName, onIntent } = props;
  const { compared, groupColumns, result } = input;
  const pivot = useHeldPivot(props);
  const theme = useChartTheme(themeName);
  const shades = useMemo(() => createShades(theme), [theme]);
  const scale = useMemo(() => scaleOf(pivot, measure), [pivot, measure]);
  const notes = pivotNotes(result, extras);
  return (
    <div className={split.split}>
      <div className={split.tools}>
        {compared ? (
          <DifferenceLegend shades={shades} />
        ) : (
          <AmountLegend shades={shades} scale={scale} measure={measure} />
        )}
        <span>{notes.join(" · ")}</span>
      </div>
      <div className={split.chart} data-testid="chart">
        <PivotGrid
          pivot={pivot}
          names={groupColumns}
          measure={measure}
          compared={compared}
          shades={shades}
          scale={scale}
          onPick={(heads, text, x, y) => {
            const group = heads.map(({ cell }) => cell);
            onIntent({ kind: "pick", mark: { group, text, x, y } });
          }}
        />
      </div>
    </div>
  );
}

/** Rows and columns keep their places while parts of the answer arrive. */
function useHeldPivot(props: ViewProps & { readonly measure: ChartMeasure }): Pivot {
  const { input, extras, measure, questionKey } = props;
  const built = useMemo(() => buildPivot(input, measure, extras), [input, measure, extras]);
  const { final } = input.result;
  const rows = useHeldOrder(built.rows, { key: questionKey, final });
  const columns = useHeldOrder(built.columns, { key: questionKey, final });
  return useMemo(() => ({ ...built, rows, columns }), [built, rows, columns]);
}
