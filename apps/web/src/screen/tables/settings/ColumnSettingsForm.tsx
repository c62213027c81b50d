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
  /** Names to choose from; a column may also be set before it is there. */
  readonly names: readonly string[];
  readonly onSave: (settings: readonly ColumnSetting[]) => Promise<void>;
}

/** Types and decimals of columns, for rows to come. */
export function ColumnSettingsForm({ settings, names, onSave }: ColumnSettingsFormProps) {
  const [written, setWritten] = useState<readonly WrittenSetting[]>(() =>
    settings.map(writtenSetting),
  );
  const [outcome, save, refuse] = useOutcome();
  const listId = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = readSettings(written);
    if (!read.ok) refuse(read.reason);
    else void save(() => onSave(read.columns), "Saved. It holds for rows that come from now on.");
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
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
        <div key={i} className={styles.step} data-testid="column-setting">
          <input
            className={styles.input}
            aria-label={`Column ${i + 1}`}
            placeholder="column"
            list={listId}
            spellCheck={false}
            value={setting.name}
            onChange={(event) => change(i, { name: event.target.value })}
          />
          <Select
            label={`Type of ${setting.name || `column ${i + 1}`}`}
            value={setting.type}
            options={typeOptions}
            onChange={(type) => change(i, { type: type as WrittenSetting["type"] })}
          />
          {hasDecimals(setting) && (
            <>
              <input
                className={styles.number}
                aria-label={`Decimals of ${setting.name || `column ${i + 1}`}`}
                placeholder="6"
                inputMode="numeric"
                value={setting.decimals}
                onChange={(event) => change(i, { decimals: event.target.value })}
              />
              <span>decimals</span>
            </>
          )}
          <Button
            look="quiet"
            aria-label={`Remove the setting of ${setting.name || `column ${i + 1}`}`}
            title="Remove"
            onClick={() => setWritten(written.filter((_, at) => at !== i))}
          >
            <X size={14} aria-hidden="true" />
          </Button>
        </div>
      ))}
      <p className={styles.hint}>
        Rows to come are read so; a value that cannot be is refused with its line. Stored rows stay
        as they are, and queries over both answer.
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
