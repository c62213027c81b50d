import { useMemo, useState } from "react";
import { formatShare } from "../../../format/change.js";
import type { ChartIntent } from "../../kit/answer/intent.js";
import { asNumber, buildSeries, type ChartInput, type Series } from "../../kit/answer/series.js";
import type { GroupTotal } from "../../kit/answer/totals.js";
import { wholeOf } from "../../kit/answer/whole.js";
import { type BetweenColumn, GroupTable } from "../../kit/groups/GroupTable.js";
import { sortTotals } from "../../kit/groups/sortTotals.js";
import { colorOfHue } from "../../kit/paint/color.js";
import split from "../../kit/props/split.module.css";
import { useGroups } from "../../kit/props/useGroups.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { Spark } from "./Spark.js";

/** Values of a column, or elements of sets, those that grew most first, each with its course over time. */
export function TagsView(props: ViewProps) {
  const { input, query, extras, colors } = props;
  const [measure] = input.measures;
  const totals = useGroups(props);
  const [sort, setSort] = useState<{ by: string; desc: boolean } | null>(null);
  const ranked = { by: `${measure?.name}${input.compared ? ".delta" : ""}`, desc: true };
  const sorted = useMemo(
    () => (sort === null ? totals : sortTotals(totals, input.measures, sort.by, sort.desc)),
    [totals, input.measures, sort],
  );
  const hues = useMemo(() => colors.huesOf(sorted.map((total) => total.key)), [colors, sorted]);
  const sparks = useSparks(input, extras.sparks);
  const whole = measure?.additive === true ? wholeOf(extras.total, measure, input.result) : null;
  const between: BetweenColumn[] = [
    {
      head: "over time",
      track: "116px",
      align: "left",
      render: ({ key }, row) => <SparkOf series={sparks.get(key)} hue={hues[row] ?? 0} />,
    },
  ];
  const ofElements = query.groupBy?.some(
    (group) => typeof group !== "string" && "element" in group,
  );
  // Sorting moves lines only.
  const onIntent = (intent: ChartIntent): void => {
    if (intent.kind === "sort") setSort({ by: intent.by, desc: intent.desc });
    else props.onIntent(intent);
  };
  const all = asNumber(whole?.now ?? null) ?? 0;
  const share: BetweenColumn = {
    head: "of all",
    track: "72px",
    align: "right",
    render: (total) => shareText(total, all),
  };
  return (
    <div className={split.split}>
      <div className={split.tools}>
        <span>
          {ofElements && "An element counts once in every row that has it. "}
          {!input.compared && "Compare with the period before to see which spike."}
        </span>
      </div>
      <div className={split.chart} data-testid="chart">
        <GroupTable
          label={`${ofElements ? "Elements" : "Values"} of ${input.groupColumns.join(", ")}`}
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
          between={whole === null ? between : [...between, share]}
        />
      </div>
    </div>
  );
}

function SparkOf({ series, hue }: { readonly series: Series | undefined; readonly hue: number }) {
  if (series === undefined) return null;
  const [values = []] = series.values;
  const compare = series.compare?.[0] ?? null;
  return <Spark values={values} compare={compare} color={colorOfHue(hue)} />;
}

function shareText({ values }: GroupTotal, all: number): string {
  const value = asNumber(values[0] ?? null);
  return value === null || all <= 0 ? "–" : formatShare(value / all);
}

/** The courses of the elements, by key. */
function useSparks(
  input: ChartInput,
  result: ViewProps["extras"][string] | undefined,
): ReadonlyMap<string, Series> {
  return useMemo(() => {
    if (result === undefined) return new Map();
    // Buckets that are not over yet would fall at the end, whatever happened.
    const incomplete = new Set(result.incomplete ?? []);
    const at = result.columns.findIndex(({ type }) => type === "time");
    const rows = result.rows.filter((row) => !incomplete.has(Number(row[at])));
    const { series } = buildSeries({ ...input, result: { ...result, rows }, bucketMs: null });
    return new Map(series.map((one) => [one.key, one]));
  }, [input, result]);
}
