/** Sections of the palette and of the sheet of keys, in this order. */
export const commandGroups = [
  "Everywhere",
  "Go to",
  "Query",
  "Time",
  "View",
  "Result",
  "Filter",
  "Group by",
  "Open table",
  "Saved queries",
  "Recent queries",
  "This screen",
] as const;
export type CommandGroup = (typeof commandGroups)[number];

/** An action with a name or a key. The palette, the keys and the sheet of keys are built from these. */
export interface Command {
  /** Unique; a later command with the same id replaces an earlier one. */
  readonly id: string;
  readonly group: CommandGroup;
  readonly label: string;
  /** Further words that find it. */
  readonly words?: string;
  /** Keys as {@link keyOf} names them: `l`, `?`, `mod+k`, `mod+shift+z`, `1`. */
  readonly keys?: readonly string[];
  /** Text for the keys on the sheet, where a list of them would be unclear. */
  readonly keyText?: string;
  /** It also works in text fields. */
  readonly whileTyping?: boolean;
  /** On the sheet only, not in the palette. */
  readonly hidden?: boolean;
  /** Absent: the focused control handles the key, and the sheet lists it. Returns false if the key does not apply. */
  readonly run?: (event?: KeyboardEvent) => unknown;
}

/** Name of a key event: modifiers first, letters in lower case. */
export function keyOf(event: Pick<KeyboardEvent, KeyPart>): string {
  const { key } = event;
  const name = key.length === 1 ? key.toLowerCase() : key;
  // Whether a sign such as ? needs Shift depends on the keyboard.
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

/** Whose labels keys have. */
export type Keyboard = "mac" | "other";

/** `mod+shift+z` with the labels of the keyboard: `⌘ ⇧ Z`, `Ctrl ⇧ Z`. */
export function printKey(key: string, keyboard: Keyboard): string {
  if (key === "+" || !key.includes("+")) return nameOf(key, keyboard);
  const parts = key.split("+");
  const last = parts.at(-1) ?? "";
  const named = parts.slice(0, -1).map((part) => nameOf(part, keyboard));
  return [...named, last.length === 1 ? last.toUpperCase() : nameOf(last, keyboard)].join(" ");
}

function nameOf(part: string, keyboard: Keyboard): string {
  if (part === "mod") return keyboard === "mac" ? "⌘" : "Ctrl";
  return Object.hasOwn(signs, part) ? (signs[part] ?? part) : part;
}
