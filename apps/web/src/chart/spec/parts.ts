import type { ColumnInfo, GroupBy } from "@hadal/sdk";
import { groupColumn } from "../../query/group/groupSpec.js";
import { numberName } from "../../query/number/labels.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import { sizeOf } from "./size.js";
import type { BuildContext, ViewQuestion } from "./viewSpec.js";

/** Groups by their size, largest first, and the whole that they are parts of. */
export function askParts(
  context: BuildContext,
  groupBy: readonly GroupBy[],
  limit: number,
): ViewQuestion {
  const size = sizeOf(context);
  const sized = { ...context.counted, aggregates: [size] };
  const orderBy = [{ by: numberName(size), desc: true }];
  return {
    query: { ...sized, groupBy, orderBy, limit },
    extras: { total: { ...sized, groupBy: [] } },
  };
}

/** The state grouped by at least `count` columns, if the table has enough columns of texts. */
export function withGroups(
  state: ExploreState,
  columns: readonly ColumnInfo[],
  count: number,
): ExploreState {
  const taken = state.groupBy.map(groupColumn);
  const more = columnsToSplitBy(columns)
    .filter((name) => !taken.includes(name))
    .slice(0, Math.max(0, count - taken.length));
  return more.length === 0 ? state : { ...state, groupBy: [...state.groupBy, ...more] };
}

/** Columns of texts, those with the fewest values first: the fewer, the less memory a row takes. */
function columnsToSplitBy(columns: readonly ColumnInfo[]): readonly string[] {
  const bytesPerRow = ({ bytes = 0, rows = 1 }: ColumnInfo) => bytes / Math.max(1, rows);
  return columns
    .filter(({ type, rows }) => type === "string" && rows !== 0)
    .sort((a, b) => bytesPerRow(a) - bytesPerRow(b))
    .map(({ name }) => name);
}
