import type { Filter } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { type Ref, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Popup } from "../../../ui/popup/Popup.js";
import { FilterEditor } from "./FilterEditor.js";

export interface FilterAdderProps {
  readonly label: string;
  readonly testId: string;
  readonly onAdd: (filter: Filter) => void;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  /** Opens the editor with this column. */
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
  const close = (): void => {
    setOpen(false);
    onClose?.();
  };
  return (
    <Popup
      open={open || column !== null}
      onOpenChange={(next) => (next ? setOpen(true) : close())}
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
          close();
        }}
      />
    </Popup>
  );
}
