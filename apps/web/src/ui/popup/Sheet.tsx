import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import styles from "./Sheet.module.css";

export interface SheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** Title for screen readers only. */
  readonly titleHidden?: boolean;
  readonly width?: number;
  readonly testId: string;
  readonly children: ReactNode;
}

/** A modal dialog: Escape or a click outside closes it. */
export function Sheet({
  open,
  onOpenChange,
  title,
  titleHidden,
  width,
  testId,
  children,
}: SheetProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          className={styles.sheet}
          data-testid={testId}
          style={{ width: `min(${width ?? 440}px, calc(100vw - 24px))` }}
        >
          <Dialog.Title className={styles.title} data-hidden={titleHidden === true}>
            {title}
          </Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
