import { SankeyChart } from "echarts/charts";
import { use } from "echarts/core";
import { useCallback, useMemo } from "react";
import { shortenName } from "../../../format/name.js";
import { formatMeasureExact } from "../../../format/value.js";
import type { OnIntent } from "../../kit/answer/intent.js";
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
import {
  buildFlowOption,
  type FlowDrawing,
  flowTooltip,
  labelOfFlow,
  stagesIn,
  touchedFlow,
} from "./build.js";
import { flowDrawing, flowNotes } from "./drawing.js";
import styles from "./SankeyView.module.css";

use([SankeyChart]);

/** Flows from stage to stage; the table below has every one. */
export function SankeyView(props: ViewProps) {
  const { input, onIntent } = props;
  const { compared, groupColumns } = input;
  const totals = useGroups(props);
  const drawing = useDrawing(props);
  const { hostRef, width } = useFlowChart(drawing, onIntent);
  return (
    <div className={split.split}>
      <FlowTools drawing={drawing} compared={compared} />
      <div className={split.chart}>
        <div className={styles.box}>
          <div
            ref={hostRef}
            className={styles.flow}
            data-testid="chart"
            data-nodes={drawing?.flow.nodes.length ?? 0}
            role="img"
            aria-label={`Flow of ${drawing?.measure.label} through ${groupColumns.join(", then ")}. The table below has every way.`}
          />
          <StageNames names={groupColumns} widthPx={width} />
        </div>
      </div>
      <Legend totals={totals} input={input} onIntent={onIntent} />
    </div>
  );
}

/** Draws the flow into the element of `hostRef`; a click opens the menu of a node or a link. */
function useFlowChart(drawing: FlowDrawing | null, onIntent: OnIntent) {
  const draw = useCallback(
    (width: number, height: number) => {
      if (drawing === null) return null;
      const tooltip = tooltipOption((params) => {
        const touched = touchedFlow(params, drawing.flow);
        return touched && renderTooltip(flowTooltip(touched, drawing));
      });
      return { ...buildFlowOption(drawing, width, height), tooltip };
    },
    [drawing],
  );
  const onClick = useCallback(
    (params: unknown) => {
      const place = clickPlace(params);
      const touched = drawing && touchedFlow(params, drawing.flow);
      if (place === null || drawing === null || touched === null) return;
      const ends = "from" in touched ? [touched.from, touched.to] : [touched];
      const group = ends.flatMap(({ cell }) => cell ?? []);
      const text = formatMeasureExact(touched.now, drawing.measure.measure);
      // The others of a stage are all values that are not shown: no filter selects them.
      const rest = group.length < ends.length ? { filters: [], label: labelOfFlow(touched) } : {};
      onIntent({ kind: "pick", mark: { group, ...rest, text, ...place } });
    },
    [drawing, onIntent],
  );
  return useEchart({ draw, onClick });
}

interface FlowToolsProps {
  readonly drawing: FlowDrawing | null;
  readonly compared: boolean;
}

/** The legend of a comparison, and the number of flows that cannot be drawn. */
function FlowTools({ drawing, compared }: FlowToolsProps) {
  const shades = useMemo(() => drawing && createShades(drawing.theme), [drawing]);
  const negative = drawing?.flow.negativeCount ?? 0;
  if (!compared && negative === 0) return null;
  return (
    <div className={split.tools}>
      {negative > 0 && <span>{flowNotes(negative)}</span>}
      {compared && shades !== null && <DifferenceLegend shades={shades} gone />}
    </div>
  );
}

interface StageNamesProps {
  readonly names: readonly string[];
  readonly widthPx: number;
}

/** Above each stage the column that it shows. */
function StageNames({ names, widthPx }: StageNamesProps) {
  const { leftPx, stepPx } = stagesIn(widthPx, names.length);
  return names.map((name, stage) => (
    <span
      key={name}
      className={styles.stage}
      title={name}
      style={{ left: leftPx + stage * stepPx, maxWidth: Math.max(40, stepPx - 8) }}
    >
      {shortenName(name, 40)}
    </span>
  ));
}

function useDrawing(props: ViewProps): FlowDrawing | null {
  const { input, query, extras, options, colors, themeName } = props;
  const theme = useChartTheme(themeName);
  return useMemo(
    () => flowDrawing({ input, query, extras, options, colors }, theme),
    [input, query, extras, options, colors, theme],
  );
}
