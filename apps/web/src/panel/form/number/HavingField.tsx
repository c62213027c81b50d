import type { Having, HavingOperator } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { orderNames } from "../../../draft/ask/order.js";
import { filterLabel } from "../../../query/filter/operators.js";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import { Fault } from "../../../ui/field/Fault.js";
import { PopupButton } from "../../../ui/popup/PopupButton.js";
import { useFormQuery } from "../../formQuery.js";
import { EditChip } from "../part/EditChip.js";
import { Field } from "../part/Field.js";
import styles from "../part/form.module.css";
import { firstAggregate, readHaving, takesValue } from "./havingDraft.js";

const operators: readonly (readonly [HavingOperator, string])[] = [
  [">", ">"],
  [">=", "≥"],
  ["<", "<"],
  ["<=", "≤"],
  ["=", "="],
  ["!=", "≠"],
  ["is present", "is present"],
  ["is missing", "is missing"],
];

/** Conditions on the aggregates: which groups are shown. */
export function HavingField() {
  const { state, dispatch, faultAt } = useFormQuery();
  const set = (having: readonly Having[]) => dispatch({ kind: "set having", having });
  return (
    <Field label="Keep groups" title="Keep only groups where … (SQL: HAVING)">
      <div className={styles.chips}>
        {state.having.map((condition, index) => (
          <EditChip
            key={filterLabel(condition)}
            testId="having-chip"
            title={filterLabel(condition)}
            fault={faultAt(`having ${index}`)}
            onRemove={() => set(state.having.toSpliced(index, 1))}
          >
            {(close) => (
              <HavingEditor
                initial={condition}
                onDone={(next) => {
                  set(state.having.with(index, next));
                  close();
                }}
              />
            )}
          </EditChip>
        ))}
        <PopupButton
          label="Add a condition on groups"
          title="Keep groups where … (SQL: HAVING)"
          testId="add-having"
          icon={<Plus size={14} />}
        >
          {(close) => (
            <HavingEditor
              initial={null}
              onDone={(next) => {
                set([...state.having, next]);
                close();
              }}
            />
          )}
        </PopupButton>
      </div>
      <Fault text={faultAt("having")} />
    </Field>
  );
}

interface HavingEditorProps {
  readonly initial: Having | null;
  readonly onDone: (condition: Having) => void;
}

function HavingEditor({ initial, onDone }: HavingEditorProps) {
  const { state } = useFormQuery();
  const names = orderNames(state);
  const [column, setColumn] = useState(
    initial?.column ?? firstAggregate(names, state.groupBy.length),
  );
  const [op, setOp] = useState<HavingOperator>(initial?.op ?? ">");
  const [text, setText] = useState(initial?.value === undefined ? "" : String(initial.value));
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const read = readHaving({ column, op, text });
    if (read.ok) onDone(read.condition);
    else setFault(read.reason);
  };
  return (
    <form className={styles.editor} onSubmit={submit} data-testid="having-editor">
      <div className={styles.line}>
        <Select
          label="Number or group"
          testId="having-column"
          value={column}
          options={names.map((name) => ({ value: name, label: name }))}
          onChange={setColumn}
        />
        <Select
          label="Operator"
          testId="having-operator"
          value={op}
          options={operators.map(([value, label]) => ({ value, label }))}
          onChange={(value) => setOp(value as HavingOperator)}
        />
      </div>
      {takesValue(op) && (
        <input
          className={styles.input}
          aria-label="Value"
          data-testid="having-value"
          placeholder="value"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <Fault text={fault} />
      <Button look="main" type="submit" data-testid="having-apply">
        Apply
      </Button>
    </form>
  );
}
