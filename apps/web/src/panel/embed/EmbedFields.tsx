import { type ColumnInfo, dashboardTitleMax, type Filter } from "@hadal/sdk";
import { useCallback } from "react";
import { allViews } from "../../chart/view/views.js";
import type { Session } from "../../session/session.js";
import { Fault } from "../../ui/field/Fault.js";
import { NamesField } from "../../ui/field/NamesField.js";
import { SelectField } from "../../ui/field/SelectField.js";
import { AreaField, TextField } from "../../ui/field/TextField.js";
import { RowFilter } from "../form/filter/RowFilter.js";
import { lengthInWords, viewName } from "./allowedInWords.js";
import styles from "./embed.module.css";
import {
  type EmbedFaults,
  type EmbedForm,
  expiryChoicesMs,
  longRangesMs,
  rangeChoicesMs,
} from "./embedForm.js";

export interface EmbedFieldsProps {
  readonly session: Session;
  readonly table: string;
  readonly columns: readonly ColumnInfo[];
  readonly form: EmbedForm;
  readonly faults: EmbedFaults;
  readonly onChange: (change: (form: EmbedForm) => EmbedForm) => void;
}

/** Everything that the embed allows. */
export function EmbedFields({ session, table, columns, form, faults, onChange }: EmbedFieldsProps) {
  const set = (part: Partial<EmbedForm>): void => onChange((known) => ({ ...known, ...part }));
  const setFilter = useCallback(
    (filter: readonly Filter[]) => onChange((known) => ({ ...known, filter })),
    [onChange],
  );
  return (
    <div className={styles.fields}>
      <PageFields {...{ form, faults, set }} />
      <div className={styles.field}>
        <RowFilter
          label="Only rows"
          {...{ session, table }}
          filter={form.filter}
          onChange={setFilter}
        />
        <span className={styles.quiet}>
          Added to every query of a visitor, who cannot remove it.
        </span>
        <Fault text={faults.filter ?? null} />
      </div>
      <QueryFields {...{ columns, form, faults, set }} />
      <LimitFields {...{ form, faults, set }} />
    </div>
  );
}

interface PartProps {
  readonly form: EmbedForm;
  readonly faults: EmbedFaults;
  readonly set: (part: Partial<EmbedForm>) => void;
}

/** What the chart is called, and the pages that may show it. */
function PageFields({ form, faults, set }: PartProps) {
  return (
    <>
      <TextField
        label="Title"
        testId="embed-title"
        value={form.title}
        lengthMax={dashboardTitleMax}
        fault={faults.title}
        onChange={(title) => set({ title })}
      />
      <AreaField
        rows={2}
        spellCheck={false}
        label="Pages that may show it"
        testId="embed-hosts"
        value={form.hosts}
        example={"https://intranet.example\nhttps://*.shop.example"}
        hint="Origins, one a line. Every other page is refused by the browser."
        fault={faults.hosts}
        onChange={(hosts) => set({ hosts })}
      />
    </>
  );
}

/** What a visitor may ask about the rows. */
function QueryFields({
  columns,
  form,
  faults,
  set,
}: PartProps & Pick<EmbedFieldsProps, "columns">) {
  const own = columns.map(({ name }) => name).filter((name) => name !== "time");
  return (
    <>
      <NamesField
        label="Views"
        testId="embed-views"
        names={form.views}
        choices={allViews.map(({ id }) => id)}
        textOf={viewName}
        none="none"
        fault={faults.views}
        onChange={(views) => set({ views })}
      />
      <NamesField
        label="Columns to group by"
        testId="embed-group-by"
        names={form.groupBy}
        choices={["time", ...own.filter((name) => !form.hiddenColumns.includes(name))]}
        none="none: totals only"
        fault={faults.groupBy}
        onChange={(groupBy) => set({ groupBy })}
      />
      <NamesField
        label="Hidden columns"
        testId="embed-hidden"
        names={form.hiddenColumns}
        choices={own.filter((name) => !form.groupBy.includes(name))}
        none="none"
        fault={faults.hiddenColumns}
        onChange={(hiddenColumns) => set({ hiddenColumns })}
      />
    </>
  );
}

/** How far a query may reach, and how long a token is valid. */
function LimitFields({ form, faults, set }: PartProps) {
  return (
    <div className={styles.line}>
      <LengthField
        label="Longest range"
        testId="embed-range"
        choices={[...rangeChoicesMs, ...longRangesMs]}
        value={form.rangeMsMax}
        fault={faults.rangeMsMax}
        onChange={(rangeMsMax) => set({ rangeMsMax })}
      />
      <LengthField
        label="A token ends after"
        testId="embed-expires"
        choices={expiryChoicesMs}
        value={form.expiresInMs}
        fault={faults.expiresInMs}
        onChange={(expiresInMs) => set({ expiresInMs })}
      />
    </div>
  );
}

interface LengthFieldProps {
  readonly label: string;
  readonly testId: string;
  readonly choices: readonly number[];
  readonly value: number;
  readonly fault: string | undefined;
  readonly onChange: (ms: number) => void;
}

function LengthField({ label, testId, choices, value, fault, onChange }: LengthFieldProps) {
  const offered = choices.includes(value) ? choices : [...choices, value];
  return (
    <SelectField
      {...{ label, testId, fault }}
      value={String(value)}
      options={offered.map((ms) => ({ value: String(ms), label: lengthInWords(ms) }))}
      onChange={(ms) => onChange(Number(ms))}
    />
  );
}
