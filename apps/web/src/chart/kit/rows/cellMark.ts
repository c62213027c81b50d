import type { ResultColumn, ResultRow } from "@hadal/sdk";
import { formatRange } from "../../../format/time.js";
import type { Mark } from "../answer/intent.js";
import { groupOf, indexOfColumn, labelOfGroup } from "../answer/series.js";
import type { ViewProps } from "../props/viewProps.js";
import { exactText, isTimeColumn, markOf } from "./rowColumns.js";
import { timesOfRow } from "./rowTimes.js";

const hiddenGroups = "The answer does not show all that its rows are split by.";

type View = Pick<ViewProps, "input" | "query">;

/** The mark of a cell: a name selects its value, a time its bucket, a number its group in its bucket. */
export function markOfCell(
  view: View,
  row: ResultRow,
  column: ResultColumn,
): Omit<Mark, "x" | "y"> {
  const { columns } = view.input.result;
  const value = row[columns.indexOf(column)] ?? null;
  if (column.role === "sample") return markOf(value, column);
  const text = exactText(value, column);
  if (column.role === "aggregate") {
    const groups = columns.filter(({ role }) => role === "group");
    // A query in SQL may leave its group columns out of the result.
    if (groups.length < (view.query.groupBy ?? []).length) {
      return { group: [], filters: [], noFilter: hiddenGroups, label: text, text };
    }
    const names = groups.filter((one) => !isTimeColumn(one));
    return inTimes({ group: groupOfRow(view, row, names), text }, view, row);
  }
  if (!isTimeColumn(column)) return { group: groupOfRow(view, row, [column]), text };
  return inTimes({ group: [], text }, view, row, column.name);
}

function groupOfRow({ input }: View, row: ResultRow, columns: readonly ResultColumn[]) {
  const names = columns.map(({ name }) => name);
  const indexes = names.map((name) => indexOfColumn(input.result, name));
  return groupOf(row, names, indexes, input.texts);
}

/** Times alone are compared with the rest of the range, as for a brush. */
function inTimes(
  mark: Pick<Mark, "group" | "text">,
  view: View,
  row: ResultRow,
  column?: string,
): Omit<Mark, "x" | "y"> {
  const range = timesOfRow(view, row, column);
  if (range === null) return mark;
  const { fromMs, toMs, timeZone } = view.input;
  const times = formatRange(range.fromMs, range.toMs, timeZone);
  const label = mark.group.length === 0 ? times : `${labelOfGroup(mark.group)}, ${times}`;
  return { ...mark, range, rangeOf: { fromMs, toMs }, label };
}
