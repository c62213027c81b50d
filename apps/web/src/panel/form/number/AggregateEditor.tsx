import { aggregateFns, aggregateMeanings, type RateUnit } from "@hadal/sdk";
import { type FormEvent, useState } from "react";
import { type Aggregate, isNumber, type Plain } from "../../../query/number/aggregate.js";
import { Button } from "../../../ui/button/Button.js";
import { Select, type SelectOption } from "../../../ui/button/Select.js";
import { Fault } from "../../../ui/field/Fault.js";
import { useFormQuery } from "../../formQuery.js";
import { ConditionLine } from "../filter/ConditionLine.js";
import styles from "../part/form.module.css";
import { useSavedFunctions } from "../part/useSavedFunctions.js";
import {
  type AggregateDraft,
  chosenColumn,
  draftOf,
  isAdditiveFn,
  isSavedFn,
  readDraft,
  savedFn,
  takesColumn,
  takesCondition,
} from "./aggregateDraft.js";

const rates: readonly RateUnit[] = ["second", "minute", "hour"];
const rateOptions = [
  { value: "", label: "in total" },
  ...rates.map((unit) => ({ value: unit, label: `per ${unit}` })),
];

export interface AggregateEditorProps {
  readonly initial: Plain;
  /** The other aggregates; names must be unique. */
  readonly taken: readonly Aggregate[];
  readonly onDone: (spec: Aggregate) => void;
}

/** Edits an aggregate: function, column, rate, condition, name. */
export function AggregateEditor({ initial, taken, onDone }: AggregateEditorProps) {
  const { columns } = useFormQuery();
  const [draft, setDraft] = useState(() => draftOf(initial));
  const [fault, setFault] = useState<string | null>(null);
  const set = (part: Partial<AggregateDraft>): void => {
    setDraft({ ...draft, ...part });
    setFault(null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const read = readDraft(draft, columns, taken);
    if (read.ok) onDone(read.spec);
    else setFault(read.reason);
  };
  return (
    <form className={styles.editor} onSubmit={submit} data-testid="aggregate-editor">
      <FunctionLine draft={draft} onChange={set} />
      {isSavedFn(draft.fn) ? (
        <ArgumentList draft={draft} onChange={set} />
      ) : (
        draft.fn !== "count.raw" && <ColumnSelect draft={draft} onChange={set} />
      )}
      {isAdditiveFn(draft.fn) && (
        <Select
          label="Rate"
          testId="aggregate-per"
          value={draft.per}
          options={rateOptions}
          onChange={(per) => set({ per })}
        />
      )}
      {takesCondition(draft.fn) && (
        <ConditionLine
          testId="aggregate-where"
          where={draft.where}
          onChange={(where) => set({ where })}
        />
      )}
      <label className={styles.wide}>
        Name
        <input
          className={styles.input}
          data-testid="aggregate-as"
          placeholder="default"
          value={draft.as}
          spellCheck={false}
          onChange={(event) => set({ as: event.target.value })}
        />
      </label>
      <Fault text={fault} />
      <Button look="main" type="submit" data-testid="aggregate-apply">
        Apply
      </Button>
    </form>
  );
}

interface PartProps {
  readonly draft: AggregateDraft;
  readonly onChange: (part: Partial<AggregateDraft>) => void;
}

function FunctionLine({ draft, onChange }: PartProps) {
  const saved = useSavedFunctions("aggregate");
  const options: SelectOption[] = [
    // No view of the form draws a histogram; one from SQL stays selectable.
    ...aggregateFns
      .filter((fn) => isNumber({ fn }) || fn === draft.fn)
      .map((value) => ({ value, label: aggregateMeanings[value].words })),
    ...saved.map(({ name }) => ({ value: savedFn(name), label: `ƒ ${name}` })),
  ];
  return (
    <div className={styles.line}>
      <Select
        label="Function"
        testId="aggregate-fn"
        value={draft.fn}
        options={options}
        onChange={(fn) => onChange({ fn })}
      />
      {draft.fn === "percentile" && (
        <input
          aria-label="Percentile"
          data-testid="aggregate-p"
          className={styles.shortInput}
          inputMode="decimal"
          value={draft.p}
          onChange={(event) => onChange({ p: event.target.value })}
        />
      )}
    </div>
  );
}

function ColumnSelect({ draft, onChange }: PartProps) {
  const { columns } = useFormQuery();
  const taken = columns.filter((column) => takesColumn(draft.fn, column));
  return (
    <Select
      label="Column"
      testId="aggregate-column"
      value={chosenColumn(draft, columns)}
      options={[
        ...(draft.fn === "count" ? [{ value: "", label: "rows" }] : []),
        ...taken.map(({ name }) => ({ value: name, label: name })),
      ]}
      onChange={(column) => onChange({ column })}
    />
  );
}

/** The arguments of a saved function, in order. Each can be removed, and one more can be added. */
function ArgumentList({ draft, onChange }: PartProps) {
  const { columns } = useFormQuery();
  const options = columns
    .filter((column) => takesColumn(draft.fn, column))
    .map(({ name }) => ({ value: name, label: name }));
  const given = draft.columns.map((name, index) => ({ name, place: `${index + 1}` }));
  return (
    <>
      {given.map(({ name, place }, index) => (
        <Select
          key={place}
          label={`Argument ${place}`}
          testId="aggregate-argument"
          value={name}
          options={[...options, { value: "", label: "no argument" }]}
          onChange={(next) =>
            onChange({
              columns:
                next === "" ? draft.columns.toSpliced(index, 1) : draft.columns.with(index, next),
            })
          }
        />
      ))}
      <Select
        key={`${given.length} more`}
        label={`Argument ${given.length + 1}`}
        testId="aggregate-argument-add"
        value=""
        options={[{ value: "", label: "add a column…" }, ...options]}
        onChange={(next) => onChange({ columns: [...draft.columns, next] })}
      />
    </>
  );
}
