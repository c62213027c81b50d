import type { Result } from "@hadal/sdk";
import { useMemo, useState } from "react";
import { buildSeries, type ChartInput, isCut, type SeriesSet } from "../../kit/answer/series.js";
import { rankSeries } from "../../kit/groups/sortTotals.js";
import { Legend } from "../../kit/legend/Legend.js";
import styles from "../../kit/props/split.module.css";
import { useHeldOrder } from "../../kit/props/useHeldOrder.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { SeriesKey } from "../../kit/time/SeriesKey.js";
import { TimeChart } from "../../kit/time/TimeChart.js";
import { useChosenLines } from "../../kit/time/useChosenLines.js";
import { isWholeOf } from "./shareOfWhole.js";
import { sharesOf, stackOf } from "./stack.js";

export const TimeSeriesView = (props: ViewProps) => <OverTime {...props} stacked={false} />;

export const StackedAreaView = (props: ViewProps) => <OverTime {...props} stacked />;

type OverTimeProps = ViewProps & { readonly stacked: boolean };

const cutWords =
  "The last points did not fit the result: totals are of the points that arrived (≥, ≤), or left out.";

/** Lines or a stack over time, and a legend with their totals. */
function OverTime(props: OverTimeProps) {
  const { input, extras, rank, themeName, questionKey, onIntent, stacked } = props;
  const { totals, whole: all } = extras;
  const isShare = stacked && props.options.stack === "share";
  const [pointedKey, setPointedKey] = useState<string | null>(null);
  const { stack, hues, listed } = useStack(props);
  const plotted = useShares(stack, input, isShare ? { whole: all } : null);
  const isApart = isShare && all !== undefined && !isWholeOf(all, input);
  const { chosen, shown, showAll } = useChosenLines(
    useMemo(() => ({ ...plotted, hues }), [plotted, hues]),
    props,
    stacked ? "overlaid" : "chosen",
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
          The whole and its parts come from different leaves: shares appear once the same leaves
          answer both.
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

/** The series in a stable order, when stacked with the rest of the whole as the last one. */
function useStack({ input, query, extras, rank, colors, questionKey, stacked }: OverTimeProps) {
  const { totals } = extras;
  const whole = stacked ? extras.whole : undefined;
  const set = useMemo<SeriesSet>(() => buildSeries(input), [input]);
  const ranked = useMemo(() => rankSeries(set, input, totals, rank), [set, input, totals, rank]);
  const order = useHeldOrder(ranked, { key: questionKey, final: input.result.final });
  return useMemo(
    () => stackOf({ set, order, whole, input, query, colors }),
    [set, order, whole, input, query, colors],
  );
}

interface ShareSource {
  /** The same numbers over all rows; undefined until they have arrived. */
  readonly whole: Result | undefined;
}

/** The series as shares of the whole; without a source, as they are. */
function useShares(stack: SeriesSet, input: ChartInput, source: ShareSource | null) {
  const isShare = source !== null;
  const whole = source?.whole;
  return useMemo(
    () => (isShare ? sharesOf(stack, input, whole) : { input, set: stack }),
    [isShare, stack, input, whole],
  );
}
