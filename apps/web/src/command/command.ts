/** Where a command stands in the palette and on the sheet of keys, in this order. */
export const commandGroups = [
  "Everywhere",
  "Go to",
  "Ask",
  "Time",
  "View",
  "Result",
  "Filter",
  "Group by",
  "Open table",
  "Recent queries",
  "This screen",
] as const;
export type CommandGroup = (typeof commandGroups)[number];

/** Something a reader can ask for by name or by key. The palette, the keys and their sheet are all made of these. */
export interface Command {
  /** Tells it from all others; a later one of the same id takes the place of an earlier one. */
  readonly id: string;
  readonly group: CommandGroup;
  readonly label: string;
  /** Further words by which it can be found. */
  readonly words?: string;
  /** Keys as {@link keyOf} names them: `l`, `?`, `mod+k`, `mod+shift+z`, `1`. */
  readonly keys?: readonly string[];
  /** How the sheet writes the keys, where the list of them would not be understood. */
  readonly keyText?: string;
  /** It also works while somebody types. */
  readonly whileTyping?: boolean;
  /** On the sheet only: it makes no sense to choose it from a list. */
  readonly hidden?: boolean;
  /** Absent: the control in focus does it by itself, and the sheet tells of it. False: the key was not for it. */
  readonly run?: (event?: KeyboardEvent) => unknown;
}

/** A key event as commands name it: modifiers first, letters in lower case. */
export function keyOf(event: Pick<KeyboardEvent, KeyPart>): string {
  const { key } = event;
  const name = key.length === 1 ? key.toLowerCase() : key;
  // A sign such as ? needs Shift on one keyboard and not on another.
  const shift = event.shiftKey && (key.length > 1 || /[a-z]/i.test(key));
  return [
    event.ctrlKey || event.metaKey ? "mod+" : "",
    event.altKey ? "alt+" : "",
    shift ? "shift+" : "",
    name,
  ].join("");
}

type KeyPart = "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey";

const signs: Readonly<Record<string, string>> = {
  alt: "Alt",
  shift: "⇧",
  Enter: "⏎",
  Escape: "Esc",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** `mod+shift+z` as it stands on the keyboard: `⌘ ⇧ Z`, `Ctrl ⇧ Z`. */
export function printKey(key: string, isMac: boolean): string {
  if (key === "+" || !key.includes("+")) return nameOf(key, isMac);
  const parts = key.split("+");
  const last = parts.at(-1) ?? "";
  const named = parts.slice(0, -1).map((part) => nameOf(part, isMac));
  return [...named, last.length === 1 ? last.toUpperCase() : nameOf(last, isMac)].join(" ");
}

function nameOf(part: string, isMac: boolean): string {
  if (part === "mod") return isMac ? "⌘" : "Ctrl";
  return Object.hasOwn(signs, part) ? (signs[part] ?? part) : part;
}
