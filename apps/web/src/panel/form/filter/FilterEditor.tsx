import type { ColumnInfo, Filter, FilterOperator } from "@hadal/sdk";
import { X } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { conditionOf, leavesOut, orMissing } from "../../../query/filter/filterTree.js";
import {
  makeFilter,
  operatorLabel,
  operatorsFor,
  takesNoValue,
  valuesOf,
} from "../../../query/filter/operators.js";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import { Fault } from "../../../ui/field/Fault.js";
import { useFormQuery } from "../../formQuery.js";
import { ColumnPick } from "../../menu/ColumnPick.js";
import styles from "../part/form.module.css";
import { ValuePick } from "../part/ValuePick.js";
import { joinTokens, splitTyped } from "./filterTokens.js";

export interface FilterEditorProps {
  /** A filter on one column; null: a new one. */
  readonly initial: Filter | null;
  /** The column of a new filter. */
  readonly column?: string | null;
  readonly onDone: (filter: Filter) => void;
}

/** Picks the column, then the operator and the values. */
export function FilterEditor({ initial, column: first = null, onDone }: FilterEditorProps) {
  const { columns } = useFormQuery();
  const [columnName, setColumnName] = useState(
    initial === null ? first : (conditionOf(initial)?.column ?? null),
  );
  const column = columns.find(({ name }) => name === columnName);
  if (column === undefined) {
    return <ColumnPick label="Filter by column" testId="filter-column" onPick={setColumnName} />;
  }
  return <ConditionEditor column={column} initial={initial} onDone={onDone} />;
}

interface ConditionEditorProps extends Pick<FilterEditorProps, "initial" | "onDone"> {
  readonly column: ColumnInfo;
}

function ConditionEditor({ column, initial, onDone }: ConditionEditorProps) {
  const { variables } = useFormQuery();
  const condition = initial === null ? null : conditionOf(initial);
  const [op, setOp] = useState<FilterOperator>(
    condition?.op ?? operatorsFor(column.type)[0] ?? "is present",
  );
  const [withMissing, setWithMissing] = useState(initial !== condition);
  const [tokens, setTokens] = useState<readonly string[]>(
    condition === null ? [] : valuesOf(condition).map(String),
  );
  const [typing, setTyping] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const formRef = useRef<HTMLFormElement>(null);
  const isOpen = !takesNoValue(op);
  const add = (texts: readonly string[]): void => {
    setTokens(joinTokens(tokens, texts, op));
    setFault(null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    // Typed text counts as a value even without Enter.
    const typed = typing.trim() === "" ? [] : splitTyped(typing, op);
    const draft = makeFilter(column, op, joinTokens(tokens, typed, op), variables);
    if (!draft.ok) setFault(draft.reason);
    else onDone(withMissing && isOpen ? orMissing(draft.filter) : draft.filter);
  };
  return (
    <form ref={formRef} className={styles.editor} onSubmit={submit} data-testid="filter-editor">
      <ConditionHead column={column} op={op} onOp={setOp} />
      {isOpen && (
        <TokenList tokens={tokens} onRemove={(index) => setTokens(tokens.toSpliced(index, 1))} />
      )}
      {isOpen && (
        <ValuePick
          column={column}
          tokens={tokens}
          onPick={(value) => add([value])}
          onText={(text) => add(splitTyped(text, op))}
          onTyping={setTyping}
          onEmptyEnter={tokens.length > 0 ? () => formRef.current?.requestSubmit() : undefined}
        />
      )}
      {isOpen && (leavesOut(op) || withMissing) && (
        <MissingChoice checked={withMissing} onChange={setWithMissing} />
      )}
      <Fault text={fault} />
      <Button look="main" type="submit" data-testid="filter-apply">
        Apply
      </Button>
    </form>
  );
}

interface ConditionHeadProps {
  readonly column: ColumnInfo;
  readonly op: FilterOperator;
  readonly onOp: (op: FilterOperator) => void;
}

function ConditionHead({ column, op, onOp }: ConditionHeadProps) {
  return (
    <div className={styles.line}>
      <strong className={styles.clip} title={column.name}>
        {column.name}
      </strong>
      <Select
        label="Operator"
        testId="filter-operator"
        value={op}
        options={operatorsFor(column.type).map((value) => ({ value, label: operatorLabel(value) }))}
        onChange={(value) => onOp(value as FilterOperator)}
      />
    </div>
  );
}

interface MissingChoiceProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function MissingChoice({ checked, onChange }: MissingChoiceProps) {
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        checked={checked}
        data-testid="filter-or-missing"
        onChange={(event) => onChange(event.target.checked)}
      />
      also rows without a value
    </label>
  );
}

interface TokenListProps {
  readonly tokens: readonly string[];
  readonly onRemove: (index: number) => void;
}

function TokenList({ tokens, onRemove }: TokenListProps) {
  if (tokens.length === 0) return null;
  return (
    <div className={styles.chips}>
      {tokens.map((token, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may contain a token twice.
        <span key={`${index} ${token}`} className={styles.token}>
          <span className={styles.clip}>{token === "" ? '""' : token}</span>
          <button type="button" aria-label={`Remove ${token}`} onClick={() => onRemove(index)}>
            <X size={11} />
          </button>
        </span>
      ))}
    </div>
  );
}
