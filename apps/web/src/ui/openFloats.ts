/** What floats over the page now, the newest last: a press or a key is for the one on top. */
interface OpenFloat {
  readonly box: HTMLElement;
  /** The control that opened it, which closes it itself. */
  readonly opener: () => Element | null;
  readonly close: () => void;
}

const open: OpenFloat[] = [];

/** Closes it with Escape and with a press outside it, of itself and of all that it opened. */
export function trackFloat(float: OpenFloat): () => void {
  if (open.length === 0) {
    document.addEventListener("pointerdown", onPress, true);
    document.addEventListener("keydown", onKey);
  }
  open.push(float);
  return () => {
    open.splice(open.indexOf(float), 1);
    if (open.length > 0) return;
    document.removeEventListener("pointerdown", onPress, true);
    document.removeEventListener("keydown", onKey);
  };
}

function onPress({ target }: PointerEvent): void {
  if (!(target instanceof Node)) return;
  const within = open.findLastIndex(
    ({ box, opener }) => box.contains(target) || opener()?.contains(target) === true,
  );
  for (const { close } of open.slice(within + 1)) close();
}

function onKey(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  event.preventDefault();
  open.at(-1)?.close();
}
