import { bigintAsText, type Filter, type Query, type WhatChangedRequest } from "@hadal/sdk";
import type { TimeSpan } from "../../../query/state/exploreState.js";

/** Scans all columns: it may take longer than a chart. */
const timeoutMs = 10_000;

/**
 * Both sides of a comparison, or a part of the range and its rest, as two sets of rows; common
 * filters apply to both. null: there is only one side.
 */
export function changesRequest(
  query: Query,
  part: TimeSpan | null = null,
): WhatChangedRequest | null {
  const { table, from, to, timeZone, derive, filter = [], compare } = query;
  const rows = {
    ...{ table, from, to, timeoutMs },
    ...(timeZone !== undefined && { timeZone }),
    ...(derive !== undefined && { derive }),
  };
  if (part !== null) return { ...rows, filter, selection: { from: part.fromMs, to: part.toMs } };
  if (compare === undefined || compare === null) return null;
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
  filters.some((filter) => textOf(filter) === textOf(wanted));

const textOf = (filter: Filter): string => JSON.stringify(filter, bigintAsText);
