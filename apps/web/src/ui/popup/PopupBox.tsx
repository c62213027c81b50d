import { Popover } from "@base-ui/react/popover";
import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from "react";
import { focusedBeside, originOf } from "../root/focus.js";
import { usePageRoot } from "../root/pageRoot.js";
import styles from "./Popup.module.css";

export interface PopupBoxProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
  readonly label: string;
  readonly align: "start" | "end";
  readonly children: ReactNode;
}

/** The box of a popup, loaded later than its control. */
export function PopupBox(props: PopupBoxProps) {
  const { open, onOpenChange, buttonRef, label, align, children } = props;
  const root = usePageRoot();
  const goesOn = useRef(false);
  const popupRef = useRef<HTMLDivElement>(null);
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next, { event }) => {
        // The control's own click listener opens and closes.
        const isOwn = buttonRef.current?.contains(originOf(event)) === true;
        if (next || !isOwn) onOpenChange(next);
      }}
    >
      <Popover.Portal container={root}>
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
              const stays = goesOn.current || isElsewhere(root, popupRef.current);
              goesOn.current = false;
              return stays ? false : buttonRef.current;
            }}
            onKeyDown={(event) => {
              if (!leaves(event)) return;
              // From the control the browser moves the focus by its default action.
              goesOn.current = !event.shiftKey;
              // The box is at the end of the page: Tab goes on from its control.
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

/** Whether the focus moved elsewhere while the box was closing: then it must not return to the control. */
function isElsewhere(root: HTMLElement, popup: HTMLElement | null): boolean {
  const focused = focusedBeside(root);
  return focused !== null && focused !== document.body && popup?.contains(focused) !== true;
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
  const focused = focusedBeside(currentTarget);
  return end === undefined || focused === end || focused === currentTarget;
}
