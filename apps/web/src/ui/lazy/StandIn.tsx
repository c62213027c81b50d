import {
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { originOf } from "../root/focus.js";
import { usePageRoot } from "../root/pageRoot.js";
import { type Typed, typeInto } from "./handOver.js";
import styles from "./StandIn.module.css";

export interface StandInProps {
  readonly label: string;
  /** The control that it is placed below; absent: at the top of the page. */
  readonly anchorRef?: RefObject<HTMLElement | null>;
  readonly typedRef: RefObject<Typed | null>;
  readonly onClose: () => void;
}

/** Shown in place of a popup while its code is loading; keeps what is typed for it. */
export function StandIn({ label, anchorRef, typedRef, onClose }: StandInProps) {
  const boxRef = useRef<HTMLDivElement>(null);
  const root = usePageRoot();
  usePlaceAt(boxRef, anchorRef);
  usePressOutside(boxRef, anchorRef, onClose);
  const keep = useKeptText(typedRef, onClose);
  return createPortal(
    <div ref={boxRef} className={styles.box} data-page={anchorRef === undefined}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the popup
        autoFocus
        className={styles.input}
        aria-label={label}
        aria-busy="true"
        data-testid="stand-in"
        spellCheck={false}
        autoComplete="off"
        {...keep}
      />
    </div>,
    root,
  );
}

type ElementRef = RefObject<HTMLElement | null>;

function usePlaceAt(boxRef: ElementRef, anchorRef: ElementRef | undefined): void {
  useLayoutEffect(() => {
    const at = anchorRef?.current?.getBoundingClientRect();
    const box = boxRef.current;
    if (at === undefined || box === null) return;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = `${Math.min(at.bottom + 4, innerHeight - box.offsetHeight - 8)}px`;
  }, [boxRef, anchorRef]);
}

function usePressOutside(
  boxRef: ElementRef,
  anchorRef: ElementRef | undefined,
  onClose: () => void,
): void {
  useEffect(() => {
    const onPress = (event: PointerEvent): void => {
      const target = originOf(event);
      if (target === null || boxRef.current?.contains(target) === true) return;
      // A press on the anchor closes the popup by its own listener.
      if (anchorRef?.current?.contains(target) !== true) onClose();
    };
    document.addEventListener("pointerdown", onPress, true);
    return () => document.removeEventListener("pointerdown", onPress, true);
  }, [boxRef, anchorRef, onClose]);
}

/** Keeps lines that end with Enter, the text and its selection, and an Escape after the last Enter. */
function useKeptText(typedRef: StandInProps["typedRef"], onClose: () => void) {
  const lines = useRef<readonly string[]>([]);
  const keep = (input: HTMLInputElement, { closes }: Pick<Typed, "closes">): void => {
    const { value: text, selectionStart, selectionEnd } = input;
    const [start, end] = [selectionStart ?? text.length, selectionEnd ?? text.length];
    typedRef.current = { lines: lines.current, text, start, end, closes };
  };
  return {
    onInput: ({ currentTarget }: SyntheticEvent<HTMLInputElement>) =>
      keep(currentTarget, { closes: false }),
    onSelect: ({ currentTarget }: SyntheticEvent<HTMLInputElement>) =>
      keep(currentTarget, { closes: typedRef.current?.closes ?? false }),
    onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
      event.stopPropagation();
      if (event.nativeEvent.isComposing) return;
      const input = event.currentTarget;
      if (event.key === "Tab") {
        // The box is at the end of the page: Tab goes on from the control that opened it.
        if (event.shiftKey) event.preventDefault();
        onClose();
        return;
      }
      if (event.key === "Escape") {
        // The first Escape keeps what Enter has chosen; a second one cancels it.
        if (lines.current.length === 0 || typedRef.current?.closes === true) onClose();
        else keep(input, { closes: true });
      } else if (event.key === "Enter") {
        lines.current = [...lines.current, input.value];
        input.value = "";
        keep(input, { closes: false });
      } else return;
      event.preventDefault();
    },
  };
}

export interface HandOverProps {
  readonly typedRef: RefObject<Typed | null>;
  readonly onDone: () => void;
}

/** Rendered inside the loaded popup after its focused element: types what the stand-in has kept. */
export function HandOver({ typedRef, onDone }: HandOverProps) {
  const ref = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const typed = typedRef.current;
    typedRef.current = null;
    const box = ref.current?.parentElement ?? null;
    onDone();
    if (typed !== null && box !== null) void typeInto(box, typed);
  }, [typedRef, onDone]);
  return <span ref={ref} hidden />;
}

/** Whether the stand-in is shown: from opening before the code is loaded, until the loaded popup has taken over the text. */
export function useStandIn({ open, loaded }: { readonly open: boolean; readonly loaded: boolean }) {
  const typedRef = useRef<Typed | null>(null);
  const [stands, setStands] = useState(false);
  if (open && !loaded && !stands) setStands(true);
  if (!open && stands) setStands(false);
  const [end] = useState(() => () => setStands(false));
  return { stands: stands && open, typedRef, end };
}
