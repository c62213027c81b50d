import { useMemo, useState } from "react";
import type { ChartIntent } from "../../kit/answer/intent.js";
import { asNumber, type ChartInput, type Series } from "../../kit/answer/series.js";
import { wholeOf } from "../../kit/answer/whole.js";
import { type BetweenColumn, GroupTable } from "../../kit/groups/GroupTable.js";
import { sortTotals, type TotalsSort } from "../../kit/groups/sortTotals.js";
import { colorOfHue } from "../../kit/paint/color.js";
import split from "../../kit/props/split.module.css";
import { useGroups } from "../../kit/props/useGroups.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { Spark } from "./Spark.js";
import { countsElements, shareText, sparksOf } from "./sparks.js";

/** Values of a column, or elements of sets, largest growth first, each with a line over time. */
export function TagsView(props: ViewProps) {
  const { input, query, extras, colors } = props;
  const [measure] = input.measures;
  const totals = useGroups(props);
  const [sort, setSort] = useState<TotalsSort | null>(null);
  const ranked = { by: `${measure?.name}${input.compared ? ".delta" : ""}`, desc: true };
  const sorted = useMemo(
    () => (sort === null ? totals : sortTotals(totals, input.measures, sort)),
    [totals, input.measures, sort],
  );
  const hues = useMemo(() => colors.huesOf(sorted.map((total) => total.key)), [colors, sorted]);
  const sparks = useSparks(input, extras.sparks);
  const whole = measure?.additive === true ? wholeOf(extras.total, measure, input.result) : null;
  const spark = sparkColumn(sparks, hues);
  const isOfElements = countsElements(query);
  // Sorting only changes the order of the table: it starts no query.
  const onIntent = (intent: ChartIntent): void => {
    if (intent.kind === "sort") setSort({ by: intent.by, desc: intent.desc });
    else props.onIntent(intent);
  };
  return (
    <div className={split.split}>
      <div className={split.tools}>
        <span>
          {isOfElements && "An element counts once in every row that has it. "}
          {!input.compared && "Compare with the period before to see which spike."}
        </span>
      </div>
      <div className={split.chart} data-testid="chart">
        <GroupTable
          label={`${isOfElements ? "Elements" : "Values"} of ${input.groupColumns.join(", ")}`}
          testId="result-table"
          rowTestId="table-row"
          totals={sorted}
          groupColumns={input.groupColumns}
          measures={input.measures}
          hues={hues}
          compared={input.compared}
          sort={sort ?? ranked}
          onIntent={onIntent}
          names="sentence"
          between={whole === null ? [spark] : [spark, shareColumn(asNumber(whole.now) ?? 0)]}
        />
      </div>
    </div>
  );
}

const sparkColumn = (
  sparks: ReadonlyMap<string, Series>,
  hues: readonly number[],
): BetweenColumn => ({
  head: "over time",
  track: "116px",
  align: "left",
  render: ({ key }, row) => <SparkOf series={sparks.get(key)} hue={hues[row] ?? 0} />,
});

const shareColumn = (all: number): BetweenColumn => ({
  head: "of all",
  track: "72px",
  align: "right",
  render: (total) => shareText(total, all),
});

function SparkOf({ series, hue }: { readonly series: Series | undefined; readonly hue: number }) {
  if (series === undefined) return null;
  const [values = []] = series.values;
  const compare = series.compare?.[0] ?? null;
  return <Spark values={values} compare={compare} color={colorOfHue(hue)} />;
}

function useSparks(
  input: ChartInput,
  result: ViewProps["extras"][string] | undefined,
): ReadonlyMap<string, Series> {
  return useMemo(() => sparksOf(input, result), [input, result]);
}
