import type { ColumnSetting } from "@hadal/sdk";
import { Plus, X } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import { Strip } from "../../../ui/page/Strip.js";
import styles from "../base/tables.module.css";
import {
  emptySetting,
  hasDecimals,
  readSettings,
  typeOptions,
  type WrittenSetting,
  writtenSetting,
} from "./columnSettingText.js";
import { useOutcome } from "./useOutcome.js";

export interface ColumnSettingsFormProps {
  readonly settings: readonly ColumnSetting[];
  /** Suggested names; a column can be set before it exists. */
  readonly names: readonly string[];
  readonly onSave: (settings: readonly ColumnSetting[]) => Promise<void>;
}

/** Types and decimals of columns, for new rows. */
export function ColumnSettingsForm({ settings, names, onSave }: ColumnSettingsFormProps) {
  const [written, setWritten] = useState<readonly WrittenSetting[]>(() =>
    settings.map(writtenSetting),
  );
  const [outcome, save, showError] = useOutcome();
  const listId = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = readSettings(written);
    if (!read.ok) showError(read.reason);
    else void save(() => onSave(read.columns), "Saved. It applies to new rows.");
  };
  const change = (at: number, setting: Partial<WrittenSetting>): void =>
    setWritten(written.map((one, i) => (i === at ? { ...one, ...setting } : one)));
  return (
    <form className={styles.settings} onSubmit={submit}>
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {written.map((setting, i) => (
        <SettingLine
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position.
          key={i}
          setting={setting}
          place={i + 1}
          listId={listId}
          onChange={(part) => change(i, part)}
          onRemove={() => setWritten(written.filter((_, at) => at !== i))}
        />
      ))}
      <p className={styles.hint}>
        These settings apply to new rows; a row with a value that does not fit is rejected. Stored
        rows do not change, and queries can span both.
      </p>
      <div className={styles.step}>
        <Button
          look="quiet"
          data-testid="add-column-setting"
          onClick={() => setWritten([...written, emptySetting])}
        >
          <Plus size={14} aria-hidden="true" /> Set a column
        </Button>
        <Button type="submit" data-testid="save-column-settings">
          Save
        </Button>
      </div>
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="column-settings-outcome">
          {outcome.text}
        </Strip>
      )}
    </form>
  );
}

interface SettingLineProps {
  readonly setting: WrittenSetting;
  /** The number of the line, from 1. */
  readonly place: number;
  /** The id of the list of suggested names. */
  readonly listId: string;
  readonly onChange: (part: Partial<WrittenSetting>) => void;
  readonly onRemove: () => void;
}

function SettingLine({ setting, place, listId, onChange, onRemove }: SettingLineProps) {
  const { name, type, decimals } = setting;
  const label = name || `column ${place}`;
  return (
    <div className={styles.step} data-testid="column-setting">
      <input
        className={styles.input}
        aria-label={`Column ${place}`}
        placeholder="column"
        list={listId}
        spellCheck={false}
        value={name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Select
        label={`Type of ${label}`}
        value={type}
        options={typeOptions}
        onChange={(next) => onChange({ type: next as WrittenSetting["type"] })}
      />
      {hasDecimals(setting) && (
        <>
          <input
            className={styles.number}
            aria-label={`Decimals of ${label}`}
            placeholder="6"
            inputMode="numeric"
            value={decimals}
            onChange={(event) => onChange({ decimals: event.target.value })}
          />
          <span>decimals</span>
        </>
      )}
      <Button
        look="quiet"
        aria-label={`Remove the setting of ${label}`}
        title="Remove"
        onClick={onRemove}
      >
        <X size={14} aria-hidden="true" />
      </Button>
    </div>
  );
}
