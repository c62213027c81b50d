import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import styles from "./PickList.module.css";

export interface PickItem {
  readonly key: string;
  readonly label: string;
  /** Shown at the end of the line: a type, a share, a key. */
  readonly note?: ReactNode;
  /** 0 to 1: a bar behind the line. */
  readonly share?: number;
  readonly picked?: boolean;
}

export interface PickListProps {
  readonly label: string;
  readonly items: readonly PickItem[];
  readonly onPick: (key: string) => void;
  readonly placeholder: string;
  readonly empty: string;
  /** Given: what is typed is searched elsewhere and the items are its answer. */
  readonly onSearch?: (text: string) => void;
  /** What Enter does when nothing was typed or walked to; absent: picks the first. */
  readonly onEmptyEnter?: (() => void) | undefined;
  /** What Enter does with text that matches no item; absent: nothing. */
  readonly onText?: (text: string) => void;
  readonly testId?: string;
}

/** Type to narrow, arrows to walk, Enter to pick: one list for tables, columns and values. */
export function PickList(props: PickListProps) {
  const { items, onPick, onSearch, onText } = props;
  const [text, setText] = useState("");
  const [cursor, setCursor] = useState(0);
  const [walked, setWalked] = useState(false);
  const listId = useId();
  const needle = text.trim().toLowerCase();
  const shown =
    onSearch !== undefined || needle === ""
      ? items
      : items.filter((item) => item.label.toLowerCase().includes(needle));
  const at = Math.min(cursor, shown.length - 1);

  const pick = (key: string): void => {
    onPick(key);
    change("");
  };
  const change = (next: string): void => {
    setText(next);
    setCursor(0);
    setWalked(false);
    onSearch?.(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = at + (event.key === "ArrowDown" ? 1 : -1);
      setWalked(true);
      setCursor(Math.min(shown.length - 1, Math.max(0, next)));
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      if (text === "" && !walked && props.onEmptyEnter !== undefined) {
        props.onEmptyEnter();
        return;
      }
      const target = shown[at];
      const exact = shown.find((item) => item.label === text);
      if (onText !== undefined && text !== "" && exact === undefined && !walked) {
        onText(text);
        change("");
      } else if (target !== undefined) pick((exact ?? target).key);
    }
  };

  return (
    <div className={styles.pick} data-testid={props.testId}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the list opened because somebody asked for it
        autoFocus
        role="combobox"
        aria-label={props.label}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
        className={styles.input}
        placeholder={props.placeholder}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div
        role="listbox"
        id={listId}
        aria-label={props.label}
        className={styles.list}
        tabIndex={-1}
      >
        {shown.length === 0 && <div className={styles.empty}>{props.empty}</div>}
        {shown.map((item, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input hears the keys (aria-activedescendant)
          <div
            key={item.key}
            id={`${listId}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={item.picked === true}
            data-active={i === at}
            className={styles.item}
            title={item.label}
            style={{ "--share": `${((item.share ?? 0) * 100).toFixed(1)}%` } as React.CSSProperties}
            onMouseMove={() => setCursor(i)}
            onClick={() => pick(item.key)}
          >
            <span className={styles.label}>{item.label}</span>
            {item.note !== undefined && <span className={styles.note}>{item.note}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}
