import type { Result } from "@hadal/sdk";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { type ColorBook, hueCount } from "../../../chart/color.js";
import type { OnIntent } from "../../../chart/intent.js";
import { buildSeries, type SeriesSet } from "../../../chart/series.js";
import { GroupTable } from "../../../chart/table/GroupTable.js";
import { sortTotals } from "../../../chart/table/sortTotals.js";
import {
  type GroupTotal,
  holdOrder,
  totalsOfResult,
  totalsOfSeries,
} from "../../../chart/totals.js";
import { orderOf } from "../../../query/buildQuery.js";
import { isTimeView } from "../../../query/exploreState.js";
import { chartInputOf } from "../chartInput.js";
import type { Subject } from "../useQuestion.js";
import { Legend } from "./Legend.js";
import styles from "./ResultPane.module.css";

// Charts are most of the code and none of the first paint.
const loadTimeChart = () => import("../../../chart/timeseries/TimeChart.js");
const loadBarView = () => import("../../../chart/bar/BarView.js");
const loadRowsView = () => import("../../../chart/rows/RowsView.js");
const TimeChart = lazy(async () => ({ default: (await loadTimeChart()).TimeChart }));
const BarView = lazy(async () => ({ default: (await loadBarView()).BarView }));
const RowsView = lazy(async () => ({ default: (await loadRowsView()).RowsView }));

/** More bars than this are a table. */
const barsMax = 300;

export interface ResultPaneProps {
  readonly result: Result;
  readonly subject: Subject;
  /** Totals per series, when the server had to be asked for them and they belong to this answer. */
  readonly totals: Result | null;
  readonly colors: ColorBook;
  readonly themeName: string;
  readonly onIntent: OnIntent;
}

/** One answer in its view, with its legend. */
export function ResultPane(props: ResultPaneProps) {
  const { view } = props.subject.state;
  return (
    <Suspense fallback={<div className={styles.loading} />}>
      {view === "rows" ? (
        <Rows {...props} />
      ) : isTimeView(view) ? (
        <OverTime {...props} />
      ) : (
        <Groups {...props} />
      )}
    </Suspense>
  );
}

function Rows({ result, subject, onIntent }: ResultPaneProps) {
  return (
    <RowsView
      result={result}
      timeZone={subject.timeZone}
      newestFirst={rankOf(subject).desc}
      onIntent={onIntent}
    />
  );
}

function OverTime({ result, subject, totals, colors, themeName, onIntent }: ResultPaneProps) {
  const [pointedKey, setPointedKey] = useState<string | null>(null);
  const input = useMemo(() => chartInputOf(result, subject), [result, subject]);
  const whole = useMemo<SeriesSet>(() => buildSeries(input), [input]);
  const asked = useMemo(
    () => (totals === null ? [] : totalsOfResult(totals, input)),
    [totals, input],
  );
  const ranked = useMemo(() => {
    const { by, desc } = rankOf(subject);
    return sortTotals(
      totalsOfSeries(whole.series, input.measures, asked),
      input.measures,
      by,
      desc,
    );
  }, [whole, input, asked, subject]);
  const held = useHeldOrder(ranked, subject.key, result.final);
  const set = useMemo(() => inOrder(whole, held), [whole, held]);
  const hues = useMemo(() => colors.huesOf(held.map((total) => total.key)), [colors, held]);
  return (
    <div className={styles.split}>
      <div className={styles.chart}>
        <TimeChart
          input={input}
          set={set}
          hues={hues}
          stacked={subject.state.view === "area"}
          themeName={themeName}
          questionKey={`${subject.key} ${subject.state.view}`}
          focusedKey={pointedKey}
          onIntent={onIntent}
        />
      </div>
      <Legend
        totals={held}
        groupColumns={input.groupColumns}
        measures={input.measures}
        compared={input.compared}
        ranked={rankOf(subject)}
        hues={hues}
        onIntent={onIntent}
        onPoint={setPointedKey}
      />
    </div>
  );
}

function Groups({ result, subject, colors, themeName, onIntent }: ResultPaneProps) {
  const input = useMemo(() => chartInputOf(result, subject), [result, subject]);
  const totals = useMemo(() => totalsOfResult(result, input), [result, input]);
  const held = useHeldOrder(totals, subject.key, result.final);
  const bars = subject.state.view === "bar";
  const hues = useMemo(
    () =>
      bars || held.length <= hueCount
        ? colors.huesOf(held.slice(0, barsMax).map((total) => total.key))
        : [],
    [colors, held, bars],
  );
  const table = (testId: string, rowTestId: string) => (
    <GroupTable
      label="Groups"
      testId={testId}
      rowTestId={rowTestId}
      totals={held}
      groupColumns={input.groupColumns}
      measures={input.measures}
      hues={hues}
      compared={input.compared}
      sort={rankOf(subject)}
      onIntent={onIntent}
    />
  );
  if (!bars) return table("result-table", "table-row");
  return (
    <div className={styles.split}>
      <div className={styles.chart}>
        <BarView
          totals={held.slice(0, barsMax)}
          measures={input.measures}
          hues={hues}
          compared={input.compared}
          streaming={!result.final}
          themeName={themeName}
          questionKey={subject.key}
          onIntent={onIntent}
        />
      </div>
      {held.length > barsMax && (
        <p className={styles.note}>
          The first {barsMax} of {held.length} groups are drawn; the list below has all.
        </p>
      )}
      <div className={styles.legend}>{table("legend", "legend-row")}</div>
    </div>
  );
}

/** While parts of one answer arrive, entries keep the places they have. */
function useHeldOrder(
  next: readonly GroupTotal[],
  key: string,
  final: boolean,
): readonly GroupTotal[] {
  const shown = useRef<{ key: string; keys: readonly string[] }>({ key: "", keys: [] });
  const held = useMemo(
    () => (final || shown.current.key !== key ? next : holdOrder(next, shown.current.keys)),
    [next, key, final],
  );
  useEffect(() => {
    shown.current = { key, keys: held.map((total) => total.key) };
  }, [held, key]);
  return held;
}

function rankOf({ state }: Subject): { by: string; desc: boolean } {
  const { by, desc } = orderOf(state);
  return { by, desc: desc ?? false };
}

function inOrder(set: SeriesSet, order: readonly GroupTotal[]): SeriesSet {
  const byKey = new Map(set.series.map((series) => [series.key, series]));
  return { timesMs: set.timesMs, series: order.flatMap(({ key }) => byKey.get(key) ?? []) };
}

/** Starts loading what a first answer is drawn with, while the answer itself is on its way. */
export function preloadCharts(): void {
  void loadTimeChart();
}
