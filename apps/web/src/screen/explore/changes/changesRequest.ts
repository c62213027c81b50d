import type { Filter, Query, WhatChangedRequest } from "@hadal/sdk";

/** Scans all columns: it may take longer than a chart. */
const timeoutMs = 10_000;

/** Both sides of a comparison as the sets to tell apart; what both sides ask alike holds for both. Null: there is one side only. */
export function changesRequest(query: Query): WhatChangedRequest | null {
  const { table, from, to, timeZone, derive, filter = [], compare } = query;
  if (compare === undefined || compare === null) return null;
  const rows = {
    ...{ table, from, to, timeoutMs },
    ...(timeZone !== undefined && { timeZone }),
    ...(derive !== undefined && { derive }),
  };
  const offset = compare.offset !== undefined && { offset: compare.offset };
  if (compare.filter === undefined) {
    return offset === false ? null : { ...rows, filter, against: offset };
  }
  const others = compare.filter;
  const common = filter.filter((one) => includes(others, one));
  return {
    ...rows,
    filter: common,
    selection: { filter: filter.filter((one) => !includes(common, one)) },
    against: { ...offset, filter: others.filter((one) => !includes(common, one)) },
  };
}

const includes = (filters: readonly Filter[], wanted: Filter): boolean =>
  filters.some((filter) => JSON.stringify(filter) === JSON.stringify(wanted));
