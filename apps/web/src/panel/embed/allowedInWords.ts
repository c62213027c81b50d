import { rowsView } from "@hadal/sdk";
import { isView, viewOf } from "../../chart/view/views.js";
import { durationInWords, printDuration } from "../../format/duration.js";
import { filterLabel } from "../../query/filter/operators.js";
import type { EmbedForm } from "./embedForm.js";

export const viewName = (id: string): string => (isView(id) ? viewOf(id).name : id);

export const lengthInWords = (ms: number): string => durationInWords(printDuration(ms));

type Allowed = Pick<
  EmbedForm,
  "views" | "filter" | "hiddenColumns" | "groupBy" | "rangeMsMax" | "expiresInMs"
>;

/** What visitors may do and see, one sentence each. */
export function allowedInWords(form: Allowed): readonly string[] {
  const { views, filter, hiddenColumns, groupBy, rangeMsMax } = form;
  const columns = groupBy.filter((name) => name !== "time");
  const hidden = hiddenColumns.length === 0 ? "" : ` without ${hiddenColumns.join(", ")}`;
  return [
    `Visitors see ${views.map((id) => `“${viewName(id)}”`).join(", ")}, at most ${lengthInWords(rangeMsMax)} at once.`,
    filter.length === 0
      ? "They see every row that its maker may read."
      : `They see only rows with ${filter.map(filterLabel).join(" and ")}.`,
    columns.length === 0
      ? "They cannot group or list values."
      : `They can group by ${columns.join(", ")}, and list the values.`,
    groupBy.includes("time") ? "They see changes over time." : "They see no time buckets.",
    views.includes(rowsView) ? `They read single rows${hidden}.` : "They see no single rows.",
    ...(hiddenColumns.length > 0 && !views.includes(rowsView)
      ? [`${hiddenColumns.join(", ")} cannot be read or filtered by.`]
      : []),
  ];
}
