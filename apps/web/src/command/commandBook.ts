import { createStore, type StoreApi } from "zustand/vanilla";
import { type Command, keyOf } from "./command.js";

export interface CommandBook
  extends Pick<StoreApi<readonly Command[]>, "getState" | "getInitialState" | "subscribe"> {
  /** Adds commands until the function that comes back is called. */
  add(commands: readonly Command[]): () => void;
  /** Runs what the key stands for here; whether there was something. */
  press(event: KeyboardEvent): boolean;
}

/** All commands that can be given now: what a screen adds is gone with it. */
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
      // The newest first: a screen may give a key of the page its own meaning.
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

/** Keys belong to the control that is being typed into, and to menus and dialogs. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  // What is closing has the focus until it is gone: the next key is for the page already.
  if (target.closest("[data-closed]") !== null) return false;
  // An editor in a tree of its own is seen from outside as its host.
  return (
    target.closest("input, select, textarea, [contenteditable=true], [data-editor]") !== null ||
    target.closest("[role=menu], [role=dialog]") !== null
  );
}
