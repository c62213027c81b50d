import type { Filter } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { type Ref, useState } from "react";
import { Button } from "../../../ui/Button.js";
import { Popup } from "../../../ui/Popup.js";
import { FilterEditor } from "./FilterEditor.js";

export interface FilterAdderProps {
  readonly label: string;
  readonly testId: string;
  readonly onAdd: (filter: Filter) => void;
  readonly buttonRef?: Ref<HTMLButtonElement>;
}

/** The button that opens an empty filter. */
export function FilterAdder({ label, testId, onAdd, buttonRef }: FilterAdderProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      label={label}
      trigger={
        <Button look="quiet" ref={buttonRef ?? null} data-testid={testId} title={label}>
          <Plus size={14} /> filter
        </Button>
      }
    >
      <FilterEditor
        initial={null}
        onDone={(filter) => {
          onAdd(filter);
          setOpen(false);
        }}
      />
    </Popup>
  );
}
