import { useMemo } from "react";
import { toneCount } from "../color.js";
import { useGroups } from "../useGroups.js";
import type { ViewProps } from "../viewProps.js";
import { RankedGroups } from "./RankedGroups.js";

/** Groups and their numbers. Colours only while each group can have its own. */
export function TableView(props: ViewProps) {
  const { colors } = props;
  const totals = useGroups(props);
  const hues = useMemo(
    () => (totals.length <= toneCount ? colors.huesOf(totals.map((total) => total.key)) : []),
    [colors, totals],
  );
  return (
    <RankedGroups
      view={props}
      totals={totals}
      hues={hues}
      testId="result-table"
      rowTestId="table-row"
    />
  );
}
