import { type ReactNode, useState } from "react";
import { Button } from "../button/Button.js";
import { Popup } from "./Popup.js";

export interface PopupButtonProps {
  /** Name of the button and its popup. */
  readonly label: string;
  /** Tooltip; by default the label. */
  readonly title?: string;
  readonly testId: string;
  readonly icon: ReactNode;
  readonly align?: "start" | "end";
  readonly onOpenChange?: (open: boolean) => void;
  /** Content of the popup, given a function that closes it. */
  readonly children: (close: () => void) => ReactNode;
}

/** A quiet button that opens a popup below itself. */
export function PopupButton({
  label,
  title = label,
  testId,
  icon,
  align = "start",
  onOpenChange,
  children,
}: PopupButtonProps) {
  const [open, setOpen] = useState(false);
  const change = (next: boolean): void => {
    setOpen(next);
    onOpenChange?.(next);
  };
  return (
    <Popup
      open={open}
      onOpenChange={change}
      label={label}
      align={align}
      trigger={
        <Button look="quiet" data-testid={testId} aria-label={label} title={title}>
          {icon}
        </Button>
      }
    >
      {children(() => change(false))}
    </Popup>
  );
}
