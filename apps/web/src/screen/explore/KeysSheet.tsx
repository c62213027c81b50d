import { Dialog } from "@base-ui/react/dialog";
import styles from "./KeysSheet.module.css";
import { keySheet } from "./keys.js";

export interface KeysSheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

export function KeysSheet({ open, onOpenChange }: KeysSheetProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.sheet} data-testid="keys-sheet">
          <Dialog.Title className={styles.title}>Keys</Dialog.Title>
          <dl className={styles.list}>
            {keySheet.map(([key, what]) => (
              <div key={key} className={styles.pair}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
