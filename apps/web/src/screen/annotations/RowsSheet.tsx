import { documentTitleMax, type Filter } from "@hadal/sdk";
import { useCallback, useEffect, useState } from "react";
import { useStore } from "zustand";
import { RowFilter } from "../../panel/form/filter/RowFilter.js";
import type { Session } from "../../session/session.js";
import { Fault } from "../../ui/field/Fault.js";
import { NamesField } from "../../ui/field/NamesField.js";
import { TextField } from "../../ui/field/TextField.js";
import { Sheet } from "../../ui/popup/Sheet.js";
import styles from "./annotations.module.css";
import type { Faults } from "./faults.js";
import { ChoiceField, SheetForm } from "./fields.js";
import type { EditSheetProps } from "./MomentSheet.js";
import { RowsPreview } from "./RowsPreview.js";
import { emptyRows, formOfRows, ofTable, type RowsForm, readRows } from "./rowsForm.js";
import { useSaving } from "./useSaving.js";

/** Rows of a table as annotations. */
export function RowsSheet({ session, document, onClose, onSaved }: EditSheetProps) {
  const [form, setForm] = useState(() => (document === null ? emptyRows : formOfRows(document)));
  const { faults, isSaving, save } = useSaving({ session, document, onSaved });
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={document === null ? "Annotations from a query" : "Annotations from this query"}
      width={560}
      testId="annotation-query-sheet"
    >
      <SheetForm
        {...{ faults, isSaving, onClose, isNew: document === null }}
        onSave={() => void save(form.title, readRows(form))}
      >
        <Fields {...{ session, form, faults }} onChange={setForm} />
        <RowsPreview client={session.client} form={form} />
      </SheetForm>
    </Sheet>
  );
}

interface FieldsProps {
  readonly session: Session;
  readonly form: RowsForm;
  readonly faults: Faults;
  readonly onChange: (change: (form: RowsForm) => RowsForm) => void;
}

function Fields({ session, form, faults, onChange }: FieldsProps) {
  const { tables, details } = useStore(session);
  const { table } = form;
  const isKnown = tables?.some(({ name }) => name === table) === true;
  useEffect(() => {
    if (isKnown) void session.loadTable(table);
  }, [session, table, isKnown]);
  const set = (part: Partial<RowsForm>): void => onChange((known) => ({ ...known, ...part }));
  const setFilter = useCallback(
    (filter: readonly Filter[]) => onChange((known) => ({ ...known, filter })),
    [onChange],
  );
  const names = (tables ?? []).map(({ name }) => name);
  const columns = (details.get(table)?.columns ?? [])
    .map(({ name }) => name)
    .filter((name) => name !== "time");
  return (
    <>
      <TextField
        label="Title"
        testId="rows-title"
        value={form.title}
        lengthMax={documentTitleMax}
        hint="Names the query, and each row whose own title is missing."
        fault={faults.title}
        onChange={(title) => set({ title })}
      />
      <ChoiceField
        label="Rows of"
        testId="rows-table"
        value={table}
        choices={names}
        none="choose a table…"
        fault={faults.query}
        onChange={(next) => onChange((known) => ofTable(known, next))}
      />
      {isKnown && (
        <RowFilter
          label="Only rows"
          {...{ session, table }}
          filter={form.filter}
          onChange={setFilter}
        />
      )}
      {table !== "" && <ColumnFields {...{ form, faults, columns }} onSet={set} />}
      <NamesField
        label="On charts of"
        testId="rows-tables"
        names={form.tables}
        choices={names}
        none={table === "" ? "the table itself" : table}
        fault={faults.tables}
        onChange={(next) => set({ tables: next })}
      />
      <Fault text={faults.derive ?? null} />
    </>
  );
}

interface ColumnFieldsProps {
  readonly form: RowsForm;
  readonly faults: Faults;
  readonly columns: readonly string[];
  readonly onSet: (part: Partial<RowsForm>) => void;
}

/** Which columns the annotations are made of. */
function ColumnFields({ form, faults, columns, onSet }: ColumnFieldsProps) {
  return (
    <>
      <div className={styles.pair}>
        <ChoiceField
          label="Column that names each annotation"
          testId="rows-title-column"
          value={form.titleColumn}
          choices={columns}
          none="choose a column…"
          fault={faults.titleColumn}
          onChange={(titleColumn) => onSet({ titleColumn })}
        />
        <ChoiceField
          label="Column of its text"
          testId="rows-text-column"
          value={form.textColumn}
          choices={columns}
          none="no text"
          fault={faults.textColumn}
          onChange={(textColumn) => onSet({ textColumn })}
        />
      </div>
      <NamesField
        label="Columns of its tags"
        testId="rows-tags"
        names={form.tagColumns}
        choices={columns}
        none="none"
        fault={faults.tagColumns}
        onChange={(tagColumns) => onSet({ tagColumns })}
      />
    </>
  );
}
