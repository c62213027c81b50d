import type { GroupTotal } from "../answer/totals.js";
import type { ViewProps } from "../props/viewProps.js";
import { GroupTable } from "./GroupTable.js";

export interface RankedGroupsProps {
  readonly view: ViewProps;
  readonly totals: readonly GroupTotal[];
  readonly hues: readonly number[];
  readonly testId: string;
  readonly rowTestId: string;
  readonly whole?: GroupTotal | null;
  readonly shares?: boolean;
}

/** The groups of a result in the order of its query; sorting changes the query. */
export function RankedGroups({ view, ...shown }: RankedGroupsProps) {
  const { input, rank, onIntent } = view;
  return (
    <GroupTable
      label="Groups"
      groupColumns={input.groupColumns}
      measures={input.measures}
      compared={input.compared}
      sort={rank}
      onIntent={onIntent}
      {...shown}
    />
  );
}
