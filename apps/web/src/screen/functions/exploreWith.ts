import type { TableDetail } from "@hadal/sdk";
import { initialState } from "../../query/exploreState.js";
import { openingState } from "../../query/opening.js";
import { printUrl } from "../../query/url.js";
import type { FunctionShape } from "./functionShape.js";

/** The Explore screen with the saved function at work: as a column to split by, or as the number that is shown. */
export function exploreUrlWith(
  name: string,
  { kind, parameters }: FunctionShape,
  columns: readonly string[],
  table: TableDetail,
  nowMs: number,
): string {
  const { from, to } = openingState(table, nowMs);
  const base = { ...initialState(table.name), from, to, view: "table" as const };
  const state =
    kind === "aggregate"
      ? { ...base, aggregates: [{ fn: "count" as const }, { fn: name, columns }] }
      : {
          ...base,
          derive: [{ as: name, function: name, ...(parameters.length > 0 && { args: columns }) }],
          groupBy: [name],
        };
  return `/explore?${printUrl(state)}`;
}
