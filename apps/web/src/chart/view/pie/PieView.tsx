import { PieChart } from "echarts/charts";
import { use } from "echarts/core";
import { useCallback, useMemo } from "react";
import { formatChange } from "../../../format/change.js";
import { formatBounded } from "../../../format/errorBar.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { overlappingColumns } from "../../kit/answer/overlap.js";
import { baseNameOf } from "../../kit/answer/series.js";
import { changeOf } from "../../kit/answer/totals.js";
import { wholeOf } from "../../kit/answer/whole.js";
import { useEchart } from "../../kit/echart/useEchart.js";
import { Legend } from "../../kit/legend/Legend.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import { clickPlace, tooltipOption } from "../../kit/pointer/chartMark.js";
import { renderTooltip } from "../../kit/pointer/tooltip.js";
import split from "../../kit/props/split.module.css";
import { useGroups } from "../../kit/props/useGroups.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import {
  buildPieOption,
  ringNotes,
  type Slice,
  slicesOf,
  sliceTooltip,
  wholeOfSlices,
} from "./build.js";
import styles from "./PieView.module.css";

use([PieChart]);

/** Shares of a whole as a ring, the whole in its middle, the numbers below. */
export function PieView(props: ViewProps) {
  const { input, query, extras, colors, themeName, onIntent } = props;
  const { result, compared, measures } = input;
  const [measure] = measures;
  const totals = useGroups(props);
  const hues = useMemo(() => colors.huesOf(totals.map((total) => total.key)), [colors, totals]);
  const theme = useChartTheme(themeName);
  const { total } = extras;
  const whole = useMemo(
    () => (measure === undefined ? null : wholeOf(total, measure, result)),
    [total, measure, result],
  );
  const restCount = result.truncated?.groups ?? 0;
  const overlap = overlappingColumns(query).size > 0;
  const { slices, wholeOfShares, notes } = useMemo(() => {
    const pie = { totals, hues, whole, restCount, overlap, theme };
    const drawn = slicesOf(pie);
    return { slices: drawn, wholeOfShares: wholeOfSlices(drawn, pie), notes: ringNotes(pie) };
  }, [totals, hues, whole, restCount, overlap, theme]);
  const draw = useCallback(
    (width: number, height: number) => {
      if (measure === undefined) return null;
      const drawing = { slices, whole: wholeOfShares, compared, theme, width, height };
      const tooltip = tooltipOption((params) => {
        const slice = slices[indexOf(params)];
        return slice && renderTooltip(sliceTooltip(slice, measure, drawing));
      });
      return { ...buildPieOption(drawing), tooltip };
    },
    [slices, wholeOfShares, compared, theme, measure],
  );
  const onClick = useCallback(
    (params: unknown) => {
      const [slice, place] = [slices[indexOf(params)], clickPlace(params)];
      if (slice === undefined || place === null || measure === undefined) return;
      const text = formatMeasureExact(slice.now, measure.measure);
      onIntent({ kind: "pick", mark: { ...markOf(slice), text, ...place } });
    },
    [slices, measure, onIntent],
  );
  const { hostRef } = useEchart({ draw, onClick });
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

const indexOf = (params: unknown): number => (params as { dataIndex?: number }).dataIndex ?? -1;

const markOf = ({ total, label }: Slice) =>
  total === null ? { group: [], filters: [], label } : { group: total.group };
