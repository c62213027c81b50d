import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { focusable } from "./focusable.js";
import { trackFloat } from "./openFloats.js";
import { placeBox, type Side } from "./placeBox.js";

/** What a box floats at: a control, or a point of a chart. */
export interface FloatAnchor {
  getBoundingClientRect(): DOMRect;
}

export interface FloatingProps {
  readonly anchorRef: RefObject<FloatAnchor | null>;
  readonly onClose: () => void;
  readonly role: "dialog" | "menu";
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
  readonly id?: string;
  readonly align?: "start" | "end";
  readonly gapPx?: number;
  readonly testId?: string | undefined;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
}

/** A box over the page, at its anchor: takes the focus, gives it back, closes with Escape or a press outside. */
export function Floating(props: FloatingProps) {
  const { anchorRef, onClose, role, label, className, children } = props;
  const boxRef = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const close = useRef(onClose);
  useLayoutEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useFocus(boxRef, anchorRef, ready, role === "menu");
  // What it holds takes the focus when it comes: by then it is known what had it before.
  useLayoutEffect(() => setReady(true), []);
  usePlace(boxRef, props, ready);
  useEffect(() => {
    const box = boxRef.current;
    if (box === null) return;
    const opener = (): Element | null => elementOf(anchorRef.current);
    return trackFloat({ box, opener, close: () => close.current() });
  }, [anchorRef]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    props.onKeyDown?.(event);
    if (event.key !== "Tab" || event.defaultPrevented || boxRef.current === null) return;
    const inside = focusable(boxRef.current);
    const end = event.shiftKey ? inside[0] : inside.at(-1);
    const { activeElement } = document;
    if (end !== undefined && activeElement !== end && activeElement !== boxRef.current) return;
    // The box lies elsewhere in the page than it is seen: Tab goes on from the control that opened it.
    const opener = elementOf(anchorRef.current);
    if (event.shiftKey) event.preventDefault();
    opener?.focus();
    onClose();
  };
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: it has a role, of its two
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: and both roles have names
    <div
      ref={boxRef}
      id={props.id}
      role={role}
      aria-label={label}
      tabIndex={-1}
      className={className}
      data-testid={props.testId}
      onKeyDown={onKeyDown}
    >
      {ready && children}
    </div>,
    document.body,
  );
}

const elementOf = (anchor: FloatAnchor | null): HTMLElement | null =>
  anchor instanceof HTMLElement ? anchor : null;

/** The focus goes to the first thing inside that takes it, and back where it was. */
function useFocus(
  boxRef: RefObject<HTMLElement | null>,
  anchorRef: RefObject<FloatAnchor | null>,
  ready: boolean,
  itself: boolean,
): void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const box = boxRef.current;
    if (!ready) before.current = document.activeElement;
    else if (box !== null && !box.contains(document.activeElement)) {
      ((itself ? null : focusable(box)[0]) ?? box).focus({ preventScroll: true });
    }
  }, [boxRef, ready, itself]);
  useLayoutEffect(
    () => () => {
      const { activeElement } = document;
      // Somebody who went on to something else stays there.
      const has = activeElement === document.body || boxRef.current?.contains(activeElement);
      const to = elementOf(anchorRef.current) ?? before.current;
      if (has === true && to instanceof HTMLElement) to.focus({ preventScroll: true });
    },
    [boxRef, anchorRef],
  );
}

/** Keeps the box at its anchor, whatever moves or grows. */
function usePlace(
  boxRef: RefObject<HTMLElement | null>,
  { anchorRef, align = "start", gapPx = 4 }: FloatingProps,
  ready: boolean,
): void {
  const side = useRef<Side | null>(null);
  const placed = useRef("");
  const place = useCallback((): void => {
    const [box, anchor] = [boxRef.current, anchorRef.current];
    if (!ready || box === null || anchor === null) return;
    const size = { width: box.offsetWidth, height: box.scrollHeight };
    const [windowWidth, windowHeight] = [innerWidth, innerHeight];
    const at = anchor.getBoundingClientRect();
    const before = side.current;
    const to = placeBox({ ...size, anchor: at, windowWidth, windowHeight, align, gapPx, before });
    side.current = to.side;
    const text = Object.values(to).join(" ");
    if (text === placed.current) return;
    placed.current = text;
    const { style } = box;
    style.left = `${to.left}px`;
    style.top = to.side === "below" ? `${to.offset}px` : "auto";
    style.bottom = to.side === "below" ? "auto" : `${to.offset}px`;
    style.setProperty("--available-height", `${to.maxHeight}px`);
  }, [boxRef, anchorRef, align, gapPx, ready]);
  useLayoutEffect(() => place());
  // Scrolling, drawers, values that come: whatever moves either of them is seen before it is painted.
  useEffect(() => {
    let frame = requestAnimationFrame(function again() {
      place();
      frame = requestAnimationFrame(again);
    });
    return () => cancelAnimationFrame(frame);
  }, [place]);
}
