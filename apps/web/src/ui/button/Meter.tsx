import styles from "./Meter.module.css";

export interface MeterProps {
  readonly label: string;
  /** 0 to 1. */
  readonly share: number;
  /** From this share on it is amber. */
  readonly warnFrom?: number;
}

/** A bar that shows a share. */
export function Meter({ label, share, warnFrom = 0.85 }: MeterProps) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be coloured alike in all browsers
    <span
      role="meter"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={styles.track}
      data-warn={share >= warnFrom}
    >
      <span className={styles.fill} style={{ width: `${percent}%` }} />
    </span>
  );
}
