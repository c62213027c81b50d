import type { Filter, Grant } from "@hadal/sdk";
import { type FormEvent, useCallback, useId, useState } from "react";
import { useStore } from "zustand";
import { readNames } from "../../../format/nameList.js";
import { RowFilter } from "../../../panel/form/filter/RowFilter.js";
import type { Session } from "../../../session/session.js";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import styles from "../base/people.module.css";
import {
  draftOf,
  emptyGrant,
  type GrantDraft,
  type Grantee,
  grantees,
  grantOf,
} from "./grantDraft.js";

export interface GrantFormProps {
  readonly session: Session;
  /** null: a new one. */
  readonly grant: Grant | null;
  /** Known names by kind, as suggestions. */
  readonly names: Readonly<Record<Grantee, readonly string[]>>;
  readonly onSave: (grant: Grant) => void;
  readonly onCancel: () => void;
}

const granteeText = { user: "user", group: "group", token: "token" } as const;

/** Who may read a table, which of its rows, and without which columns. */
export function GrantForm({ session, grant, names, onSave, onCancel }: GrantFormProps) {
  const [draft, setDraft] = useState(() => (grant === null ? emptyGrant : draftOf(grant)));
  const { tables } = useStore(session);
  const { name, table, filter } = draft;
  const isKnown = tables?.some((one) => one.name === table) === true;
  const set = (part: Partial<GrantDraft>): void => setDraft((known) => ({ ...known, ...part }));
  const setFilter = useCallback(
    (next: readonly Filter[]) => setDraft((known) => ({ ...known, filter: next })),
    [],
  );
  const save = (): void => onSave(grantOf(draft));
  const isComplete = name.trim() !== "" && table.trim() !== "";
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isComplete) save();
  };
  return (
    <section className={styles.editor} aria-label="Grant" data-testid="grant-form">
      <form className={styles.line} onSubmit={onSubmit}>
        <GranteeFields draft={draft} names={names} onChange={set} />
        <Suggested
          label="Table"
          testId="grant-table"
          value={table}
          placeholder="* for every table"
          names={["*", ...(tables ?? []).map((one) => one.name)]}
          onChange={(next) => set({ table: next, filter: next === table ? filter : [] })}
        />
      </form>
      <div className={styles.rowFilter}>
        {isKnown ? (
          <RowFilter session={session} table={table} filter={filter} onChange={setFilter} />
        ) : (
          <p className={styles.hint}>
            {table.trim() === ""
              ? "Choose a table to limit the rows."
              : "Every row. Rows can be limited by the columns of one table that exists."}
          </p>
        )}
      </div>
      <HiddenColumns
        session={session}
        table={table}
        hidden={draft.hidden}
        onChange={(hidden) => set({ hidden })}
      />
      <div className={styles.line}>
        <Button look="main" data-testid="save-grant" disabled={!isComplete} onClick={save}>
          {grant === null ? "Add grant" : "Save grant"}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </section>
  );
}

interface GranteeFieldsProps extends Pick<GrantFormProps, "names"> {
  readonly draft: GrantDraft;
  readonly onChange: (part: Partial<GrantDraft>) => void;
}

/** Whom the grant is for. */
function GranteeFields({ draft: { kind, name }, names, onChange }: GranteeFieldsProps) {
  return (
    <>
      <span className={styles.labelled}>
        For the
        <Select
          label="Kind of reader"
          testId="grant-kind"
          value={kind}
          options={grantees.map((value) => ({ value, label: granteeText[value] }))}
          onChange={(value) => onChange({ kind: value as Grantee, name: "" })}
        />
      </span>
      <Suggested
        label="Name"
        testId="grant-name"
        value={name}
        names={names[kind]}
        onChange={(next) => onChange({ name: next })}
      />
    </>
  );
}

interface HiddenColumnsProps {
  readonly session: Session;
  readonly table: string;
  readonly hidden: string;
  readonly onChange: (hidden: string) => void;
}

/** Columns can be hidden before they exist, so their names are typed; the table's own can be chosen. */
function HiddenColumns({ session, table, hidden, onChange }: HiddenColumnsProps) {
  const columns = useStore(session).details.get(table)?.columns ?? [];
  const chosen = readNames(hidden);
  const others = columns.filter(({ name }) => name !== "time" && !chosen.includes(name));
  return (
    <div className={styles.line}>
      <label className={styles.labelled}>
        Hidden columns
        <input
          className={styles.wide}
          data-testid="grant-hidden"
          value={hidden}
          placeholder="none; names with commas"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      {others.length > 0 && (
        <Select
          label="Hide a column"
          testId="hide-column"
          value=""
          options={[
            { value: "", label: "hide a column…" },
            ...others.map(({ name }) => ({ value: name, label: name })),
          ]}
          onChange={(name) => name !== "" && onChange([...chosen, name].join(", "))}
        />
      )}
    </div>
  );
}

interface SuggestedProps {
  readonly label: string;
  readonly testId: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly names: readonly string[];
  readonly onChange: (value: string) => void;
}

function Suggested({ label, testId, names, onChange, ...input }: SuggestedProps) {
  const listId = useId();
  return (
    <label className={styles.labelled}>
      {label}
      <input
        className={styles.input}
        data-testid={testId}
        list={listId}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        {...input}
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
