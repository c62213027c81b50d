/** What was typed into a stand-in. */
export interface Typed {
  /** Each ended with Enter. */
  readonly lines: readonly string[];
  readonly text: string;
  /** What of the text is selected; both are where the caret is. */
  readonly start: number;
  readonly end: number;
}

/** Types into whatever input of a box has the focus, as the reader would have. */
export async function typeInto(box: Element, { lines, text, start, end }: Typed): Promise<void> {
  for (const line of lines) {
    const input = inputOf(box);
    if (input === null) return;
    if (line !== "") fill(input, line);
    // What the text leaves of a list is there after the page has been rendered.
    await rendered();
    enter(input);
    await rendered();
  }
  const input = inputOf(box);
  if (input === null || text === "") return;
  fill(input, text);
  await rendered();
  input.setSelectionRange(start, end);
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

function enter(input: HTMLInputElement): void {
  const how = { key: "Enter", code: "Enter", bubbles: true, cancelable: true };
  if (input.dispatchEvent(new KeyboardEvent("keydown", how))) input.form?.requestSubmit();
}
