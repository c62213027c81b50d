import type { Filter } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { type Ref, useState } from "react";
import { Button } from "../../../../ui/button/Button.js";
import { Popup } from "../../../../ui/popup/Popup.js";
import { FilterEditor } from "./FilterEditor.js";

export interface FilterAdderProps {
  readonly label: string;
  readonly testId: string;
  readonly onAdd: (filter: Filter) => void;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  /** A column that a filter is wanted for: opens the editor with it. */
  readonly column?: string | null;
  readonly onClose?: () => void;
}

/** The button that opens an empty filter. */
export function FilterAdder({
  label,
  testId,
  onAdd,
  buttonRef,
  column = null,
  onClose,
}: FilterAdderProps) {
  const [open, setOpen] = useState(false);
  const change = (next: boolean): void => {
    setOpen(next);
    if (!next) onClose?.();
  };
  return (
    <Popup
      open={open || column !== null}
      onOpenChange={change}
      label={label}
      trigger={
        <Button look="quiet" ref={buttonRef ?? null} data-testid={testId} title={label}>
          <Plus size={14} /> filter
        </Button>
      }
    >
      <FilterEditor
        key={column ?? ""}
        initial={null}
        column={column}
        onDone={(filter) => {
          onAdd(filter);
          change(false);
        }}
      />
    </Popup>
  );
}
