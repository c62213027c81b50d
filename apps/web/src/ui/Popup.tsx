import {
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useId,
  useRef,
} from "react";
import { Floating } from "./Floating.js";
import styles from "./Popup.module.css";

/** What a popup gives to the control that opens it. */
interface TriggerProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  readonly "aria-haspopup"?: "dialog";
  readonly "aria-expanded"?: boolean;
  readonly "aria-controls"?: string | undefined;
}

export interface PopupProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The button that opens it. */
  readonly trigger: ReactElement<TriggerProps>;
  readonly label: string;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
}

/** What floats at the control that opened it: closes with Escape or a click outside, gives the focus back. */
export function Popup({ open, onOpenChange, trigger, label, children, align }: PopupProps) {
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const { ref, onClick } = trigger.props;
  return (
    <>
      {cloneElement(trigger, {
        ref: (button) => {
          buttonRef.current = button;
          return assign(ref, button);
        },
        "aria-haspopup": "dialog",
        "aria-expanded": open,
        "aria-controls": open ? id : undefined,
        onClick: (event) => {
          onClick?.(event);
          onOpenChange(!open);
        },
      })}
      {open && (
        <Floating
          id={id}
          role="dialog"
          label={label}
          anchorRef={buttonRef}
          className={styles.popup}
          onClose={() => onOpenChange(false)}
          {...(align !== undefined && { align })}
        >
          {children}
        </Floating>
      )}
    </>
  );
}

function assign<T>(ref: Ref<T> | undefined, value: T | null): void {
  if (typeof ref === "function") ref(value);
  else if (ref != null) ref.current = value;
}
