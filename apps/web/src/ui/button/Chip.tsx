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
  /** Laid aside: shown, not asked. */
  readonly off?: boolean;
  /** What is wrong with it; marks the chip and is read out. */
  readonly fault?: string | null;
  readonly onRemove?: (() => void) | undefined;
  /** Stands before the label: a pin. */
  readonly icon?: ReactNode;
  /** Stands after the label: a share, an approximation. */
  readonly note?: string | null;
  /** What makes it move: by the pointer the chip, by keys its label. */
  readonly drag?: ChipDragProps;
  /** What a popup gives to the button that opens it. */
  readonly labelProps?: LabelProps;
}

type ChipDragProps = Pick<
  HTMLAttributes<HTMLElement>,
  "draggable" | "onDragStart" | "onDragOver" | "onDrop" | "onKeyDown"
>;

/** One part of the question: click opens it, the cross removes it, as Delete does. */
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
  /** What it says, where that is not its title. */
  readonly text?: string;
}

/** A chip that opens a popup: what the popup gives its trigger goes to the label. */
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
