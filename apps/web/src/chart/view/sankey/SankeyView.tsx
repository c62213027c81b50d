import { SankeyChart } from "echarts/charts";
import { use } from "echarts/core";
import { useCallback, useMemo } from "react";
import { shortenName } from "../../../format/name.js";
import { formatMeasureExact } from "../../../format/value.js";
import { overlappingColumns } from "../../kit/answer/overlap.js";
import { keyOfGroup } from "../../kit/answer/series.js";
import { wholeOf } from "../../kit/answer/whole.js";
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
  flowMargin,
  flowTooltip,
  labelOfFlow,
  nodeWidthPx,
  rightMargin,
  touchedFlow,
} from "./build.js";
import { buildFlow } from "./buildFlow.js";
import styles from "./SankeyView.module.css";

use([SankeyChart]);

/** What goes where, stage by stage; every way as a table below. */
export function SankeyView(props: ViewProps) {
  const { input, onIntent } = props;
  const { compared, groupColumns } = input;
  const totals = useGroups(props);
  const drawing = useDrawing(props);
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
      // The others of a stage are whatever is not shown: no filter says that.
      const rest = group.length < ends.length ? { filters: [], label: labelOfFlow(touched) } : {};
      onIntent({ kind: "pick", mark: { group, ...rest, text, ...place } });
    },
    [drawing, onIntent],
  );
  const { hostRef, width } = useEchart({ draw, onClick });
  const shades = useMemo(() => drawing && createShades(drawing.theme), [drawing]);
  const negative = drawing?.flow.negativeCount ?? 0;
  return (
    <div className={split.split}>
      {(compared || negative > 0) && (
        <div className={split.tools}>
          {negative > 0 && (
            <span>
              {negative === 1
                ? "1 way below 0 has no width; the table has it."
                : `${negative} ways below 0 have no width; the table has them.`}
            </span>
          )}
          {compared && shades !== null && <DifferenceLegend shades={shades} gone />}
        </div>
      )}
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

interface StageNamesProps {
  readonly names: readonly string[];
  readonly widthPx: number;
}

/** Above each stage the column that it shows. */
function StageNames({ names, widthPx }: StageNamesProps) {
  const right = rightMargin(widthPx);
  const room = Math.max(0, widthPx - flowMargin.left - right - nodeWidthPx);
  const stepPx = room / Math.max(1, names.length - 1);
  return names.map((name, stage) => (
    <span
      key={name}
      className={styles.stage}
      title={name}
      style={{ left: flowMargin.left + stage * stepPx, maxWidth: Math.max(40, stepPx - 8) }}
    >
      {shortenName(name, 40)}
    </span>
  ));
}

function useDrawing(props: ViewProps): FlowDrawing | null {
  const { input, query, extras, options, colors, themeName } = props;
  const [measure] = input.measures;
  const { total } = extras;
  const theme = useChartTheme(themeName);
  return useMemo(() => {
    if (measure === undefined) return null;
    const whole = wholeOf(total, measure, input.result);
    const flow = buildFlow(input, measure, {
      perStage: Number(options.stage),
      whole,
      overlapping: overlappingColumns(query),
    });
    // By the value alone, as every other view colours it.
    const cells = flow.nodes.filter(({ cell }) => cell !== null);
    const hues = colors.huesOf(cells.map(({ cell }) => keyOfGroup(cell === null ? [] : [cell])));
    const hueById = new Map(cells.map(({ id }, i) => [id, hues[i] ?? 0]));
    return {
      flow,
      measure,
      compared: input.compared,
      hueOf: ({ id }) => hueById.get(id) ?? 0,
      theme,
    };
  }, [input, query, measure, total, colors, theme, options.stage]);
}
