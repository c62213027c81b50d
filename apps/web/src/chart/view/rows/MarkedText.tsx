import styles from "./RowsView.module.css";
import { markedParts } from "./searchMarks.js";

export interface MarkedTextProps {
  readonly text: string;
  readonly searched: readonly string[];
}

/** A text with the searched words marked; it is never parsed as HTML. */
export function MarkedText({ text, searched }: MarkedTextProps) {
  if (searched.length === 0) return text;
  let at = 0;
  return markedParts(text, searched).map(({ text: part, isHit }) => {
    const key = at;
    at += part.length;
    return isHit ? (
      <mark key={key} className={styles.hit}>
        {part}
      </mark>
    ) : (
      <span key={key}>{part}</span>
    );
  });
}
