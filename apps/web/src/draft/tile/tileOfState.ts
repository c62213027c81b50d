import { type Compare, HadalError, type Query, type QueryTile, resolveTimeRange } from "@hadal/sdk";
import { usesField } from "../../chart/view/views.js";
import { resultName } from "../../query/filter/groupFilter.js";
import { askedNumbers } from "../../query/number/askedNumbers.js";
import { numberName } from "../../query/number/labels.js";
import { type ExploreState, limitOfForm, seriesOfForm } from "../../query/state/exploreState.js";

/** The part of a tile that says what is asked and how it is drawn. */
export type TileQuery = Pick<QueryTile, "query" | "view" | "viewOptions">;

/**
 * The tile of a state. Its query has what the form says; what a view adds is added each time it is
 * asked, so that an automatic time bucket follows the board's range.
 */
export function tileOfState(state: ExploreState): TileQuery {
  const { view, options } = state;
  return {
    query: queryOfState(state),
    view,
    ...(Object.keys(options).length > 0 && { viewOptions: options }),
  };
}

function queryOfState(state: ExploreState): Query {
  const { derive, timeZone } = state;
  const filter = state.filters.filter((chip) => !chip.off).map((chip) => chip.filter);
  const compare = compareOf(state);
  const base: Query = {
    ...{ table: state.table, from: state.from, to: state.to },
    ...(timeZone !== null && { timeZone }),
    ...(filter.length > 0 && { filter }),
    ...(derive.length > 0 && { derive }),
    ...(state.exact && { exact: true }),
    ...(state.timeoutMs !== null && { timeoutMs: state.timeoutMs }),
    ...(state.freshnessMs !== null && { freshnessMs: state.freshnessMs }),
  };
  const limit = state.limit === limitOfForm ? {} : { limit: state.limit };
  if (state.view === "query" && state.shape !== null) {
    return { ...base, ...state.shape, ...(compare !== null && { compare }) };
  }
  if (state.view === "rows") return { ...base, sampleView: { columns: state.columns }, ...limit };
  const groupBy = [
    ...(state.bucket !== null && usesField(state.view, "bucket") ? [{ time: state.bucket }] : []),
    ...state.groupBy,
  ];
  const orderBy = orderOf(state);
  return askedNumbers({
    ...base,
    ...(groupBy.length > 0 && { groupBy }),
    aggregates: state.aggregates,
    ...(state.having.length > 0 && { having: state.having }),
    ...(orderBy !== null && { orderBy: [orderBy] }),
    ...limit,
    ...(state.series !== seriesOfForm && { series: state.series }),
    ...(compare !== null && { compare }),
  });
}

/** A query has no "period before": it has the length of the range. */
function compareOf({ compare, from, to, timeZone }: ExploreState): Compare | null {
  if (compare === null) return null;
  const filter = compare.filter === null ? {} : { filter: compare.filter };
  if (compare.offset !== "previous") {
    return { ...(compare.offset !== null && { offset: compare.offset }), ...filter };
  }
  try {
    const range = resolveTimeRange(from, to, Date.now(), timeZone ?? "UTC");
    return { offset: `${range.toMs - range.fromMs}ms`, ...filter };
  } catch (error) {
    // The times are marked as unreadable where they are edited.
    if (error instanceof HadalError) return null;
    throw error;
  }
}

const besideNumber = /\.(raw|compare|delta|delta_pct)$/;

/** null: no order, or one of a column that only the view's own query has. */
function orderOf({ order, groupBy, aggregates }: ExploreState) {
  if (order === null) return null;
  const names = [...groupBy.map(resultName), ...aggregates.map(numberName)];
  const isNamed = names.includes(order.by) || names.includes(order.by.replace(besideNumber, ""));
  return isNamed ? { by: order.by, desc: order.desc } : null;
}
