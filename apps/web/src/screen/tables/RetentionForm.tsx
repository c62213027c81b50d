import { HadalError, type Retention } from "@hadal/sdk";
import { type FormEvent, useState } from "react";
import { Button } from "../../ui/Button.js";
import { Select } from "../../ui/Select.js";
import { Strip } from "../../ui/Strip.js";
import {
  ageUnits,
  byteUnits,
  readRetention,
  type WrittenBound,
  writtenBound,
} from "./retentionText.js";
import styles from "./tables.module.css";

export interface RetentionFormProps {
  readonly retention: Retention;
  readonly onSave: (retention: Retention) => Promise<void>;
}

/** When rows go, oldest first: by age, by memory, or never. */
export function RetentionForm({ retention, onSave }: RetentionFormProps) {
  const [age, setAge] = useState(() => writtenBound(retention.maxAgeMs, ageUnits));
  const [bytes, setBytes] = useState(() => writtenBound(retention.maxBytes, byteUnits));
  const [outcome, setOutcome] = useState<{ tone: "bad" | "good"; text: string } | null>(null);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const read = readRetention(age, bytes);
    if (!read.ok) {
      setOutcome({ tone: "bad", text: read.reason });
      return;
    }
    try {
      await onSave(read.retention);
      setOutcome({ tone: "good", text: "Saved. Rows beyond it go within seconds." });
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      const [first] = error.errors;
      setOutcome({ tone: "bad", text: first?.detail ?? error.message });
    }
  };
  return (
    <form className={styles.retention} onSubmit={(event) => void save(event)}>
      <Bound label="Rows go after" none="no age" bound={age} units={ageUnits} onChange={setAge} />
      <Bound
        label="The oldest go when the table takes more than"
        none="no size"
        bound={bytes}
        units={byteUnits}
        onChange={setBytes}
      />
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
