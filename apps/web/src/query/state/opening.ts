import type { TableDetail, TableInfo } from "@hadal/sdk";
import { columnsOfFilter } from "../filter/filterTree.js";
import { type ExploreState, type FilterChip, initialState } from "./exploreState.js";

/** The demo table: a new page opens with it if it exists. */
const favouriteTable = "requests";
const freshMs = 3 * 3_600_000;

/** The table that a page without any state opens on; null when there is none. */
export function firstTable(tables: readonly TableInfo[]): string | null {
  const favourite = tables.find((table) => table.name === favouriteTable);
  return (favourite ?? tables[0])?.name ?? null;
}

/**
 * The first query of a table: the last hours, live, grouped by service if there is such a column;
 * the whole range if no row is fresh. Pinned filters stay, disabled if the table lacks their
 * column.
 */
export function openingState(
  table: TableDetail,
  nowMs: number,
  before: ExploreState | null = null,
): ExploreState {
  const groupBy = table.columns.some((c) => c.name === "service" && c.type === "string")
    ? ["service"]
    : [];
  const filters = (before?.filters ?? [])
    .filter(({ pinned }) => pinned === true)
    .map((chip) => (fits(chip, table) ? chip : { ...chip, off: true }));
  const state = { ...initialState(table.name), groupBy, filters };
  const isFresh = wholeRange(table) === null || (table.toMs ?? nowMs) >= nowMs - freshMs;
  return isFresh ? { ...state, live: true } : { ...state, ...wholeRange(table) };
}

interface WholeRange {
  readonly from: string;
  readonly to: string;
}

/** From the oldest row to just after the newest; null while the table is empty, or where that may not be known. */
export function wholeRange({ fromMs = null, toMs = null }: TableInfo): WholeRange | null {
  if (fromMs === null || toMs === null) return null;
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs + 1).toISOString(),
  };
}

/** Whether the table has every column of the filter. */
function fits({ filter }: FilterChip, table: TableDetail): boolean {
  return columnsOfFilter(filter).every((name) => table.columns.some((one) => one.name === name));
}
