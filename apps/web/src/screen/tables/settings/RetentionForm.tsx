import type { TableSettings } from "@hadal/sdk";
import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import { Strip } from "../../../ui/page/Strip.js";
import styles from "../base/tables.module.css";
import {
  ageUnits,
  byteUnits,
  readRetention,
  type WrittenBound,
  writtenBound,
} from "./retentionText.js";
import { ThinningFields } from "./ThinningFields.js";
import { readThinning, writtenStep } from "./thinningText.js";
import { useOutcome } from "./useOutcome.js";

type RetentionSettings = Pick<TableSettings, "retention" | "thinning">;

export interface RetentionFormProps extends RetentionSettings {
  readonly onSave: (settings: RetentionSettings) => Promise<void>;
}

/** Limits the age and the memory of rows, and thins old rows. */
export function RetentionForm({ retention, thinning, onSave }: RetentionFormProps) {
  const [age, setAge] = useState(() => writtenBound(retention.maxAgeMs, ageUnits));
  const [bytes, setBytes] = useState(() => writtenBound(retention.maxBytes, byteUnits));
  const [steps, setSteps] = useState(() => thinning.map(writtenStep));
  const [outcome, save, showError] = useOutcome();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = readRetention(age, bytes);
    const thinned = readThinning(steps);
    if (!read.ok) showError(read.reason);
    else if (!thinned.ok) showError(thinned.reason);
    else {
      const settings = { retention: read.retention, thinning: thinned.thinning };
      void save(
        () => onSave(settings),
        "Saved. Rows beyond the limits are deleted within seconds.",
      );
    }
  };
  return (
    <form className={styles.retention} onSubmit={submit}>
      <Bound
        label="Delete rows older than"
        none="no limit"
        bound={age}
        units={ageUnits}
        onChange={setAge}
      />
      <Bound
        label="Delete the oldest rows when the table takes more than"
        none="no limit"
        bound={bytes}
        units={byteUnits}
        onChange={setBytes}
      />
      <ThinningFields steps={steps} onChange={(changed) => setSteps([...changed])} />
      <Button type="submit" data-testid="save-retention">
        Save
      </Button>
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="retention-outcome">
          {outcome.text}
        </Strip>
      )}
    </form>
  );
}

interface BoundProps {
  readonly label: string;
  readonly none: string;
  readonly bound: WrittenBound;
  readonly units: readonly { readonly name: string }[];
  readonly onChange: (bound: WrittenBound) => void;
}

function Bound({ label, none, bound, units, onChange }: BoundProps) {
  return (
    <fieldset className={styles.bound}>
      <legend>{label}</legend>
      {bound.unit !== null && (
        <input
          className={styles.number}
          aria-label={label}
          inputMode="decimal"
          value={bound.text}
          onChange={(event) => onChange({ ...bound, text: event.target.value })}
        />
      )}
      <Select
        label={`${label}: unit`}
        value={bound.unit ?? ""}
        options={[
          { value: "", label: none },
          ...units.map(({ name }) => ({ value: name, label: name })),
        ]}
        onChange={(unit) => onChange({ ...bound, unit: unit === "" ? null : unit })}
      />
    </fieldset>
  );
}
