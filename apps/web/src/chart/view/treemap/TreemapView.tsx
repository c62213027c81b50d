import { SunburstChart, TreemapChart } from "echarts/charts";
import { use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { useCallback, useMemo } from "react";
import { formatMeasureExact } from "../../../format/value.js";
import { useEchart } from "../../kit/echart/useEchart.js";
import { Legend } from "../../kit/legend/Legend.js";
import { DifferenceLegend } from "../../kit/paint/ScaleLegend.js";
import { createShades } from "../../kit/paint/shade.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import { clickPlace, tooltipOption } from "../../kit/pointer/chartMark.js";
import { renderTooltip } from "../../kit/pointer/tooltip.js";
import split from "../../kit/props/split.module.css";
import { useGroups } from "../../kit/props/useGroups.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { buildTreeOption, nodeOf, nodeTooltip, type TreeDrawing } from "./build.js";
import { treeDrawing, treeNotes } from "./drawing.js";

use([TreemapChart, SunburstChart, LabelLayout]);

/** The whole as areas within areas, all groups as a table below. */
export function TreemapView(props: ViewProps) {
  const { input, onIntent } = props;
  const { compared } = input;
  const totals = useGroups(props);
  const drawing = useDrawing(props);
  const draw = useCallback(
    (width: number, height: number) => {
      if (drawing === null) return null;
      const tooltip = tooltipOption((params) => {
        const node = nodeOf(params);
        return node && renderTooltip(nodeTooltip(node, drawing));
      });
      return { ...buildTreeOption(drawing, width * height), tooltip };
    },
    [drawing],
  );
  const onClick = useCallback(
    (params: unknown) => {
      const [node, place] = [nodeOf(params), clickPlace(params)];
      if (node === null || place === null || drawing === null) return;
      const text = formatMeasureExact(node.now, drawing.measure.measure);
      const rest = node.group.length === 0 ? { filters: [], label: node.label } : {};
      onIntent({ kind: "pick", mark: { group: node.group, ...rest, text, ...place } });
    },
    [drawing, onIntent],
  );
  const { hostRef } = useEchart({ draw, onClick });
  const shades = useMemo(() => drawing && createShades(drawing.theme), [drawing]);
  const shape = drawing?.sunburst === true ? "Sunburst" : "Treemap";
  const negative = drawing?.tree.negativeCount ?? 0;
  return (
    <div className={split.split}>
      {(compared || negative > 0) && (
        <div className={split.tools}>
          {negative > 0 && <span>{treeNotes(negative)}</span>}
          {compared && shades !== null && <DifferenceLegend shades={shades} gone />}
        </div>
      )}
      <div className={split.chart}>
        <div
          ref={hostRef}
          style={{ height: "100%" }}
          data-testid="chart"
          data-areas={drawing?.tree.roots.length ?? 0}
          role="img"
          aria-label={`${shape} of ${drawing?.measure.label} by ${input.groupColumns.join(", then ")}. The table below has all groups.`}
        />
      </div>
      <Legend totals={totals} input={input} onIntent={onIntent} />
    </div>
  );
}

function useDrawing(props: ViewProps): TreeDrawing | null {
  const { input, query, extras, options, colors, themeName } = props;
  const theme = useChartTheme(themeName);
  return useMemo(
    () => treeDrawing({ input, query, extras, options, colors }, theme),
    [input, query, extras, options, colors, theme],
  );
}
