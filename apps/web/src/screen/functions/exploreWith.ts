import type { TableDetail, UserFunction } from "@hadal/sdk";
import { printUrl } from "../../draft/url/url.js";
import { initialState } from "../../query/state/exploreState.js";
import { openingState } from "../../query/state/opening.js";
import type { FunctionShape } from "./functionShape.js";

/** The arguments of the function, and the table. */
export interface FunctionUse {
  readonly shape: FunctionShape;
  readonly columns: readonly string[];
  readonly table: TableDetail;
}

/** The address of Explore with the function as a derived column to group by, or an aggregate. */
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
          // Saved functions take columns, so a function of the whole row is copied into the query.
          derive: [
            parameters.length > 0
              ? { as: name, function: name, args: columns }
              : { as: name, js: source },
          ],
          groupBy: [name],
        };
  return `/explore?${printUrl(state)}`;
}
