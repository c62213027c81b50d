import type { Result } from "@hadal/sdk";
import {
  differingColumns,
  type ShownColumn,
  shownColumns,
  withMessageFirst,
} from "../../kit/rows/rowColumns.js";

export interface RowsLook {
  readonly timeZone: string;
  /** The column with the row's message. */
  readonly message: string | null;
  /** The view's option; undefined: columns were chosen. */
  readonly columns: string | undefined;
}

/** All columns of the rows, and the columns that are shown. */
export function columnsOfRows(
  result: Result,
  { timeZone, message, columns }: RowsLook,
): { readonly all: readonly ShownColumn[]; readonly shown: readonly ShownColumn[] } {
  // Chosen columns keep the chosen order.
  const place = { name: message, isChosen: columns === undefined };
  const all = withMessageFirst(shownColumns(result, timeZone), result.rows, place);
  return { all, shown: columns === "differing" ? differingColumns(all, result.rows) : all };
}
