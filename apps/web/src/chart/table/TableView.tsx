import type { Result } from "@hadal/sdk";
import { useMemo } from "react";
import { toneCount } from "../color.js";
import { isOfSameLeaves } from "../sameLeaves.js";
import type { ChartInput } from "../series.js";
import { type GroupTotal, totalsOfResult } from "../totals.js";
import { useGroups } from "../useGroups.js";
import type { ViewProps } from "../viewProps.js";
import { RankedGroups } from "./RankedGroups.js";

/** Groups and their numbers, and what all rows come to. Colours only while each group can have its own. */
export function TableView(props: ViewProps) {
  const { colors, options, input } = props;
  const { total } = props.extras;
  const totals = useGroups(props);
  const hues = useMemo(
    () => (totals.length <= toneCount ? colors.huesOf(totals.map((total) => total.key)) : []),
    [colors, totals],
  );
  const whole = useMemo(() => wholeOf(input, total), [input, total]);
  return (
    <RankedGroups
      view={props}
      totals={totals}
      hues={hues}
      whole={whole}
      shares={options.share === "on" && input.groupColumns.length > 0}
      testId="result-table"
      rowTestId="table-row"
    />
  );
}

/** null: it has not come, or other leaves told it than the groups. */
function wholeOf(input: ChartInput, total: Result | undefined): GroupTotal | null {
  if (total === undefined || !isOfSameLeaves(total.completeness, input.result.completeness))
    return null;
  return totalsOfResult(total, { ...input, groupColumns: [] })[0] ?? null;
}
