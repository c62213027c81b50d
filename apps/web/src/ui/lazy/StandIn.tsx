import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { type Typed, typeInto } from "./handOver.js";
import styles from "./StandIn.module.css";

export interface StandInProps {
  readonly label: string;
  /** At what it floats; absent: at the top of the page, over everything. */
  readonly anchorRef?: RefObject<HTMLElement | null>;
  readonly typedRef: RefObject<Typed | null>;
  readonly onClose: () => void;
}

/** Stands where a popup will be while its part of the page is being loaded, and keeps what is typed for it. */
export function StandIn({ label, anchorRef, typedRef, onClose }: StandInProps) {
  const boxRef = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const at = anchorRef?.current?.getBoundingClientRect();
    const box = boxRef.current;
    if (at === undefined || box === null) return;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = `${Math.min(at.bottom + 4, innerHeight - box.offsetHeight - 8)}px`;
  }, [anchorRef]);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node) || boxRef.current?.contains(target) === true) return;
      // The control that opened it closes it too.
      if (anchorRef?.current?.contains(target) !== true) onClose();
    };
    document.addEventListener("pointerdown", onPress, true);
    return () => document.removeEventListener("pointerdown", onPress, true);
  }, [anchorRef, onClose]);
  const lines = useRef<string[]>([]);
  const keep = (input: HTMLInputElement, closes: boolean): void => {
    const { value: text, selectionStart, selectionEnd } = input;
    const [start, end] = [selectionStart ?? text.length, selectionEnd ?? text.length];
    typedRef.current = { lines: lines.current, text, start, end, closes };
  };
  return createPortal(
    <div ref={boxRef} className={styles.box} data-page={anchorRef === undefined}>
      <input
        // biome-ignore lint/a11y/noAutofocus: somebody asked for what it stands for
        autoFocus
        className={styles.input}
        aria-label={label}
        aria-busy="true"
        data-testid="stand-in"
        spellCheck={false}
        autoComplete="off"
        onInput={(event) => keep(event.currentTarget, false)}
        onSelect={({ currentTarget }) => keep(currentTarget, typedRef.current?.closes ?? false)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Tab") {
            // It lies at the end of the page: Tab goes on from the control that opened it.
            if (event.shiftKey) event.preventDefault();
            onClose();
            return;
          }
          if (event.key === "Escape") {
            // What was chosen by Enter stays chosen; a second Escape takes it back.
            if (lines.current.length === 0 || typedRef.current?.closes === true) onClose();
            else keep(event.currentTarget, true);
          } else if (event.key === "Enter") {
            lines.current = [...lines.current, event.currentTarget.value];
            event.currentTarget.value = "";
            keep(event.currentTarget, false);
          } else return;
          event.preventDefault();
        }}
      />
    </div>,
    document.body,
  );
}

export interface HandOverProps {
  readonly typedRef: RefObject<Typed | null>;
  readonly onDone: () => void;
}

/** Stands in the part that has come, after what takes the focus in it: types what its stand-in has kept. */
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

/** Whether a stand-in is needed: where something was opened before its part was there, until that has taken over. */
export function useStandIn(open: boolean, isThere: boolean) {
  const typedRef = useRef<Typed | null>(null);
  const [stands, setStands] = useState(false);
  if (open && !isThere && !stands) setStands(true);
  if (!open && stands) setStands(false);
  const [end] = useState(() => () => setStands(false));
  return { stands: stands && open, typedRef, end };
}
