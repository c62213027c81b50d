import type { ColumnInfo } from "@hadal/sdk";
import type { Edit } from "../../draft/edit/edits.js";
import { usualGroup } from "../../query/state/groupChoice.js";
import { facetOf } from "./knownFacets.js";

/** Groups by a column in the way that suits its known values. */
export function groupEdit(table: string, columns: readonly ColumnInfo[], name: string): Edit {
  const column = columns.find((one) => one.name === name);
  const group = column === undefined ? name : usualGroup(column, facetOf(table, name));
  return { kind: "group by", group };
}
