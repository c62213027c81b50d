import {
  type AggregateFn,
  type AggregateSpec,
  aggregateFns,
  type ColumnInfo,
  type RateUnit,
  timeColumn,
} from "@hadal/sdk";
import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { aggregateLabel } from "../../../query/labels.js";
import { Button } from "../../../ui/Button.js";
import { ChipTrigger } from "../../../ui/Chip.js";
import { Popup } from "../../../ui/Popup.js";
import { Select } from "../../../ui/Select.js";
import { useExplore } from "../explore.js";
import { Fault, Field } from "./Field.js";
import styles from "./form.module.css";

/** What is counted, summed, measured: a chip per number. */
export function AggregatesField() {
  const { state, dispatch, faultAt } = useExplore();
  const [adding, setAdding] = useState(false);
  return (
    <Field label="Show">
      <div className={styles.chips}>
        {state.aggregates.map((spec, index) => (
          <AggregateChip key={aggregateLabel(spec)} spec={spec} index={index} />
        ))}
        <Popup
          open={adding}
          onOpenChange={setAdding}
          label="Add an aggregate"
          trigger={
            <Button
              look="quiet"
              data-testid="add-aggregate"
              title="Add a number to show"
              aria-label="Add aggregate"
            >
              <Plus size={14} />
            </Button>
          }
        >
          <AggregateEditor
            initial={{ fn: "percentile", p: 95 }}
            onDone={(spec) => {
              dispatch({ kind: "add aggregate", spec });
              setAdding(false);
            }}
          />
        </Popup>
      </div>
      <Fault text={faultAt("aggregates")} />
    </Field>
  );
}

function AggregateChip({ spec, index }: { readonly spec: AggregateSpec; readonly index: number }) {
  const { state, dispatch, faultAt } = useExplore();
  const [open, setOpen] = useState(false);
  const label = aggregateLabel(spec);
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      label={label}
      trigger={
        <ChipTrigger
          testId="aggregate-chip"
          title={label}
          fault={faultAt(`aggregate ${index}`)}
          onRemove={
            state.aggregates.length === 1
              ? undefined
              : () => dispatch({ kind: "remove aggregate", index })
          }
        />
      }
    >
      <AggregateEditor
        initial={spec}
        onDone={(next) => {
          dispatch({ kind: "replace aggregate", index, spec: next });
          setOpen(false);
        }}
      />
    </Popup>
  );
}

const fnNames: Readonly<Partial<Record<AggregateFn, string>>> = {
  "count.raw": "stored rows",
  avg: "average",
  min: "minimum",
  max: "maximum",
};
const additiveFns: readonly AggregateFn[] = ["count", "count.raw", "sum"];
const rates: readonly RateUnit[] = ["second", "minute", "hour"];

const rateOptions = [
  { value: "", label: "in total" },
  ...rates.map((unit) => ({ value: unit, label: `per ${unit}` })),
];

interface AggregateEditorProps {
  readonly initial: AggregateSpec;
  readonly onDone: (spec: AggregateSpec) => void;
}

function AggregateEditor({ initial, onDone }: AggregateEditorProps) {
  const { table } = useExplore();
  const [fn, setFn] = useState<AggregateFn>(initial.fn);
  const [column, setColumn] = useState(initial.column ?? "");
  const [p, setP] = useState(String(initial.p ?? 95));
  const [per, setPer] = useState<string>(initial.per ?? "");
  const [fault, setFault] = useState<string | null>(null);
  const columns = (table?.columns ?? []).filter((one) => takes(fn, one));
  const chosen = columns.some((one) => one.name === column) ? column : defaultColumn(fn, columns);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const share = Number(p);
    if (fn === "percentile" && !(share > 0 && share < 100)) {
      setFault("A percentile lies between 0 and 100.");
    } else if (chosen === "" && fn !== "count" && fn !== "count.raw") {
      setFault("This table has no column of numbers.");
    } else onDone(specOf(fn, chosen, share, per));
  };
  return (
    <form className={styles.editor} onSubmit={submit} data-testid="aggregate-editor">
      <div className={styles.line}>
        <Select
          label="Function"
          testId="aggregate-fn"
          value={fn}
          options={aggregateFns.map((value) => ({ value, label: fnNames[value] ?? value }))}
          onChange={(value) => setFn(value as AggregateFn)}
        />
        {fn === "percentile" && <PercentileInput value={p} onChange={setP} />}
      </div>
      {fn !== "count.raw" && (
        <Select
          label="Column"
          testId="aggregate-column"
          value={chosen}
          options={[
            ...(fn === "count" ? [{ value: "", label: "rows" }] : []),
            ...columns.map(({ name }) => ({ value: name, label: name })),
          ]}
          onChange={setColumn}
        />
      )}
      {additiveFns.includes(fn) && (
        <Select
          label="Rate"
          testId="aggregate-per"
          value={per}
          options={rateOptions}
          onChange={setPer}
        />
      )}
      <Fault text={fault} />
      <Button look="main" type="submit" data-testid="aggregate-apply">
        Apply
      </Button>
    </form>
  );
}

interface PercentileInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function PercentileInput({ value, onChange }: PercentileInputProps) {
  return (
    <input
      aria-label="Percentile"
      data-testid="aggregate-p"
      className={styles.shortInput}
      inputMode="decimal"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Counts take any column, the rest only numbers. */
function takes(fn: AggregateFn, column: ColumnInfo): boolean {
  if (column.name === timeColumn) return false;
  return fn === "count" || column.type === "int";
}

/** A measure is the better guess than an id. */
function defaultColumn(fn: AggregateFn, columns: readonly ColumnInfo[]): string {
  if (fn === "count" || fn === "count.raw") return "";
  return (columns.find((column) => column.unit !== undefined) ?? columns[0])?.name ?? "";
}

function specOf(fn: AggregateFn, column: string, p: number, per: string): AggregateSpec {
  return {
    fn,
    ...(column !== "" && fn !== "count.raw" && { column }),
    ...(fn === "percentile" && { p }),
    ...(per !== "" && additiveFns.includes(fn) && { per: per as RateUnit }),
  };
}
