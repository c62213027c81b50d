import { bigintAsText, type DerivedColumn } from "@hadal/sdk";
import { viewOf } from "../../chart/view/views.js";
import { printFilter } from "../../query/filter/filterUrl.js";
import { filterLabel } from "../../query/filter/operators.js";
import { groupLabel } from "../../query/group/groupSpec.js";
import type { Aggregate } from "../../query/number/aggregate.js";
import { aggregateLabel } from "../../query/number/labels.js";
import type { ExploreState, FilterChip } from "../../query/state/exploreState.js";

/** One chip, condition or setting; `own`: the other side does not have it. */
export interface PartEntry {
  readonly text: string;
  readonly own: boolean;
}

/** A part of the form that differs, with all its entries on both sides. */
export interface PartDifference {
  readonly name: string;
  readonly before: readonly PartEntry[];
  readonly after: readonly PartEntry[];
}

/** The parts of the form that differ, in the order of the form. */
export function differencesOf(before: ExploreState, after: ExploreState): PartDifference[] {
  const others = partsOf(after);
  return partsOf(before).flatMap(([name, texts], i) => {
    const [, newTexts = []] = others[i] ?? [];
    if (texts.join("\n") === newTexts.join("\n")) return [];
    return [{ name, before: entriesOf(texts, newTexts), after: entriesOf(newTexts, texts) }];
  });
}

function entriesOf(texts: readonly string[], others: readonly string[]): PartEntry[] {
  // With the same entries on both sides, the order is what differs.
  const reordered = texts.length === others.length && texts.every((text) => others.includes(text));
  return texts.map((text) => ({ text, own: reordered || !others.includes(text) }));
}

type Part = readonly [name: string, texts: readonly string[]];

function partsOf(state: ExploreState): readonly Part[] {
  const { view, options, order, columns, timeoutMs, freshnessMs, shape } = state;
  return [
    ["Table", [state.table]],
    ["Time", [`${state.from} to ${state.to}`, ...(state.live ? ["live"] : [])]],
    ["Time zone", some(state.timeZone)],
    ["Compare", compareTexts(state)],
    ["View", [viewOf(view).name]],
    ["View options", Object.entries(options).map(([name, value]) => `${name}: ${value}`)],
    ["Computed columns", state.derive.map(derivedText)],
    ["Show", state.aggregates.map(numberText)],
    ["Group by", state.groupBy.map(groupText)],
    ["Time bucket", some(state.bucket)],
    ["Filters", state.filters.map(chipText)],
    ["Kept groups", state.having.map(printFilter)],
    ["Order", order === null ? [] : [`${order.by} ${order.desc ? "descending" : "ascending"}`]],
    ["Limit", [`${state.limit} groups`, `${state.series} series`]],
    ["Columns", columns ?? []],
    ["Every row or no answer", state.exact ? ["yes"] : []],
    ["Time limit", timeoutMs === null ? [] : [`${timeoutMs} ms`]],
    ["Age of an answer", freshnessMs === null ? [] : [`up to ${freshnessMs} ms`]],
    ["Query", shape === null ? [] : [JSON.stringify(shape, bigintAsText)]],
  ];
}

const some = (text: string | null): readonly string[] => (text === null ? [] : [text]);

function compareTexts({ compare, part }: ExploreState): readonly string[] {
  const times =
    part === null
      ? []
      : [`${new Date(part.fromMs).toISOString()} to ${new Date(part.toMs).toISOString()}`];
  if (compare === null) return times;
  const { offset, filter } = compare;
  const back = offset === null ? [] : [offset === "previous" ? "the period before" : offset];
  const rows = filter === null ? [] : filter.length === 0 ? ["all rows"] : filter.map(filterLabel);
  return [...back, ...rows, ...times];
}

function chipText({ filter, off, pinned }: FilterChip): string {
  return `${filterLabel(filter)}${off ? " (off)" : ""}${pinned === true ? " (pinned)" : ""}`;
}

function numberText(spec: Aggregate): string {
  const { as, ...unnamed } = spec;
  const label = aggregateLabel(unnamed as Aggregate);
  return as === undefined ? label : `${as} = ${label}`;
}

function groupText(spec: ExploreState["groupBy"][number]): string {
  if (typeof spec === "string") return spec;
  const edges = "bucket" in spec && spec.edges !== undefined ? ` ${spec.edges.join(", ")}` : "";
  return `${groupLabel(spec)}${edges}${spec.as === undefined ? "" : ` as ${spec.as}`}`;
}

function derivedText(column: DerivedColumn): string {
  const { as, ...how } = column;
  return `${as} = ${Object.values(how).flat().join(" ")}`;
}
