import type { TableDetail, UserFunction } from "@hadal/sdk";
import { printUrl } from "../../draft/url/url.js";
import { initialState } from "../../query/state/exploreState.js";
import { openingState } from "../../query/state/opening.js";
import type { FunctionShape } from "./functionShape.js";

/** How the function is called, and on which table. */
export interface FunctionUse {
  readonly shape: FunctionShape;
  readonly columns: readonly string[];
  readonly table: TableDetail;
}

/** The Explore screen with the saved function at work: as a column to split by, or as the number that is shown. */
export function exploreUrlWith(
  { name, source }: Pick<UserFunction, "name" | "source">,
  { shape: { kind, parameters }, columns, table }: FunctionUse,
  nowMs: number,
): string {
  const { from, to } = openingState(table, nowMs);
  const base = { ...initialState(table.name), from, to, view: "table" as const };
  const state =
    kind === "aggregate"
      ? { ...base, aggregates: [{ fn: "count" as const }, { fn: name, columns }] }
      : {
          ...base,
          // Saved functions are called with columns: one of the whole row goes along as it is written.
          derive: [
            parameters.length > 0
              ? { as: name, function: name, args: columns }
              : { as: name, js: source },
          ],
          groupBy: [name],
        };
  return `/explore?${printUrl(state)}`;
}
