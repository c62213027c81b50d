import { createHash } from "node:crypto";
import { type EmbedScope, type Filter, rowsView } from "@hadal/sdk";
import type { Readable, TableGrant } from "../../base/access/readable.js";

/** What an embed shows: within its scope, and within what whoever made it may read now. */
export function readableOfEmbed(
  scope: Pick<
    EmbedScope,
    "table" | "views" | "filter" | "hiddenColumns" | "groupBy" | "rangeMsMax"
  >,
  maker: Readable,
): Readable {
  const { table, views, filter, hiddenColumns, groupBy, rangeMsMax } = scope;
  const given = maker.of(table);
  const grant: TableGrant | null = given && {
    rows: rowsOf(given, filter),
    hiddenColumns: [...new Set([...given.hiddenColumns, ...hiddenColumns])].sort(),
    bounds: { rows: views.includes(rowsView), groupBy: [...groupBy].sort(), rangeMsMax },
  };
  const key = createHash("sha256")
    .update(JSON.stringify([table, grant]))
    .digest("base64url");
  return { of: (name) => (name === table ? grant : null), key, isEmbed: true };
}

/**
 * Rows that pass what the maker's grants say and the filter of the embed. A filter may read a column that the embed
 * hides, but none that is hidden from its maker: then no row passes, as if there were no such column.
 */
function rowsOf(
  { rows, hiddenColumns }: TableGrant,
  filter: readonly Filter[],
): TableGrant["rows"] {
  if (filter.length === 0) return rows;
  if (filter.some((one) => readsAny(one, hiddenColumns))) return [];
  return rows === null ? [filter] : rows.map((own) => [...own, ...filter]);
}

function readsAny(filter: Filter, columns: readonly string[]): boolean {
  if ("any" in filter) return filter.any.some((one) => readsAny(one, columns));
  if ("all" in filter) return filter.all.some((one) => readsAny(one, columns));
  if ("not" in filter) return readsAny(filter.not, columns);
  return columns.includes(filter.column);
}
