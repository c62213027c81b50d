import type { ColumnInfo, Query, Result, ResultColumn } from "@hadal/sdk";
import type { ExploreState } from "../../query/state/exploreState.js";

/** Asks for the newest row, which has the types of the derived columns. */
export const derivedQuery = ({
  table,
  from,
  to,
  derive,
}: Pick<ExploreState, "table" | "from" | "to" | "derive">): Query => ({
  ...{ table, from, to, derive },
  ...{ sampleView: { columns: derive.map(({ as }) => as) }, limit: 1 },
});

/** The derived columns as that row has them; null: as texts. */
export function derivedInfos(
  derive: ExploreState["derive"],
  result: Pick<Result, "columns"> | null,
): ColumnInfo[] {
  const names = derive.map(({ as }) => as);
  const columns: readonly ResultColumn[] =
    result?.columns ?? names.map((name) => ({ name, type: "string", role: "sample" }));
  return columns.filter(({ name }) => names.includes(name)).map(infoOf);
}

function infoOf({ name, type, unit, decimals }: ResultColumn): ColumnInfo {
  const stored = type === "string" || type === "set" || type === "vector" ? type : "int";
  return {
    name,
    type: stored,
    decimals: decimals ?? 0,
    ...(unit !== undefined && { unit }),
    rows: 0,
    bytes: 0,
    compressionRatio: null,
  };
}
