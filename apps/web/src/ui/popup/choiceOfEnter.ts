/** An item that text can be matched with. */
export interface Choosable {
  readonly key: string;
  readonly label: string;
}

/** The items whose label contains the text, in any case. */
export function matchingItems<Item extends Choosable>(
  items: readonly Item[],
  text: string,
): readonly Item[] {
  const needle = text.trim().toLowerCase();
  return items.filter((item) => item.label.toLowerCase().includes(needle));
}

export interface PickState {
  readonly shown: readonly Choosable[];
  /** Index of the active item; -1: there is none. */
  readonly at: number;
  readonly text: string;
  /** An arrow key was pressed since the text changed. */
  readonly walked: boolean;
  /** The list has an action for Enter without text. */
  readonly takesEmpty: boolean;
  /** The list accepts text that is no item's label. */
  readonly takesText: boolean;
}

export type EnterChoice =
  | { readonly kind: "item"; readonly key: string }
  | { readonly kind: "empty" | "text" | "none" };

/** What Enter chooses: an exact label before the active item, free text only where no arrow key was pressed. */
export function choiceOfEnter(state: PickState): EnterChoice {
  const { shown, at, text, walked, takesEmpty, takesText } = state;
  const exact = shown.find((item) => item.label === text);
  if (text === "" && !walked && takesEmpty) return { kind: "empty" };
  if (text !== "" && !walked && exact === undefined && takesText) return { kind: "text" };
  const target = exact ?? shown[at];
  return target === undefined ? { kind: "none" } : { kind: "item", key: target.key };
}
