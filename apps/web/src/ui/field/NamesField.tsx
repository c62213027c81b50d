import { Chip } from "../button/Chip.js";
import { Select } from "../button/Select.js";
import { Fault } from "./Fault.js";
import styles from "./field.module.css";

export interface NamesFieldProps {
  readonly label: string;
  readonly testId: string;
  readonly names: readonly string[];
  readonly choices: readonly string[];
  readonly textOf?: (name: string) => string;
  /** Shown where there are none. */
  readonly none: string;
  readonly fault: string | undefined;
  readonly onChange: (names: readonly string[]) => void;
}

/** A list of names out of those that there are. */
export function NamesField(props: NamesFieldProps) {
  const { label, testId, names, choices, textOf = (name) => name, none, fault, onChange } = props;
  const others = choices.filter((name) => !names.includes(name));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line
    <div role="group" aria-label={label} className={styles.field} data-testid={testId}>
      <span className={styles.label}>{label}</span>
      <div className={styles.chips}>
        {names.length === 0 && <span className={styles.hint}>{none}</span>}
        {names.map((name) => (
          <Chip
            key={name}
            testId={`${testId}-name`}
            title={textOf(name)}
            onRemove={() => onChange(names.filter((one) => one !== name))}
          >
            {textOf(name)}
          </Chip>
        ))}
        {others.length > 0 && (
          <Select
            label={`Add to ${label.toLowerCase()}`}
            testId={`${testId}-add`}
            value=""
            options={[
              { value: "", label: "add…" },
              ...others.map((value) => ({ value, label: textOf(value) })),
            ]}
            onChange={(name) => name !== "" && onChange([...names, name])}
          />
        )}
      </div>
      <Fault text={fault ?? null} />
    </div>
  );
}
