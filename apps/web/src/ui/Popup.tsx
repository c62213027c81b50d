import { Popover } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import styles from "./Popup.module.css";

export interface PopupProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly label: string;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
}

/** What floats at the control that opened it: closes with Escape or a click outside, gives the focus back. */
export function Popup({
  open,
  onOpenChange,
  trigger,
  label,
  children,
  align = "start",
}: PopupProps) {
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner side="bottom" align={align} sideOffset={4} className={styles.layer}>
          <Popover.Popup aria-label={label} className={styles.popup}>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
