import { type ReactNode, useState } from "react";
import { ChipTrigger, type ChipTriggerProps } from "../../../ui/button/Chip.js";
import { Popup } from "../../../ui/popup/Popup.js";

export interface EditChipProps extends Omit<ChipTriggerProps, "children"> {
  /** The editor in the popup. */
  readonly children: (close: () => void) => ReactNode;
}

/** A chip of the form whose label opens its editor. */
export function EditChip({ children, ...chip }: EditChipProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      label={chip.text ?? chip.title}
      trigger={<ChipTrigger {...chip} />}
    >
      {children(() => setOpen(false))}
    </Popup>
  );
}
