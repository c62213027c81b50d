import { usesField, viewOf } from "../../chart/view/views.js";
import { durationInWords } from "../../format/duration.js";
import { rangeInWords } from "../../format/rangeInWords.js";
import { groupLabel } from "../../query/group/groupSpec.js";
import { aggregateLabel } from "../../query/number/labels.js";
import type { CompareState, ExploreState } from "../../query/state/exploreState.js";

function compareInWords(compare: CompareState): string {
  const rows = compare.filter === null ? "" : "other rows";
  if (compare.offset === null) return rows;
  const time =
    compare.offset === "previous"
      ? "the period before"
      : `${durationInWords(compare.offset)} earlier`;
  return rows === "" ? time : `${rows}, ${time}`;
}

/** The window title. */
export function windowTitle(state: ExploreState, timeZone: string): string {
  const range = rangeInWords(state.from, state.to, timeZone);
  if (!usesField(state.view, "aggregates")) {
    return `${viewOf(state.view).name} of ${state.table} · ${range} · Hadal`;
  }
  const what = state.aggregates.map(aggregateLabel).join(", ");
  const by = state.groupBy.length === 0 ? "" : ` by ${state.groupBy.map(groupLabel).join(", ")}`;
  const over = usesField(state.view, "bucket") ? " over time" : "";
  const against = state.compare === null ? "" : ` vs ${compareInWords(state.compare)}`;
  return `${what}${by}${over}${against} · ${state.table} · ${range} · Hadal`;
}
