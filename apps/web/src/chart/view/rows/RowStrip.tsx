import type { Query, Result } from "@hadal/sdk";
import { durationMs, parseDuration } from "@hadal/sdk";
import { WrapText } from "lucide-react";
import { useContext, useMemo, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import type { ChartIntent } from "../../kit/answer/intent.js";
import {
  buildSeries,
  type ChartInput,
  countMeasure,
  shareOfBound,
} from "../../kit/answer/series.js";
import { readLineOptions } from "../../kit/legend/lineOptions.js";
import { AllowedIntents } from "../../kit/pointer/allowedIntents.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { chosenLines } from "../../kit/time/plot/drawnLines.js";
import { TimeChart } from "../../kit/time/TimeChart.js";
import styles from "./RowsView.module.css";

/** Nothing is chosen of them. */
const plainLines = readLineOptions({});

/** When there are how many of the rows, over all that match; its room is kept until the answer comes. */
export function RowStrip(props: ViewProps) {
  const { input, extras, extraQueries, onIntent } = props;
  const { message = null } = input;
  const counts = useCounts(input, extras.overTime, extraQueries.overTime);
  const [last, setLast] = useState(counts);
  if (counts !== null && counts !== last) setLast(counts);
  const allows = useContext(AllowedIntents);
  const patterns: ChartIntent | null =
    message === null ? null : { kind: "patterns", column: message };
  // The old one stays, dimmed, until the new one comes: a cursor in it is not lost.
  const shown = counts ?? last;
  return (
    <section
      className={styles.strip}
      data-testid="rows-strip"
      data-stale={counts === null}
      aria-label="Rows over time"
      aria-busy={counts === null}
    >
      <div className={styles.counts}>{shown !== null && <Counts {...props} counts={shown} />}</div>
      {patterns !== null && allows(patterns) && (
        <Button
          className={styles.patterns ?? ""}
          data-testid="see-patterns"
          title={`All rows that match, grouped by the pattern of ${message}: numbers, ids and the like left out`}
          onClick={() => onIntent(patterns)}
        >
          <WrapText size={13} /> Patterns
        </Button>
      )}
    </section>
  );
}

function Counts({ counts, ...props }: ViewProps & { readonly counts: ChartInput }) {
  const { onIntent, themeName, questionKey } = props;
  const chosen = useMemo(() => {
    const all = { input: counts, set: buildSeries(counts), hues: [0] };
    return chosenLines(all, plainLines, "overlaid");
  }, [counts]);
  // A bucket is its rows; more times than one are asked what they are wanted for.
  const rowsOfBucket = (intent: ChartIntent): void => {
    const range = intent.kind === "pick" ? intent.mark.range : undefined;
    const isBucket = range !== undefined && range.toMs - range.fromMs <= (counts.bucketMs ?? 0);
    onIntent(isBucket ? { kind: "zoom", ...range } : intent);
  };
  return (
    <TimeChart
      chosen={chosen}
      stacked
      name="Rows over time, Enter shows those of a bucket: stacked area"
      themeName={themeName}
      questionKey={questionKey}
      focusedKey={null}
      onIntent={rowsOfBucket}
    />
  );
}

/** The answer as a chart of counts; null until it has come. */
function useCounts(
  input: ChartInput,
  result: Result | undefined,
  query: Query | undefined,
): ChartInput | null {
  return useMemo(() => {
    if (result === undefined || query === undefined) return null;
    const measure = shareOfBound(result, countMeasure.name);
    return {
      ...input,
      result,
      groupColumns: [],
      measures: [{ ...countMeasure, measure }],
      bucketMs: bucketOf(query),
      compared: false,
    };
  }, [input, result, query]);
}

function bucketOf({ groupBy = [] }: Query): number | null {
  const [time] = groupBy;
  if (time === undefined || typeof time === "string" || !("time" in time)) return null;
  return durationMs(parseDuration(time.time));
}
