import { useCallback, useMemo, useState } from "react";
import type { ChartIntent } from "../../kit/answer/intent.js";
import { baseNameOf, ownNameOf } from "../../kit/answer/series.js";
import { Legend } from "../../kit/legend/Legend.js";
import styles from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { SeriesKey } from "../../kit/time/SeriesKey.js";
import { TimeChart } from "../../kit/time/TimeChart.js";
import { useChosenLines } from "../../kit/time/useChosenLines.js";
import { percentileMeasure, percentileSeries, percentileTotals } from "./build.js";

/** The spread of a column over time: the middle and the tail, each reaching down over those below. */
export function PercentilesView(props: ViewProps) {
  const { input, query, extras, colors, themeName, questionKey, onIntent } = props;
  const [pointed, setPointed] = useState<string | null>(null);
  const measure = useMemo(() => {
    const [first] = input.measures;
    const sides = { ownName: ownNameOf(first), baseName: baseNameOf(first) };
    return { ...percentileMeasure(query, input.result), ...sides };
  }, [query, input]);
  const drawn = useMemo(
    () => ({ ...input, measures: [measure], groupColumns: [] }),
    [input, measure],
  );
  const set = useMemo(() => percentileSeries(input, query), [input, query]);
  const totals = useMemo(() => percentileTotals(query, extras.totals), [query, extras.totals]);
  const hues = useMemo(() => colors.huesOf(set.series.map(({ key }) => key)), [colors, set]);
  // A line is no group of rows: its menu is that of all rows at that time.
  const listen = useCallback(
    (intent: ChartIntent) => {
      if (intent.kind !== "sort") onIntent(intent);
    },
    [onIntent],
  );
  const { chosen, shown, showAll } = useChosenLines(
    useMemo(() => ({ input: drawn, set, hues }), [drawn, set, hues]),
    props,
    "overlaid",
  );
  return (
    <div className={styles.split}>
      <div className={styles.chart}>
        <TimeChart
          chosen={chosen}
          stacked
          name="Percentiles"
          themeName={themeName}
          questionKey={questionKey}
          focusedKey={pointed}
          onIntent={listen}
        />
      </div>
      <SeriesKey chosen={chosen} stacked={false} onShowAll={showAll} />
      <Legend
        totals={totals}
        input={{ groupColumns: [], measures: [measure], compared: input.compared }}
        ranked={{ by: "", desc: true }}
        hues={hues}
        shown={shown}
        onIntent={listen}
        onPoint={setPointed}
      />
    </div>
  );
}
