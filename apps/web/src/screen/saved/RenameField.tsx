import { documentTitleMax } from "@hadal/sdk";
import { useState } from "react";
import styles from "./saved.module.css";

export interface RenameFieldProps {
  readonly title: string;
  readonly onDone: (title: string) => void;
  readonly onCancel: () => void;
}

/** The title as a field: Enter or leaving it renames, Escape does not. */
export function RenameField({ title, onDone, onCancel }: RenameFieldProps) {
  const [text, setText] = useState(title);
  const finish = (): void => {
    const next = text.trim();
    if (next === "" || next === title) onCancel();
    else onDone(next);
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the reader has just begun to rename
      autoFocus
      className={styles.input}
      aria-label={`New title of ${title}`}
      data-testid="rename"
      value={text}
      maxLength={documentTitleMax}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish();
        if (event.key === "Escape") onCancel();
      }}
    />
  );
}
