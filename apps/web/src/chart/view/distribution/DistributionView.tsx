import { LineChart } from "echarts/charts";
import { MarkLineComponent } from "echarts/components";
import { use } from "echarts/core";
import { useEffect, useMemo, useRef } from "react";
import { formatCompact, formatExact } from "../../../format/number.js";
import { baseNameOf } from "../../kit/answer/series.js";
import { totalsOfResult } from "../../kit/answer/totals.js";
import { filtersOfBins } from "../../kit/cells/binColumn.js";
import { CellPane } from "../../kit/cells/CellPane.js";
import type { CellBox } from "../../kit/cells/cellPlot.js";
import { useChart } from "../../kit/echart/useChart.js";
import { Legend } from "../../kit/legend/Legend.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import styles from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { buildDistribution, type Distribution, marksOf, type ShapeKind } from "./build.js";
import { amountIn, labelOfBins, shapeNear, shapeTip } from "./interact.js";
import { measuresOf } from "./measures.js";
import { buildShapeOption, type ShapeDrawing, shapePlot } from "./option.js";

use([LineChart, MarkLineComponent]);

/** How the values of a column are spread, per group, and the groups' percentiles. */
export function DistributionView(props: ViewProps) {
  const { input, query, extras, options, colors, rank } = props;
  const distribution = useMemo(() => buildDistribution(input, query), [input, query]);
  const hues = useMemo(
    () => colors.huesOf((distribution?.shapes ?? []).map(({ key }) => key)),
    [colors, distribution],
  );
  const measures = useMemo(() => measuresOf(props), [props]);
  if (distribution === null) return <div className={styles.loading} />;
  const { marks } = extras;
  const { groupColumns } = distribution;
  const totals = marks === undefined ? [] : totalsOfResult(marks, { groupColumns, measures });
  const hueOf = new Map(distribution.shapes.map(({ key }, s) => [key, hues[s] ?? 0]));
  // Both count the same ones, where the answer has them all.
  const hidden = Math.max(distribution.hidden, marks?.truncated?.groups ?? 0);
  const kind = (options.shape ?? "count") as ShapeKind;
  return (
    <div className={styles.split}>
      <div className={styles.chart}>
        <ShapeChart {...props} distribution={distribution} hues={hues} kind={kind} />
      </div>
      {(hidden > 0 || distribution.missing > 0) && (
        <p className={styles.note}>
          {hidden > 0 && `The ${totals.length} largest of ${totals.length + hidden} groups. `}
          {distribution.missing > 0 &&
            `${formatCompact(distribution.missing)} rows have no ${distribution.scale.column}.`}
        </p>
      )}
      <Legend
        totals={totals}
        input={{ groupColumns, measures, compared: input.compared }}
        ranked={rank}
        hues={totals.map(({ key }) => hueOf.get(key) ?? 0)}
        onIntent={props.onIntent}
        onPoint={() => {}}
      />
    </div>
  );
}

interface ShapeChartProps extends ViewProps {
  readonly distribution: Distribution;
  readonly hues: readonly number[];
  readonly kind: ShapeKind;
}

function ShapeChart(props: ShapeChartProps) {
  const { input, extras, distribution, hues, kind, themeName, questionKey, onIntent } = props;
  const { hostRef, chart, width, height } = useChart();
  const baseName = baseNameOf(input.measures[0]);
  const held = useRef<{ key: string; ceiling: number }>({ key: "", ceiling: 0 });
  const theme = useChartTheme(themeName);
  const heldKey = `${questionKey} ${kind}`;
  const drawing = useMemo<ShapeDrawing | null>(() => {
    if (width === 0) return null;
    const ceiling = held.current.key === heldKey ? held.current.ceiling : null;
    const marks = marksOf(extras.marks, distribution.groupColumns);
    const streaming = !input.result.final;
    return { distribution, marks, kind, hues, theme, width, height, ceiling, streaming };
  }, [distribution, extras.marks, input, kind, hues, theme, width, height, heldKey]);
  const built = useMemo(() => (drawing === null ? null : buildShapeOption(drawing)), [drawing]);
  const plot = useMemo(() => (drawing === null ? null : shapePlot(drawing)), [drawing]);

  useEffect(() => {
    if (chart === null || built === null) return;
    held.current = { key: heldKey, ceiling: built.ceiling };
    chart.setOption(built.option, { notMerge: true });
  }, [chart, built, heldKey]);

  const onPick = (box: CellBox, at: { x: number; y: number; plotY: number }): void => {
    if (plot === null || built === null) return;
    const near =
      box.fromColumn === box.toColumn
        ? shapeNear(distribution, plot, {
            bin: box.fromColumn,
            y: at.plotY,
            kind,
            ceiling: built.ceiling,
          })
        : null;
    const counted = near === null ? distribution.shapes : [near];
    const amount = counted.reduce((sum, shape) => sum + amountIn(shape.amounts, box), 0);
    const name = near === null || near.group.length === 0 ? "" : `${near.label}, `;
    onIntent({
      kind: "pick",
      mark: {
        group: near?.group ?? [],
        also: filtersOfBins(distribution.scale, box.fromColumn, box.toColumn),
        label: `${name}${labelOfBins(distribution, box)}`,
        text: formatExact(amount),
        x: at.x,
        y: at.y,
      },
    });
  };
  const names = distribution.shapes.map(({ label }) => label).join(", ");
  return (
    <CellPane
      hostRef={hostRef}
      plot={plot}
      label={`Distribution of ${distribution.scale.column}: ${names}`}
      describe={(box) => shapeTip(distribution, box, { theme, hues, baseName })}
      onPick={onPick}
    />
  );
}
