import { useMemo } from "react";
import { hueCount } from "../color.js";
import { useGroups } from "../useGroups.js";
import type { ViewProps } from "../viewProps.js";
import { GroupTable } from "./GroupTable.js";

/** Groups and their numbers. Colours only while each group can have its own. */
export function TableView(props: ViewProps) {
  const { input, rank, colors, onIntent } = props;
  const totals = useGroups(props);
  const hues = useMemo(
    () => (totals.length <= hueCount ? colors.huesOf(totals.map((total) => total.key)) : []),
    [colors, totals],
  );
  return (
    <GroupTable
      label="Groups"
      testId="result-table"
      rowTestId="table-row"
      totals={totals}
      groupColumns={input.groupColumns}
      measures={input.measures}
      hues={hues}
      compared={input.compared}
      sort={rank}
      onIntent={onIntent}
    />
  );
}
