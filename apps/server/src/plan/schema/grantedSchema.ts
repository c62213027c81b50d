import { timeColumn } from "@hadal/sdk";
import type { TableGrant } from "../../base/access/readable.js";
import type { TableSchema } from "./tableSchema.js";

/** The table as whoever has the grant may read it. Its time is always readable: every query has a range. */
export function grantedSchema(
  table: TableSchema,
  { rows, hiddenColumns, bounds }: TableGrant,
): TableSchema {
  const isWhole = rows === null && hiddenColumns.length === 0;
  if (isWhole && bounds === undefined) return table;
  const hidden = new Set(hiddenColumns.filter((name) => name !== timeColumn));
  const isReadable = ([name]: readonly [string, unknown]): boolean => !hidden.has(name);
  return {
    name: table.name,
    columns: new Map([...table.columns].filter(isReadable)),
    mixed: new Map([...table.mixed].filter(isReadable)),
    grant: { rows, columns: table.columns, ...(bounds && { bounds }) },
  };
}
