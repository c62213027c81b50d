import { X } from "lucide-react";
import type { ButtonHTMLAttributes, HTMLAttributes, ReactNode, Ref } from "react";
import styles from "./Chip.module.css";

type LabelProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly ref?: Ref<HTMLButtonElement>;
};

export interface ChipProps {
  readonly children: ReactNode;
  readonly title: string;
  readonly testId: string;
  /** Disabled: shown, but not part of the query. */
  readonly off?: boolean;
  /** A problem, which marks the chip and is read by screen readers. */
  readonly fault?: string | null;
  readonly onRemove?: (() => void) | undefined;
  /** Before the label: a pin. */
  readonly icon?: ReactNode;
  /** After the label: a share, an approximation. */
  readonly note?: string | null;
  /** Listeners for moving it: on the chip for the pointer, on its label for keys. */
  readonly drag?: ChipDragProps;
  /** Properties that a popup sets on the button that opens it. */
  readonly labelProps?: LabelProps;
}

type ChipDragProps = Pick<
  HTMLAttributes<HTMLElement>,
  "draggable" | "onDragStart" | "onDragOver" | "onDrop" | "onKeyDown"
>;

/** One part of the query: click opens it, the cross or Delete removes it. */
export function Chip({
  children,
  title,
  testId,
  off,
  fault,
  onRemove,
  icon,
  note,
  drag,
  labelProps,
}: ChipProps) {
  const { onKeyDown, ...pointer } = drag ?? {};
  return (
    <span className={styles.wrap}>
      <span
        className={styles.chip}
        data-testid={testId}
        data-off={off}
        data-fault={fault != null}
        {...pointer}
      >
        <button
          type="button"
          {...labelProps}
          className={styles.label}
          title={fault ?? title}
          onKeyDown={(event) => {
            labelProps?.onKeyDown?.(event);
            onKeyDown?.(event);
            if (event.key === "Delete" || event.key === "Backspace") onRemove?.();
          }}
        >
          {icon}
          <span className={styles.text}>{children}</span>
          {note != null && <span className={styles.note}>{note}</span>}
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

export interface ChipTriggerProps
  extends Omit<ChipProps, "labelProps" | "children">,
    Omit<LabelProps, "title" | "onDragStart" | "onDragOver" | "onDrop"> {
  /** Content, where it differs from the title. */
  readonly text?: string;
}

/** A chip that opens a popup: the popup's trigger properties go to the label. */
export function ChipTrigger({
  testId,
  title,
  off,
  fault,
  onRemove,
  icon,
  note,
  drag,
  text,
  ...labelProps
}: ChipTriggerProps) {
  return (
    <Chip
      testId={testId}
      title={title}
      fault={fault ?? null}
      onRemove={onRemove}
      icon={icon}
      note={note ?? null}
      labelProps={labelProps}
      {...(off !== undefined && { off })}
      {...(drag !== undefined && { drag })}
    >
      {text ?? title}
    </Chip>
  );
}
