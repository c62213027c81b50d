import { Plus, X } from "lucide-react";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import styles from "../base/tables.module.css";
import { ageUnits } from "./retentionText.js";
import { nextStep, thinningByOptions, type WrittenStep } from "./thinningText.js";

export interface ThinningFieldsProps {
  readonly steps: readonly WrittenStep[];
  readonly onChange: (steps: readonly WrittenStep[]) => void;
}

const unitOptions = ageUnits.map(({ name }) => ({ value: name, label: name }));

/** Edits the thinning steps: from an age on, one row in N is kept. */
export function ThinningFields({ steps, onChange }: ThinningFieldsProps) {
  const change = (at: number, step: Partial<WrittenStep>): void =>
    onChange(steps.map((one, i) => (i === at ? { ...one, ...step } : one)));
  return (
    <fieldset className={styles.steps} data-testid="thinning">
      <legend>Thin old rows</legend>
      {steps.map((step, i) => (
        <StepLine
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position.
          key={i}
          step={step}
          place={i + 1}
          onChange={(part) => change(i, part)}
          onRemove={() => onChange(steps.filter((_, at) => at !== i))}
        />
      ))}
      <Button
        look="quiet"
        data-testid="add-thinning"
        onClick={() => onChange([...steps, nextStep(steps)])}
      >
        <Plus size={14} aria-hidden="true" />{" "}
        {steps.length === 0 ? "Add a step" : "Add a later step"}
      </Button>
      {steps.length > 0 && (
        <p className={styles.hint}>
          The kept rows are chosen at random and represent the deleted ones (
          <code>sample_rate</code>): counts and sums become estimates with error bars. Thinned by
          the values of a column, a value is kept with all of its rows; in groups, rare ones are
          kept whole.
        </p>
      )}
    </fieldset>
  );
}

interface StepLineProps {
  readonly step: WrittenStep;
  /** The number of the step, from 1. */
  readonly place: number;
  readonly onChange: (part: Partial<WrittenStep>) => void;
  readonly onRemove: () => void;
}

function StepLine({ step, place, onChange, onRemove }: StepLineProps) {
  const { age, keepOneIn } = step;
  const label = `Step ${place}`;
  return (
    <div className={styles.step}>
      <span>after</span>
      <input
        className={styles.number}
        aria-label={`${label}: age`}
        inputMode="decimal"
        value={age.text}
        onChange={(event) => onChange({ age: { ...age, text: event.target.value } })}
      />
      <Select
        label={`${label}: unit of the age`}
        value={age.unit ?? "days"}
        options={unitOptions}
        onChange={(unit) => onChange({ age: { ...age, unit } })}
      />
      <span>keep 1 in</span>
      <input
        className={styles.number}
        aria-label={`${label}: keep one row in`}
        inputMode="numeric"
        value={keepOneIn}
        onChange={(event) => onChange({ keepOneIn: event.target.value })}
      />
      <BasisFields step={step} label={label} onChange={onChange} />
      <Button look="quiet" aria-label={`Remove step ${place}`} title="Remove" onClick={onRemove}>
        <X size={14} aria-hidden="true" />
      </Button>
    </div>
  );
}

type BasisFieldsProps = Pick<StepLineProps, "step" | "onChange"> & { readonly label: string };

/** Which rows stay: any, those of some values of a column, or some of each group. */
function BasisFields({ step: { by, columns, keepAtLeast }, label, onChange }: BasisFieldsProps) {
  return (
    <>
      <Select
        label={`${label}: what is kept`}
        value={by}
        options={thinningByOptions}
        onChange={(chosen) => {
          const option = thinningByOptions.find(({ value }) => value === chosen);
          if (option !== undefined) onChange({ by: option.value });
        }}
      />
      {by !== "chance" && (
        <input
          className={styles.input}
          aria-label={`${label}: ${by === "key" ? "column" : "columns"}`}
          placeholder={by === "key" ? "user_id" : "service, status"}
          value={columns}
          onChange={(event) => onChange({ columns: event.target.value })}
        />
      )}
      {by === "groups" && (
        <>
          <span>at least</span>
          <input
            className={styles.number}
            aria-label={`${label}: least rows of a group`}
            inputMode="numeric"
            value={keepAtLeast}
            onChange={(event) => onChange({ keepAtLeast: event.target.value })}
          />
        </>
      )}
    </>
  );
}
