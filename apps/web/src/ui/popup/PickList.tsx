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
import { type Choosable, choiceOfEnter, matchingItems } from "./choiceOfEnter.js";
import styles from "./PickList.module.css";

export interface PickItem extends Choosable {
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
  /** Shown above the items: what they do not include. */
  readonly note?: string | null;
  /** The items have not arrived: Enter takes effect when they do. */
  readonly awaited?: boolean;
  /** With it the caller searches for the typed text, and the items are the matches. */
  readonly onSearch?: (text: string) => void;
  /** Enter without text and without arrow keys; absent: picks the first item. */
  readonly onEmptyEnter?: (() => void) | undefined;
  /** Enter with text that is no item's label; absent: picks the active item. */
  readonly onText?: (text: string) => void;
  /** Its items are whole sentences. */
  readonly wide?: boolean;
  readonly testId?: string;
}

/** Type to narrow, arrows to walk, Enter to pick: one list for tables, columns and values. */
export function PickList(props: PickListProps) {
  const list = usePickCursor(props);
  const listId = useId();
  const optionId = (index: number): string => `${listId}-${index}`;
  return (
    <div className={styles.pick} data-wide={props.wide} data-testid={props.testId}>
      <PickInput {...props} list={list} listId={listId} optionId={optionId} />
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

interface PickInputProps extends PickListProps {
  readonly list: ReturnType<typeof usePickCursor>;
  readonly listId: string;
  readonly optionId: (index: number) => string;
}

/** The text field keeps the focus; it refers to the active item by id. */
function PickInput({ list, listId, optionId, ...props }: PickInputProps) {
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
      const root = event.currentTarget.getRootNode() as Document | ShadowRoot;
      root.getElementById(optionId(index))?.scrollIntoView({ block: "nearest" });
    }
  };
  return (
    <input
      ref={list.inputRef}
      // biome-ignore lint/a11y/noAutofocus: the user has just opened the list
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
        // The browser would join the lines of a pasted list into one.
        const pasted = event.clipboardData.getData("text");
        if (props.onText === undefined || !/[\n\t,]/.test(pasted)) return;
        event.preventDefault();
        props.onText(pasted);
      }}
    />
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys (aria-activedescendant)
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

/** The text, the items that match it, and the active one. */
function usePickCursor(props: PickListProps) {
  const { items, awaited = false, onPick, onSearch, onText, onEmptyEnter } = props;
  const [text, setText] = useState("");
  const [entered, setEntered] = useState<"not" | "stays" | "leaves">("not");
  const inputRef = useRef<HTMLInputElement>(null);
  const [cursor, setCursor] = useState(0);
  const [walked, setWalked] = useState(false);
  const shown = onSearch === undefined ? matchingItems(items, text) : items;
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
    const choice = choiceOfEnter({
      shown,
      at,
      text,
      walked,
      takesEmpty: onEmptyEnter !== undefined,
      takesText: onText !== undefined,
    });
    if (choice.kind === "empty") onEmptyEnter?.();
    else if (choice.kind === "text") {
      onText?.(text);
      type("");
    } else if (choice.kind === "item") pick(choice.key);
    else if (awaited) setEntered("stays");
  };
  /** Escape after an Enter that still waits closes the list after the pick; a second Escape cancels both. */
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
