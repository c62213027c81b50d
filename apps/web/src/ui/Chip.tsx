import { X } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import styles from "./Chip.module.css";

type LabelProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly ref?: Ref<HTMLButtonElement>;
};

export interface ChipProps {
  readonly children: ReactNode;
  readonly title: string;
  readonly testId: string;
  /** Laid aside: shown, not asked. */
  readonly off?: boolean;
  /** What is wrong with it; marks the chip and is read out. */
  readonly fault?: string | null;
  readonly onRemove?: (() => void) | undefined;
  /** What a popup gives to the button that opens it. */
  readonly labelProps?: LabelProps;
}

/** One part of the question: click opens it, the cross removes it, as Delete does. */
export function Chip({ children, title, testId, off, fault, onRemove, labelProps }: ChipProps) {
  return (
    <span className={styles.wrap}>
      <span className={styles.chip} data-testid={testId} data-off={off} data-fault={fault != null}>
        <button
          type="button"
          {...labelProps}
          className={styles.label}
          title={fault ?? title}
          onKeyDown={(event) => {
            labelProps?.onKeyDown?.(event);
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

export type ChipTriggerProps = Omit<ChipProps, "labelProps" | "children"> &
  Omit<LabelProps, "title">;

/** A chip that opens a popup: what the popup gives its trigger goes to the label. */
export function ChipTrigger({
  testId,
  title,
  off,
  fault,
  onRemove,
  ...labelProps
}: ChipTriggerProps) {
  return (
    <Chip
      testId={testId}
      title={title}
      fault={fault ?? null}
      onRemove={onRemove}
      labelProps={labelProps}
      {...(off !== undefined && { off })}
    >
      {title}
    </Chip>
  );
}
