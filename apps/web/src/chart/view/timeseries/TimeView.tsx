import { useMemo, useState } from "react";
import { buildSeries, isCut, type SeriesSet } from "../../kit/answer/series.js";
import { type GroupTotal, totalsOfSeries } from "../../kit/answer/totals.js";
import { rankSeries } from "../../kit/groups/sortTotals.js";
import { Legend } from "../../kit/legend/Legend.js";
import { otherHue } from "../../kit/paint/color.js";
import styles from "../../kit/props/split.module.css";
import { useHeldOrder } from "../../kit/props/useHeldOrder.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { SeriesKey } from "../../kit/time/SeriesKey.js";
import { TimeChart } from "../../kit/time/TimeChart.js";
import { useChosenLines } from "../../kit/time/useChosenLines.js";
import { otherSeries } from "./otherSeries.js";
import { isWholeOf, shareMeasure, sharesOfWhole } from "./shareOfWhole.js";

export const TimeSeriesView = (props: ViewProps) => <OverTime {...props} stacked={false} />;

export const StackedAreaView = (props: ViewProps) => <OverTime {...props} stacked />;

const cutWords =
  "The last points did not fit the answer: totals are of those that came (≥, ≤), or left out.";

/** Lines or a stack over time, and a legend with their totals. */
function OverTime(props: ViewProps & { readonly stacked: boolean }) {
  const { input, query, extras, rank, colors, themeName, questionKey, onIntent, stacked } = props;
  const { totals, whole: all } = extras;
  const isShare = stacked && props.options.stack === "share";
  const [pointedKey, setPointedKey] = useState<string | null>(null);
  const whole = useMemo<SeriesSet>(() => buildSeries(input), [input]);
  const ranked = useMemo(
    () => rankSeries(whole, input, totals, rank),
    [whole, input, totals, rank],
  );
  const held = useHeldOrder(ranked, questionKey, input.result.final);
  const ordered = useMemo(() => inOrder(whole, held), [whole, held]);
  const other = useMemo(
    () => (stacked ? otherSeries(ordered, input, query, all) : null),
    [stacked, ordered, input, query, all],
  );
  const stack = useMemo(
    () => (other === null ? ordered : { ...ordered, series: [...ordered.series, other] }),
    [ordered, other],
  );
  // Until the whole has come there are no shares: nothing is drawn that would be taken for them.
  const set = useMemo(
    () =>
      !isShare
        ? stack
        : all === undefined
          ? { ...stack, series: [] }
          : sharesOfWhole(stack, input, all),
    [stack, isShare, all, input],
  );
  const isApart = isShare && all !== undefined && !isWholeOf(all, input);
  const drawn = useMemo(
    () => (isShare ? { ...input, measures: input.measures.map(shareMeasure) } : input),
    [isShare, input],
  );
  const hues = useMemo(() => {
    const own = colors.huesOf(held.map((total) => total.key));
    return other === null ? own : [...own, otherHue];
  }, [colors, held, other]);
  const listed = useMemo(
    () =>
      other === null
        ? held
        : [...held, ...totalsOfSeries({ ...whole, series: [other] }, input, [])],
    [held, other, whole, input],
  );
  const { chosen, shown, showAll } = useChosenLines(
    useMemo(() => ({ input: drawn, set, hues }), [drawn, set, hues]),
    props,
    stacked,
  );
  return (
    <div className={styles.split}>
      <div className={styles.chart}>
        <TimeChart
          chosen={chosen}
          shares={isShare}
          stacked={stacked}
          themeName={themeName}
          questionKey={questionKey}
          focusedKey={pointedKey}
          onIntent={onIntent}
        />
      </div>
      <SeriesKey chosen={chosen} stacked={stacked} onShowAll={showAll} />
      {isApart && all.final && input.result.final && (
        <p className={styles.note}>
          Other leaves told the whole than its parts: there are no shares until the same tell both.
        </p>
      )}
      {totals === undefined && isCut(input.result) && input.result.final && (
        <p className={styles.note} data-testid="cut-totals">
          {cutWords}
        </p>
      )}
      <Legend
        totals={listed}
        input={input}
        ranked={rank}
        hues={hues}
        shown={shown}
        onIntent={onIntent}
        onPoint={setPointedKey}
      />
    </div>
  );
}

function inOrder(set: SeriesSet, order: readonly GroupTotal[]): SeriesSet {
  const byKey = new Map(set.series.map((series) => [series.key, series]));
  return { timesMs: set.timesMs, series: order.flatMap(({ key }) => byKey.get(key) ?? []) };
}
