import { useMemo } from "react";
import { totalsBeside } from "../../kit/answer/totalsBeside.js";
import { RankedGroups } from "../../kit/groups/RankedGroups.js";
import { toneCount } from "../../kit/paint/color.js";
import { useGroups } from "../../kit/props/useGroups.js";
import type { ViewProps } from "../../kit/props/viewProps.js";

/**
 * Groups with their numbers, and the totals of all rows. Groups have colours only while there is
 * one for each.
 */
export function TableView(props: ViewProps) {
  const { colors, options, input } = props;
  const { total } = props.extras;
  const totals = useGroups(props);
  const hues = useMemo(
    () => (totals.length <= toneCount ? colors.huesOf(totals.map((total) => total.key)) : []),
    [colors, totals],
  );
  const whole = useMemo(() => totalsBeside(total, input, [])?.[0] ?? null, [input, total]);
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
