import type { GroupBy, Query, TimeBucket } from "@hadal/sdk";
import { isView } from "../../chart/view/views.js";
import type { GroupSpec } from "../../query/group/groupSpec.js";
import { numbersOfQuery } from "../../query/number/askedNumbers.js";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { shapeOf } from "../../query/state/queryShape.js";
import type { TileQuery } from "./tileOfState.js";

const viewDefault = "timeseries";

/**
 * The state that shows a tile, the same as {@link tileOfState} was given. A query that the form has
 * no fields for, or a view of a later version, is shown as written.
 */
export function stateOfTile({
  query,
  view = viewDefault,
  viewOptions = {},
}: TileQuery): ExploreState {
  const options = Object.fromEntries(Object.entries(viewOptions));
  const state: ExploreState = { ...initialState(query.table), ...commonParts(query), options };
  if (query.sampleView != null && query.aggregates === undefined) {
    return { ...state, ...ordered(query), view: "rows", columns: query.sampleView.columns ?? null };
  }
  const form = view === "query" || !isView(view) ? null : formParts(query);
  return form === null
    ? { ...state, view: "query", shape: shapeOf(query) }
    : { ...state, ...form, ...ordered(query), view };
}

function commonParts(query: Query): Partial<ExploreState> {
  const { compare } = query;
  return {
    ...{ from: String(query.from), to: String(query.to), timeZone: query.timeZone ?? null },
    filters: (query.filter ?? []).map((filter) => ({ filter, off: false })),
    derive: query.derive ?? [],
    compare:
      compare == null ? null : { offset: compare.offset ?? null, filter: compare.filter ?? null },
    exact: query.exact === true,
    timeoutMs: query.timeoutMs ?? null,
    freshnessMs: query.freshnessMs ?? null,
  };
}

/** null: the form has no field for a part of it. */
function formParts(query: Query): Partial<ExploreState> | null {
  const groups = query.groupBy ?? [];
  const [time, second] = groups.filter(isTime);
  const others = groups.filter((group) => !isTime(group)).map(plainGroup);
  const aggregates = numbersOfQuery(query);
  if (aggregates === null || second !== undefined || time?.as !== undefined) return null;
  if (query.offset !== undefined || (query.orderBy ?? []).length > 1) return null;
  if (!others.every((group) => group !== null)) return null;
  return {
    groupBy: others,
    ...(aggregates.length > 0 && { aggregates }),
    having: query.having ?? [],
    bucket: time?.time ?? null,
  };
}

function ordered({ orderBy, limit, series }: Query): Partial<ExploreState> {
  const [order] = orderBy ?? [];
  return {
    order: order === undefined ? null : { by: order.by, desc: order.desc === true },
    ...(limit !== undefined && { limit }),
    ...(series != null && { series }),
  };
}

const isTime = (group: GroupBy): group is TimeBucket =>
  typeof group !== "string" && "time" in group;

/** null: a column under another name, which the form does not have. */
function plainGroup(group: GroupBy): GroupSpec | null {
  if (typeof group === "string" || "element" in group || "bucket" in group) return group;
  return "column" in group && group.as === undefined ? group.column : null;
}
