import type { User } from "@hadal/sdk";
import { useState } from "react";
import { readNames } from "../../../format/nameList.js";
import styles from "../base/people.module.css";

export interface GroupsFieldProps {
  readonly user: User;
  readonly onChange: (groups: readonly string[]) => void;
}

/** Groups as a list with commas; Enter or leaving the field saves it, Escape does not. */
export function GroupsField({ user: { name, groups }, onChange }: GroupsFieldProps) {
  const saved = groups.join(", ");
  const [text, setText] = useState(saved);
  const finish = (): void => {
    const next = readNames(text);
    if (next.join() !== groups.join()) onChange(next);
  };
  return (
    <input
      className={styles.groups}
      aria-label={`Groups of ${name}`}
      placeholder="none"
      value={text}
      title={text}
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setText(saved);
      }}
    />
  );
}
