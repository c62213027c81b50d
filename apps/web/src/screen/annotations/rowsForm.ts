import type { AnnotationQueryBody, Filter, SavedDocument } from "@hadal/sdk";
import { checkAnnotationQuery } from "@hadal/sdk/checks";
import { type Faults, faultsOfError } from "./faults.js";

/** Rows as annotations, as the form has them. */
export interface RowsForm {
  readonly title: string;
  readonly table: string;
  readonly filter: readonly Filter[];
  readonly titleColumn: string;
  /** Empty: none. */
  readonly textColumn: string;
  readonly tagColumns: readonly string[];
  /** None: charts of the table itself. */
  readonly tables: readonly string[];
  /** Columns that the rows have beside those of the table; kept as they are. */
  readonly derive: AnnotationQueryBody["query"]["derive"];
}

export const emptyRows: RowsForm = {
  ...{ title: "", table: "", filter: [], titleColumn: "", textColumn: "" },
  ...{ tagColumns: [], tables: [], derive: undefined },
};

export function formOfRows({ title, body }: SavedDocument): RowsForm {
  const {
    query,
    textColumn = "",
    tagColumns = [],
    tables = [],
    ...rest
  } = checkAnnotationQuery(body);
  const { table, filter = [], derive } = query;
  return { title, table, filter, derive, textColumn, tagColumns, tables, ...rest };
}

/** Another table has other columns. */
export const ofTable = (form: RowsForm, table: string): RowsForm =>
  table === form.table ? form : { ...emptyRows, title: form.title, tables: form.tables, table };

export type ReadRows =
  | { readonly ok: true; readonly body: AnnotationQueryBody }
  | { readonly ok: false; readonly faults: Faults };

export function readRows(form: RowsForm): ReadRows {
  const { title, table, filter, derive, titleColumn, textColumn, tagColumns, tables } = form;
  const missing: Faults = {
    ...(title.trim() === "" && { title: "Give it a title." }),
    ...(table === "" && { query: "Choose a table." }),
    ...(titleColumn === "" && { titleColumn: "Choose the column that names each annotation." }),
  };
  if (Object.keys(missing).length > 0) return { ok: false, faults: missing };
  const query = {
    ...{ table, ...(filter.length > 0 && { filter }) },
    ...(derive !== undefined && { derive }),
  };
  const body: AnnotationQueryBody = {
    ...{ query, titleColumn, ...(textColumn !== "" && { textColumn }) },
    ...(tagColumns.length > 0 && { tagColumns }),
    ...(tables.length > 0 && { tables }),
  };
  try {
    return { ok: true, body: checkAnnotationQuery(body) };
  } catch (error) {
    return { ok: false, faults: faultsOfError(error) };
  }
}
