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

/** What a popup gives to the control that opens it. */
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

/** What floats at the control that opened it: closes with Escape or a click outside, gives the focus back. */
export function Popup({ open, onOpenChange, trigger, label, children, align }: PopupProps) {
  const buttonRef = useRef<HTMLButtonElement>(null);
  const Box = useLaterPart(popupBox, open);
  const { stands, typedRef, end } = useStandIn(open, Box !== null);
  // What was opened once stays, to close as it should.
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
