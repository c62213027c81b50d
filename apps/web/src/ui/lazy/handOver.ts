/** What was typed into a stand-in. */
export interface Typed {
  /** Each ended with Enter. */
  readonly lines: readonly string[];
  readonly text: string;
  /** What of the text is selected; both are where the caret is. */
  readonly start: number;
  readonly end: number;
  /** Escape came after the last Enter. */
  readonly closes: boolean;
}

/** Types into whatever input of a box has the focus, as the reader would have; keys that come meanwhile wait their turn. */
export async function typeInto(box: Element, typed: Typed): Promise<void> {
  const held: string[] = [];
  const hold = (event: KeyboardEvent): void => {
    const { key } = event;
    if (!event.isTrusted || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (key.length > 1 && key !== "Enter" && key !== "Escape") return;
    held.push(key);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", hold, true);
  try {
    await replay(box, typed);
    let isOpen = !typed.closes;
    // Those that come while these are typed wait behind them: none may overtake another.
    for (let key = held.shift(); key !== undefined; key = held.shift()) {
      // What comes behind an Escape is not for what it closed.
      const input = isOpen ? inputOf(box) : null;
      if (input === null) return;
      if (key.length > 1) press(input, key);
      else fill(input, input.value + key);
      isOpen = key !== "Escape";
      await rendered();
    }
  } finally {
    window.removeEventListener("keydown", hold, true);
  }
}

async function replay(box: Element, { lines, text, start, end, closes }: Typed): Promise<void> {
  for (const line of lines) {
    const input = inputOf(box);
    if (input === null) return;
    if (line !== "") fill(input, line);
    // What the text leaves of a list is there after the page has been rendered.
    await rendered();
    press(input, "Enter");
    await rendered();
  }
  const input = inputOf(box);
  if (closes) press(input ?? box, "Escape");
  else if (input !== null && text !== "") {
    fill(input, text);
    await rendered();
    input.setSelectionRange(start, end);
  }
}

const rendered = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function inputOf(box: Element): HTMLInputElement | null {
  const { activeElement } = document;
  const focused = box.contains(activeElement) ? activeElement : null;
  if (focused instanceof HTMLInputElement) return focused;
  const input = box.querySelector<HTMLInputElement>("input:not([type]), input[type=text]");
  input?.focus();
  return input;
}

/** React hears only of values that come past its own setter. */
function fill(input: HTMLInputElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
  set?.call(input, text);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A key as if the reader had pressed it there; Enter sends the form of an input where nothing else takes it. */
export function press(target: Element, key: string): void {
  const how = { key, code: key, bubbles: true, cancelable: true };
  const isLeft = target.dispatchEvent(new KeyboardEvent("keydown", how));
  if (isLeft && key === "Enter" && target instanceof HTMLInputElement) target.form?.requestSubmit();
}
