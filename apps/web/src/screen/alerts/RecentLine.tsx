import type { AlertStatus } from "@hadal/sdk";
import { spanOf, sparkPath } from "../../chart/kit/svg/sparkPath.js";
import styles from "./alerts.module.css";

const box = { width: 96, height: 18 } as const;

/** The values of the last windows, without an axis; a window that could not be judged is a gap. */
export function RecentLine({ recent }: Pick<AlertStatus, "recent">) {
  const values = recent.map(([, value]) => value);
  const span = spanOf([values]);
  if (span === null) return null;
  return (
    <svg
      className={styles.recent}
      width={box.width}
      height={box.height + 2}
      viewBox={`0 -1 ${box.width} ${box.height + 2}`}
      aria-hidden="true"
      data-testid="alert-recent"
    >
      <path d={sparkPath(values, { ...span, ...box })} />
    </svg>
  );
}
