import type { TableDetail, TableInfo } from "@hadal/sdk";
import { columnsOfFilter } from "../filter/filterTree.js";
import { type ExploreState, type FilterChip, initialState } from "./exploreState.js";

/** The demo table, and where a fresh page opens when it is there. */
const favouriteTable = "requests";
const freshMs = 3 * 3_600_000;

/** The table that a page without any state opens on; null when there is none. */
export function firstTable(tables: readonly TableInfo[]): string | null {
  const favourite = tables.find((table) => table.name === favouriteTable);
  return (favourite ?? tables[0])?.name ?? null;
}

/**
 * The first question about a table: the last hours, live, by service where rows have one; all of it where
 * nothing is fresh. What was pinned to the question before stays, laid aside where the table lacks the column.
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
  const isFresh = table.toMs === null || table.toMs >= nowMs - freshMs;
  return isFresh ? { ...state, live: true } : { ...state, ...wholeRange(table) };
}

/** From the oldest row to just after the newest; null while the table is empty. */
export function wholeRange(table: TableInfo): { from: string; to: string } | null {
  if (table.fromMs === null || table.toMs === null) return null;
  return {
    from: new Date(table.fromMs).toISOString(),
    to: new Date(table.toMs + 1).toISOString(),
  };
}

/** Whether the table has every column of the filter. */
function fits({ filter }: FilterChip, table: TableDetail): boolean {
  return columnsOfFilter(filter).every((name) => table.columns.some((one) => one.name === name));
}
