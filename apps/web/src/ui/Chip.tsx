import { X } from "lucide-react";
import type { ReactNode, Ref } from "react";
import styles from "./Chip.module.css";

export interface ChipProps {
  readonly children: ReactNode;
  readonly title: string;
  readonly testId: string;
  /** Laid aside: shown, not asked. */
  readonly off?: boolean;
  /** What is wrong with it; marks the chip and is read out. */
  readonly fault?: string | null;
  readonly onOpen?: () => void;
  readonly onRemove?: (() => void) | undefined;
  readonly openRef?: Ref<HTMLButtonElement>;
}

/** One part of the question: click opens it, the cross removes it, as Delete does. */
export function Chip({
  children,
  title,
  testId,
  off,
  fault,
  onOpen,
  onRemove,
  openRef,
}: ChipProps) {
  return (
    <span className={styles.wrap}>
      <span className={styles.chip} data-testid={testId} data-off={off} data-fault={fault != null}>
        <button
          type="button"
          ref={openRef}
          className={styles.label}
          title={fault ?? title}
          onClick={onOpen}
          onKeyDown={(event) => {
            if (event.key === "Delete" || event.key === "Backspace") onRemove?.();
          }}
        >
          {children}
        </button>
        {onRemove !== undefined && (
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove ${title}`}
            onClick={onRemove}
          >
            <X size={12} />
          </button>
        )}
      </span>
      {fault != null && (
        <span role="alert" className={styles.fault}>
          {fault}
        </span>
      )}
    </span>
  );
}
