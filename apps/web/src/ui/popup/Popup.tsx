import {
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useRef,
  useState,
} from "react";
import { laterPart, useLaterPart } from "../lazy/laterPart.js";
import { HandOver, StandIn, useStandIn } from "../lazy/StandIn.js";

/** Properties that a popup sets on the control that opens it. */
interface TriggerProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  readonly "aria-haspopup"?: "dialog";
  readonly "aria-expanded"?: boolean;
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

const popupBox = laterPart(async () => (await import("./PopupBox.js")).PopupBox);

/** A popup beside its control: Escape or a click outside closes it and returns the focus. */
export function Popup({ open, onOpenChange, trigger, label, children, align }: PopupProps) {
  const buttonRef = useRef<HTMLButtonElement>(null);
  const Box = useLaterPart(popupBox, { wanted: open });
  const { stands, typedRef, end } = useStandIn({ open, loaded: Box !== null });
  // Once opened it stays rendered, so that closing can return the focus.
  const [used, setUsed] = useState(false);
  if (open && !used) setUsed(true);
  const { ref, onClick } = trigger.props;
  return (
    <>
      {cloneElement(trigger, {
        ref: (button) => {
          buttonRef.current = button;
          assign(ref, button);
        },
        "aria-haspopup": "dialog",
        "aria-expanded": open,
        onClick: (event) => {
          onClick?.(event);
          onOpenChange(!open);
        },
      })}
      {Box !== null && used && (
        <Box
          open={open}
          onOpenChange={onOpenChange}
          buttonRef={buttonRef}
          label={label}
          align={align ?? "start"}
        >
          {children}
          {stands && <HandOver typedRef={typedRef} onDone={end} />}
        </Box>
      )}
      {stands && (
        <StandIn
          label={label}
          anchorRef={buttonRef}
          typedRef={typedRef}
          onClose={() => {
            onOpenChange(false);
            buttonRef.current?.focus();
          }}
        />
      )}
    </>
  );
}

function assign<T>(ref: Ref<T> | undefined, value: T | null): void {
  if (typeof ref === "function") ref(value);
  else if (ref != null) ref.current = value;
}
