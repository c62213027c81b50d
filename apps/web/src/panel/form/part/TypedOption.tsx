import { useState } from "react";
import styles from "./form.module.css";

export interface TypedOptionProps {
  readonly label: string;
  readonly testId: string;
  readonly hint: string;
  readonly value: string;
  readonly accepts: (text: string) => boolean;
  readonly onChange: (value: string) => void;
}

/** A typed option, applied on blur or Enter if it is valid. */
export function TypedOption(props: TypedOptionProps) {
  const { label, testId, hint, value, accepts, onChange } = props;
  const [text, setText] = useState(value);
  const isRead = text === "" || accepts(text);
  const take = (): void => {
    if (isRead && text !== value) onChange(text);
  };
  return (
    <input
      aria-label={label}
      className={styles.input}
      data-testid={testId}
      placeholder={hint}
      value={text}
      aria-invalid={!isRead}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === "Enter") take();
      }}
    />
  );
}
