import { createStore, type StoreApi } from "zustand/vanilla";
import { type Command, keyOf } from "./command.js";

export interface CommandBook
  extends Pick<StoreApi<readonly Command[]>, "getState" | "getInitialState" | "subscribe"> {
  /** Adds commands; the returned function removes them. */
  add(commands: readonly Command[]): () => void;
  /** Runs the command of a key; false: there is none. */
  press(event: KeyboardEvent): boolean;
}

/** All current commands; a screen's commands are removed with it. */
export function createCommandBook(): CommandBook {
  const lists = new Set<readonly Command[]>();
  const store = createStore<readonly Command[]>(() => []);
  const publish = (): void => {
    const byId = new Map<string, Command>();
    for (const list of lists) for (const command of list) byId.set(command.id, command);
    store.setState([...byId.values()], true);
  };
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    add(commands) {
      lists.add(commands);
      publish();
      return () => {
        lists.delete(commands);
        publish();
      };
    },
    press(event) {
      const key = keyOf(event);
      const typing = isTyping(event.target);
      // The newest first: a screen may override a key of the page.
      const found = store
        .getState()
        .toReversed()
        .filter(
          (command) =>
            command.run !== undefined &&
            command.keys?.includes(key) === true &&
            (!typing || command.whileTyping === true),
        );
      return found.some((command) => command.run?.(event) !== false);
    },
  };
}

/** Text fields, menus and dialogs handle their own keys. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  // A closing dialog keeps the focus until it is removed, but the next key is for the page.
  if (target.closest("[data-closed]") !== null) return false;
  // From outside, an editor in a shadow root appears as its host element.
  return (
    target.closest("input, select, textarea, [contenteditable=true], [data-editor]") !== null ||
    target.closest("[role=menu], [role=dialog]") !== null
  );
}
