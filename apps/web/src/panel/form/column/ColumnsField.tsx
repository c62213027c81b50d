import { Plus } from "lucide-react";
import { moved } from "../../../draft/edit/moved.js";
import { Chip } from "../../../ui/button/Chip.js";
import { Fault } from "../../../ui/field/Fault.js";
import { PopupButton } from "../../../ui/popup/PopupButton.js";
import { useFormQuery } from "../../formQuery.js";
import { ColumnPick } from "../../menu/ColumnPick.js";
import { useChipOrder } from "../part/chipOrder.js";
import { Field } from "../part/Field.js";
import styles from "../part/form.module.css";

/** The columns of the raw rows, in order; when empty the view chooses. */
export function ColumnsField() {
  const { state, dispatch, faultAt } = useFormQuery();
  const columns = state.columns ?? [];
  const set = (next: readonly string[]) =>
    dispatch({ kind: "set columns", columns: next.length === 0 ? null : next });
  const order = useChipOrder("column", columns.length, (from, to) => set(moved(columns, from, to)));
  return (
    <Field label="Pick">
      <div className={styles.chips} data-testid="column-chips" {...order.list}>
        {columns.map((name, index) => (
          <Chip
            key={name}
            testId="column-chip"
            title={name}
            drag={order.chip(index)}
            onRemove={() => set(columns.toSpliced(index, 1))}
          >
            {name}
          </Chip>
        ))}
        <PopupButton
          label="Show a column"
          title="Show only chosen columns"
          testId="add-column"
          icon={
            <>
              <Plus size={14} /> column
            </>
          }
        >
          {() => (
            <ColumnPick
              label="Show"
              testId="column-pick"
              picked={columns}
              onPick={(name) =>
                set(
                  columns.includes(name)
                    ? columns.filter((one) => one !== name)
                    : [...columns, name],
                )
              }
            />
          )}
        </PopupButton>
      </div>
      <Fault text={faultAt("sampleView")} />
    </Field>
  );
}
