/** What was typed into a stand-in. */
export interface Typed {
  /** Lines that were ended with Enter. */
  readonly lines: readonly string[];
  readonly text: string;
  /** Ends of the selection; both are at the caret when nothing is selected. */
  readonly start: number;
  readonly end: number;
  /** Escape came after the last Enter. */
  readonly closes: boolean;
}

/** Types into the focused input of a box, as the user would. Keys pressed meanwhile are queued behind. */
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
    // Queued keys are typed in order; keys pressed during this loop join the queue.
    for (let key = held.shift(); key !== undefined; key = held.shift()) {
      // Keys after an Escape are not for the box that it closed.
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
    // The list is narrowed only after the page has rendered.
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

/** React overrides the value setter of inputs: only the native setter makes it see a change. */
function fill(input: HTMLInputElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
  set?.call(input, text);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Dispatches a key press. An Enter that no listener handles submits the input's form. */
export function press(target: Element, key: string): void {
  const how = { key, code: key, bubbles: true, cancelable: true };
  const isLeft = target.dispatchEvent(new KeyboardEvent("keydown", how));
  if (isLeft && key === "Enter" && target instanceof HTMLInputElement) target.form?.requestSubmit();
}
