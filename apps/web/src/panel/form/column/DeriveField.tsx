import type { DerivedColumn } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { Fault } from "../../../ui/field/Fault.js";
import { PopupButton } from "../../../ui/popup/PopupButton.js";
import { useFormQuery } from "../../formQuery.js";
import { EditChip } from "../part/EditChip.js";
import { Field } from "../part/Field.js";
import styles from "../part/form.module.css";
import { DeriveEditor } from "./DeriveEditor.js";

/** Columns that the query computes per row; the form offers them like stored columns. */
export function DeriveField() {
  const { state, dispatch, faultAt } = useFormQuery();
  const set = (derive: readonly DerivedColumn[]) => dispatch({ kind: "set derive", derive });
  return (
    <Field
      label="Calculate"
      title="Columns calculated from other columns (SQL: expression AS name)"
    >
      <div className={styles.chips}>
        {state.derive.map((column, index) => (
          <EditChip
            key={column.as}
            testId="derive-chip"
            title={column.as}
            fault={faultAt(`derive ${index}`)}
            onRemove={() => set(state.derive.toSpliced(index, 1))}
          >
            {(close) => (
              <DeriveEditor
                initial={column}
                onDone={(next) => {
                  set(state.derive.with(index, next));
                  close();
                }}
              />
            )}
          </EditChip>
        ))}
        <PopupButton
          label="Add a calculated column"
          title="Calculate a column from other columns"
          testId="add-derive"
          icon={<Plus size={14} />}
        >
          {(close) => (
            <DeriveEditor
              initial={null}
              onDone={(next) => {
                set([...state.derive, next]);
                close();
              }}
            />
          )}
        </PopupButton>
      </div>
      <Fault text={faultAt("derive")} />
    </Field>
  );
}
