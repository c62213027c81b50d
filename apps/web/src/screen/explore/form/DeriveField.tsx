import type { DerivedColumn } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../ui/Button.js";
import { ChipTrigger } from "../../../ui/Chip.js";
import { Popup } from "../../../ui/Popup.js";
import { useExplore } from "../explore.js";
import { DeriveEditor } from "./DeriveEditor.js";
import { Fault, Field } from "./Field.js";
import styles from "./form.module.css";

/** Columns that the question computes per row; the rest of the form offers them like any other. */
export function DeriveField() {
  const { state, dispatch, faultAt } = useExplore();
  const [adding, setAdding] = useState(false);
  const set = (derive: readonly DerivedColumn[]) => dispatch({ kind: "set derive", derive });
  return (
    <Field label="Derive">
      <div className={styles.chips}>
        {state.derive.map((column, index) => (
          <DeriveChip
            key={column.as}
            column={column}
            index={index}
            onChange={(next) => set(state.derive.with(index, next))}
            onRemove={() => set(state.derive.toSpliced(index, 1))}
          />
        ))}
        <Popup
          open={adding}
          onOpenChange={setAdding}
          label="Derive a column"
          trigger={
            <Button
              look="quiet"
              data-testid="add-derive"
              aria-label="Derive a column"
              title="Compute a column from the others"
            >
              <Plus size={14} />
            </Button>
          }
        >
          <DeriveEditor
            initial={null}
            onDone={(next) => {
              set([...state.derive, next]);
              setAdding(false);
            }}
          />
        </Popup>
      </div>
      <Fault text={faultAt("derive")} />
    </Field>
  );
}

interface DeriveChipProps {
  readonly column: DerivedColumn;
  readonly index: number;
  readonly onChange: (next: DerivedColumn) => void;
  readonly onRemove: () => void;
}

function DeriveChip({ column, index, onChange, onRemove }: DeriveChipProps) {
  const { faultAt } = useExplore();
  const [open, setOpen] = useState(false);
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      label={column.as}
      trigger={
        <ChipTrigger
          testId="derive-chip"
          title={column.as}
          fault={faultAt(`derive ${index}`)}
          onRemove={onRemove}
        />
      }
    >
      <DeriveEditor
        initial={column}
        onDone={(next) => {
          onChange(next);
          setOpen(false);
        }}
      />
    </Popup>
  );
}
