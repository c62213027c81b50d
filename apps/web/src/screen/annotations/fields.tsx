import { type FormEvent, type ReactNode, useId } from "react";
import { Button } from "../../ui/button/Button.js";
import { SelectField, type SelectFieldProps } from "../../ui/field/SelectField.js";
import { FormOfFields } from "../../ui/field/TextField.js";
import { Strip } from "../../ui/page/Strip.js";
import styles from "./annotations.module.css";
import type { Faults } from "./faults.js";

interface ChoiceFieldProps extends Omit<SelectFieldProps, "options"> {
  readonly choices: readonly string[];
  /** What the choice of none is called. */
  readonly none: string;
}

/** One of some names, or none. */
export function ChoiceField({ choices, none, ...field }: ChoiceFieldProps) {
  const options = [
    { value: "", label: none },
    ...choices.map((name) => ({ value: name, label: name })),
  ];
  return <SelectField {...field} options={options} />;
}

interface SheetFormProps {
  readonly faults: Faults;
  readonly isSaving: boolean;
  readonly isNew: boolean;
  readonly onSave: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The fields, and what is wrong with none of them alone. Enter in a field saves. The filters among the fields are a form of
 * their own, which cannot lie inside another.
 */
export function SheetForm({ faults, isSaving, isNew, onSave, onClose, children }: SheetFormProps) {
  const formId = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSave();
  };
  return (
    <FormOfFields.Provider value={formId}>
      <form id={formId} onSubmit={submit} />
      <div className={styles.fields}>
        {children}
        {faults[""] !== undefined && (
          <Strip tone="bad" testId="annotation-problem">
            {faults[""]}
          </Strip>
        )}
        <div className={styles.end}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="main"
            type="submit"
            form={formId}
            disabled={isSaving}
            data-testid="save-annotation"
          >
            {isNew ? "Add" : "Save"}
          </Button>
        </div>
      </div>
    </FormOfFields.Provider>
  );
}
