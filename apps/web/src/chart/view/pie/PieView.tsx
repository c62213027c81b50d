import { PieChart } from "echarts/charts";
import { use } from "echarts/core";
import { useCallback, useMemo } from "react";
import { formatChange } from "../../../format/change.js";
import { formatBounded } from "../../../format/errorBar.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { baseNameOf } from "../../kit/answer/series.js";
import { changeOf, type GroupTotal } from "../../kit/answer/totals.js";
import { useEchart } from "../../kit/echart/useEchart.js";
import { Legend } from "../../kit/legend/Legend.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import { clickPlace, tooltipOption } from "../../kit/pointer/chartMark.js";
import { renderTooltip } from "../../kit/pointer/tooltip.js";
import split from "../../kit/props/split.module.css";
import { useGroups } from "../../kit/props/useGroups.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { buildPieOption, ringOfTotals, type Slice, sliceTooltip } from "./build.js";
import styles from "./PieView.module.css";

use([PieChart]);

/** Shares of a whole as a ring, the whole in its middle, the numbers below. */
export function PieView(props: ViewProps) {
  const { input, colors, onIntent } = props;
  const { compared, measures } = input;
  const [measure] = measures;
  const totals = useGroups(props);
  const hues = useMemo(() => colors.huesOf(totals.map((total) => total.key)), [colors, totals]);
  const ring = useRing(props, totals, hues);
  const hostRef = useRingChart(props, ring);
  const { slices, whole, notes } = ring;
  return (
    <div className={split.split}>
      <div className={split.chart}>
        <div className={styles.box}>
          <div
            ref={hostRef}
            className={styles.ring}
            data-testid="chart"
            data-slices={slices.length}
            role="img"
            aria-label={`Donut of ${measure?.label} by ${input.groupColumns.join(", ")}: ${slices.length} slices. The table below has their numbers.`}
          />
          {whole !== null && (
            <div className={styles.middle}>
              <strong data-testid="whole">
                {formatBounded(whole.now, measure?.measure ?? {}, formatMeasure)}
              </strong>
              <span>{measure?.label}</span>
              {compared && <span>{formatChange(changeOf(whole.now, whole.was))}</span>}
            </div>
          )}
        </div>
      </div>
      {notes !== "" && (
        <p className={split.note} data-testid="ring-notes">
          {notes}
        </p>
      )}
      {compared && <p className={split.note}>The inner ring is {baseNameOf(measure)}.</p>}
      <Legend totals={totals} input={input} hues={hues} onIntent={onIntent} />
    </div>
  );
}

function useRing(
  { input, query, extras, themeName }: ViewProps,
  totals: readonly GroupTotal[],
  hues: readonly number[],
) {
  const theme = useChartTheme(themeName);
  return useMemo(
    () => ringOfTotals({ input, query, extras }, { totals, hues, theme }),
    [input, query, extras, totals, hues, theme],
  );
}

/** Draws the ring into the element of the returned ref. */
function useRingChart({ input, onIntent }: ViewProps, ring: ReturnType<typeof useRing>) {
  const { compared, measures } = input;
  const [measure] = measures;
  const draw = useCallback(
    (width: number, height: number) => {
      if (measure === undefined) return null;
      const { slices, wholeOfShares, theme } = ring;
      const drawing = { slices, whole: wholeOfShares, compared, theme, width, height };
      const tooltip = tooltipOption((params) => {
        const slice = slices[indexOf(params)];
        return slice && renderTooltip(sliceTooltip(slice, measure, drawing));
      });
      return { ...buildPieOption(drawing), tooltip };
    },
    [ring, compared, measure],
  );
  const onClick = useCallback(
    (params: unknown) => {
      const [slice, place] = [ring.slices[indexOf(params)], clickPlace(params)];
      if (slice === undefined || place === null || measure === undefined) return;
      const text = formatMeasureExact(slice.now, measure.measure);
      onIntent({ kind: "pick", mark: { ...markOf(slice), text, ...place } });
    },
    [ring, measure, onIntent],
  );
  return useEchart({ draw, onClick }).hostRef;
}

const indexOf = (params: unknown): number => (params as { dataIndex?: number }).dataIndex ?? -1;

const markOf = ({ total, label }: Slice) =>
  total === null ? { group: [], filters: [], label } : { group: total.group };
