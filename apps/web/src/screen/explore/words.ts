import { usesField, viewOf } from "../../chart/view/views.js";
import { durationInWords } from "../../format/duration.js";
import { formatInstant, formatRange } from "../../format/time.js";
import { groupLabel } from "../../query/group/groupSpec.js";
import { aggregateLabel } from "../../query/number/labels.js";
import type { CompareState, ExploreState } from "../../query/state/exploreState.js";

/** `last 3 hours`, `21 Nov 09:00 – 12:00`, `since 21 Nov 09:00:00`, or the times as they were written. */
export function rangeInWords(
  from: string,
  to: string,
  timeZone: string,
  nowMs: number = Date.now(),
): string {
  const last = /^(?:now)?-(\d+(?:ms|s|m|h|d|w|mo|q|y))$/.exec(from.replaceAll(" ", ""));
  if (last !== null && to === "now") return `last ${durationInWords(last[1] ?? "")}`;
  const [fromMs, toMs] = [timeOf(from), timeOf(to)];
  if (fromMs !== null && toMs !== null) return formatRange(fromMs, toMs, timeZone, nowMs);
  if (fromMs !== null && to === "now") return `since ${formatInstant(fromMs, timeZone)}`;
  return `${from} – ${to}`;
}

function compareInWords(compare: CompareState): string {
  const rows = compare.filter === null ? "" : "other rows";
  if (compare.offset === null) return rows;
  const time =
    compare.offset === "previous"
      ? "the period before"
      : `${durationInWords(compare.offset)} earlier`;
  return rows === "" ? time : `${rows}, ${time}`;
}

/** What the window is called: it says what it shows. */
export function titleOf(state: ExploreState, timeZone: string): string {
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

function timeOf(text: string): number | null {
  const timeMs = /^\d{9,16}$/.test(text) ? Number(text) : Date.parse(text);
  return /^\d{4}-|^\d{9,16}$/.test(text) && Number.isFinite(timeMs) ? timeMs : null;
}
