import type { DerivedColumn } from "@hadal/sdk";
import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import { Fault } from "../../../ui/field/Fault.js";
import { useFormQuery } from "../../formQuery.js";
import styles from "../part/form.module.css";
import { useSavedFunctions } from "../part/useSavedFunctions.js";
import { type DeriveDraft, type DeriveWay, draftOf, readDerive } from "./deriveDraft.js";

const ways: readonly { readonly value: DeriveWay; readonly label: string }[] = [
  { value: "expression", label: "expression" },
  { value: "js", label: "JavaScript" },
  { value: "function", label: "saved function" },
];

const examples: Readonly<Record<Exclude<DeriveWay, "function">, string>> = {
  expression: "CASE WHEN latency_us > 1000000 THEN 'slow' ELSE 'ok' END",
  js: "(row) => row.latency_us > 1e6 ? 'slow' : 'ok'",
};

export interface DeriveEditorProps {
  readonly initial: DerivedColumn | null;
  readonly onDone: (column: DerivedColumn) => void;
}

/** Edits a derived column: an SQL expression, JavaScript, or a saved function. */
export function DeriveEditor({ initial, onDone }: DeriveEditorProps) {
  const { columns } = useFormQuery();
  const [draft, setDraft] = useState(() => draftOf(initial));
  const [fault, setFault] = useState<string | null>(null);
  const set = (part: Partial<DeriveDraft>): void => setDraft((known) => ({ ...known, ...part }));
  useExpressionText(initial, (text) => set({ text }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    event.stopPropagation();
    const names = columns.map(({ name }) => name);
    const taken = names.filter((name) => name !== initial?.as);
    const read = await readDerive(draft, names, taken);
    if (read.ok) onDone(read.column);
    else setFault(read.reason);
  };
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => void submit(event)}
      data-testid="derive-editor"
    >
      <div className={styles.line}>
        <input
          className={`${styles.input} ${styles.grow}`}
          aria-label="Name of the column"
          placeholder="name"
          data-testid="derive-name"
          value={draft.as}
          spellCheck={false}
          onChange={(event) => set({ as: event.target.value })}
        />
        <Select
          label="Computed by"
          testId="derive-way"
          value={draft.way}
          options={ways}
          onChange={(value) => set({ way: value as DeriveWay })}
        />
      </div>
      {draft.way === "function" ? (
        <CallInputs draft={draft} onChange={set} />
      ) : (
        <textarea
          className={styles.code}
          aria-label={draft.way === "js" ? "Function of the row" : "Expression"}
          placeholder={examples[draft.way]}
          data-testid="derive-text"
          rows={4}
          value={draft.text}
          spellCheck={false}
          onChange={(event) => set({ text: event.target.value })}
        />
      )}
      <Fault text={fault} />
      <Button look="main" type="submit" data-testid="derive-apply">
        Apply
      </Button>
    </form>
  );
}

interface CallInputsProps {
  readonly draft: DeriveDraft;
  readonly onChange: (part: Partial<DeriveDraft>) => void;
}

function CallInputs({ draft, onChange }: CallInputsProps) {
  const saved = useSavedFunctions("scalar");
  return (
    <>
      <Select
        label="Saved function"
        testId="derive-function"
        value={draft.fn}
        options={[
          { value: "", label: saved.length === 0 ? "no saved functions" : "function…" },
          ...saved.map(({ name }) => ({ value: name, label: name })),
        ]}
        onChange={(fn) => onChange({ fn })}
      />
      <input
        className={styles.input}
        aria-label="Columns passed to the function"
        placeholder="columns: a, b"
        data-testid="derive-args"
        value={draft.args}
        spellCheck={false}
        onChange={(event) => onChange({ args: event.target.value })}
      />
    </>
  );
}

/** Fills the editor with the expression as SQL. */
function useExpressionText(initial: DerivedColumn | null, onText: (text: string) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the initial column
  useEffect(() => {
    if (initial === null || !("expression" in initial)) return;
    let current = true;
    void import("../../../draft/text/sqlParts.js").then(
      ({ printExpression }) => current && onText(printExpression(initial.expression)),
    );
    return () => {
      current = false;
    };
  }, []);
}
