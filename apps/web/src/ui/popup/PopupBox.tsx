import { Popover } from "@base-ui/react/popover";
import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from "react";
import styles from "./Popup.module.css";

export interface PopupBoxProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
  readonly label: string;
  readonly align: "start" | "end";
  readonly children: ReactNode;
}

/** The popup itself; its control was there before it. */
export function PopupBox(props: PopupBoxProps) {
  const { open, onOpenChange, buttonRef, label, align, children } = props;
  const goesOn = useRef(false);
  const popupRef = useRef<HTMLDivElement>(null);
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next, { event }) => {
        // The control opens and closes by its own click.
        const isOwn = event.target instanceof Node && buttonRef.current?.contains(event.target);
        if (next || isOwn !== true) onOpenChange(next);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={buttonRef}
          side="bottom"
          align={align}
          sideOffset={4}
          className={styles.layer}
        >
          <Popover.Popup
            aria-label={label}
            className={styles.popup}
            ref={popupRef}
            finalFocus={() => {
              const stays = goesOn.current || isElsewhere(popupRef.current);
              goesOn.current = false;
              return stays ? false : buttonRef.current;
            }}
            onKeyDown={(event) => {
              if (!leaves(event)) return;
              // From there the browser moves the focus on, where it is left.
              goesOn.current = !event.shiftKey;
              // The box lies at the end of the page: Tab goes on from its control.
              if (event.shiftKey) event.preventDefault();
              buttonRef.current?.focus();
              onOpenChange(false);
            }}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Whether the focus has moved on while the box was closing: then it does not go back to the control. */
function isElsewhere(popup: HTMLElement | null): boolean {
  const { activeElement, body } = document;
  return (
    activeElement !== null && activeElement !== body && popup?.contains(activeElement) !== true
  );
}

const takers =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex='0']";

/** Whether Tab leads out of the box. */
function leaves({ key, shiftKey, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  if (key !== "Tab") return false;
  const stops = [...currentTarget.querySelectorAll<HTMLElement>(takers)].filter(
    (element) => element.tabIndex >= 0 && element.checkVisibility(),
  );
  const end = shiftKey ? stops[0] : stops.at(-1);
  const { activeElement } = document;
  return end === undefined || activeElement === end || activeElement === currentTarget;
}
