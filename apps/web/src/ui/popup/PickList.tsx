import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { press } from "../lazy/handOver.js";
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
  /** Above the items: what they do not tell. */
  readonly note?: string | null;
  /** The items are still on their way: Enter counts once they are there. */
  readonly awaited?: boolean;
  /** Given: what is typed is searched elsewhere and the items are its answer. */
  readonly onSearch?: (text: string) => void;
  /** What Enter does when nothing was typed or walked to; absent: picks the first. */
  readonly onEmptyEnter?: (() => void) | undefined;
  /** What Enter does with text that matches no item; absent: nothing. */
  readonly onText?: (text: string) => void;
  /** Its entries are whole sentences. */
  readonly wide?: boolean;
  readonly testId?: string;
}

/** Type to narrow, arrows to walk, Enter to pick: one list for tables, columns and values. */
export function PickList(props: PickListProps) {
  const list = usePickCursor(props);
  const listId = useId();
  const optionId = (index: number): string => `${listId}-${index}`;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      list.enter();
    } else if (event.key === "Escape" && list.leaveOncePicked()) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const index = list.walk(event.key === "ArrowDown" ? 1 : -1);
      document.getElementById(optionId(index))?.scrollIntoView({ block: "nearest" });
    }
  };
  return (
    <div className={styles.pick} data-wide={props.wide} data-testid={props.testId}>
      <input
        ref={list.inputRef}
        // biome-ignore lint/a11y/noAutofocus: the list opened because somebody asked for it
        autoFocus
        role="combobox"
        aria-label={props.label}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={list.at >= 0 ? optionId(list.at) : undefined}
        className={styles.input}
        placeholder={props.placeholder}
        value={list.text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => list.type(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          // An input of one line would run the lines of a list together.
          const pasted = event.clipboardData.getData("text");
          if (props.onText === undefined || !/[\n\t,]/.test(pasted)) return;
          event.preventDefault();
          props.onText(pasted);
        }}
      />
      {props.note != null && (
        <div className={styles.empty} role="status">
          {props.note}
        </div>
      )}
      <div
        role="listbox"
        id={listId}
        aria-label={props.label}
        className={styles.list}
        data-awaited={props.onSearch !== undefined}
        tabIndex={-1}
      >
        {list.shown.length === 0 && <div className={styles.empty}>{props.empty}</div>}
        {list.shown.map((item, i) => (
          <Option
            key={item.key}
            id={optionId(i)}
            item={item}
            active={i === list.at}
            onPoint={() => list.point(i)}
            onPick={() => list.pick(item.key)}
          />
        ))}
      </div>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: PickItem;
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

function Option({ id, item, active, onPoint, onPick }: OptionProps) {
  const share = `${((item.share ?? 0) * 100).toFixed(1)}%`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input hears the keys (aria-activedescendant)
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={item.picked === true}
      data-active={active}
      className={styles.item}
      title={item.label}
      style={{ "--share": share } as CSSProperties}
      onMouseMove={onPoint}
      onClick={onPick}
    >
      <span className={styles.label}>{item.label}</span>
      {item.note !== undefined && <span className={styles.note}>{item.note}</span>}
    </div>
  );
}

/** What is typed, what it leaves, and which of it is in hand. */
function usePickCursor(props: PickListProps) {
  const { items, awaited = false, onPick, onSearch, onText, onEmptyEnter } = props;
  const [text, setText] = useState("");
  const [entered, setEntered] = useState<"not" | "stays" | "leaves">("not");
  const inputRef = useRef<HTMLInputElement>(null);
  const [cursor, setCursor] = useState(0);
  const [walked, setWalked] = useState(false);
  const needle = onSearch === undefined ? text.trim().toLowerCase() : "";
  const shown = items.filter((item) => item.label.toLowerCase().includes(needle));
  const at = Math.min(cursor, shown.length - 1);
  const type = (next: string): void => {
    setText(next);
    setCursor(0);
    setWalked(false);
    setEntered("not");
    onSearch?.(next);
  };
  const pick = (key: string): void => {
    onPick(key);
    type("");
  };
  const enter = (): void => {
    const exact = shown.find((item) => item.label === text);
    const target = exact ?? shown[at];
    if (text === "" && !walked && onEmptyEnter !== undefined) onEmptyEnter();
    else if (text !== "" && !walked && exact === undefined && onText !== undefined) {
      onText(text);
      type("");
    } else if (target !== undefined) pick(target.key);
    else if (awaited) setEntered("stays");
  };
  /** Escape behind an Enter that still waits comes after it; a second one takes both back. */
  const leaveOncePicked = (): boolean => {
    if (!awaited || entered !== "stays") return false;
    setEntered("leaves");
    return true;
  };
  useEffect(() => {
    if (entered === "not" || awaited) return;
    setEntered("not");
    enter();
    if (entered === "leaves" && inputRef.current !== null) press(inputRef.current, "Escape");
  });
  const walk = (step: number): number => {
    const next = Math.min(shown.length - 1, Math.max(0, at + step));
    setWalked(true);
    setCursor(next);
    return next;
  };
  return { text, shown, at, type, pick, enter, leaveOncePicked, inputRef, walk, point: setCursor };
}
