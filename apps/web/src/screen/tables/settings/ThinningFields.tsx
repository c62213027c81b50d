import { Plus, X } from "lucide-react";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import styles from "../base/tables.module.css";
import { ageUnits } from "./retentionText.js";
import { nextStep, type WrittenStep } from "./thinningText.js";

export interface ThinningFieldsProps {
  readonly steps: readonly WrittenStep[];
  readonly onChange: (steps: readonly WrittenStep[]) => void;
}

const unitOptions = ageUnits.map(({ name }) => ({ value: name, label: name }));

/** Of how many old rows one stays, step by step. */
export function ThinningFields({ steps, onChange }: ThinningFieldsProps) {
  const change = (at: number, step: Partial<WrittenStep>): void =>
    onChange(steps.map((one, i) => (i === at ? { ...one, ...step } : one)));
  return (
    <fieldset className={styles.steps} data-testid="thinning">
      <legend>Old rows are thinned</legend>
      {steps.map(({ age, keepOneIn }, i) => {
        const label = `Step ${i + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place.
          <div key={i} className={styles.step}>
            <span>after</span>
            <input
              className={styles.number}
              aria-label={`${label}: age`}
              inputMode="decimal"
              value={age.text}
              onChange={(event) => change(i, { age: { ...age, text: event.target.value } })}
            />
            <Select
              label={`${label}: unit of the age`}
              value={age.unit ?? "days"}
              options={unitOptions}
              onChange={(unit) => change(i, { age: { ...age, unit } })}
            />
            <span>keep 1 in</span>
            <input
              className={styles.number}
              aria-label={`${label}: keep one row in`}
              inputMode="numeric"
              value={keepOneIn}
              onChange={(event) => change(i, { keepOneIn: event.target.value })}
            />
            <Button
              look="quiet"
              aria-label={`Remove step ${i + 1}`}
              title="Remove"
              onClick={() => onChange(steps.filter((_, at) => at !== i))}
            >
              <X size={14} aria-hidden="true" />
            </Button>
          </div>
        );
      })}
      <Button
        look="quiet"
        data-testid="add-thinning"
        onClick={() => onChange([...steps, nextStep(steps)])}
      >
        <Plus size={14} aria-hidden="true" /> {steps.length === 0 ? "Thin old rows" : "Later step"}
      </Button>
      {steps.length > 0 && (
        <p className={styles.hint}>
          Rows are picked by chance and stand for those that go (<code>sample_rate</code>): counts
          and sums stay right on average, and their error bars say how sure they are.
        </p>
      )}
    </fieldset>
  );
}
