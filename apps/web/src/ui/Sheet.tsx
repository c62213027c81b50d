import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import styles from "./Sheet.module.css";

export interface SheetProps {
  readonly onClose: () => void;
  readonly title: string;
  /** The title is for those who cannot see that the sheet needs none. */
  readonly titleHidden?: boolean;
  readonly width?: number;
  readonly testId: string;
  readonly children: ReactNode;
}

/** What lies over the page until it is dealt with: Escape or a click outside closes it, and the focus goes back where it was. */
export function Sheet({ onClose, title, titleHidden, width, testId, children }: SheetProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState(false);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Before it is shown nothing in it takes the focus.
    setShown(true);
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it with Escape (onCancel)
    <dialog
      ref={ref}
      className={styles.sheet}
      data-testid={testId}
      aria-label={title}
      style={{ width: `min(${width ?? 440}px, calc(100vw - 24px))` }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Around what it holds is only its backdrop.
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {shown && (
        <div className={styles.inside}>
          <h2 className={styles.title} data-hidden={titleHidden === true}>
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  );
}
