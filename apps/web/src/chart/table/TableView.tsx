import { useMemo } from "react";
import { toneCount } from "../color.js";
import { totalsBeside } from "../totalsBeside.js";
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
