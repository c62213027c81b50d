import { describe, expect, test } from "vitest";
import { initialState } from "./exploreState.js";
import { type AddressBar, createExploreStore } from "./store.js";

/** The history of a browser as its specification tells it: pushing drops what was undone. */
function createBar(search: string): AddressBar & { readonly entries: string[] } {
  const entries = [search];
  let position = 0;
  const listeners = new Set<() => void>();
  return {
    entries,
    search: () => entries[position] ?? "",
    index: () => position,
    push(next) {
      entries.splice(position + 1);
      entries.push(next);
      position += 1;
    },
    replace(next) {
      entries[position] = next;
    },
    go(steps) {
      position = Math.min(entries.length - 1, Math.max(0, position + steps));
      for (const listener of listeners) listener();
    },
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

describe("explore store", () => {
  test("opening writes the address without a step; edits are steps; undo and redo walk them", () => {
    const bar = createBar("");
    const store = createExploreStore(bar);
    expect(store.getState().state).toBeNull();
    store.openWith(initialState("requests"));
    expect(bar.entries).toHaveLength(1);
    store.dispatch({ kind: "set view", view: "table" });
    store.dispatch({ kind: "group by", group: "country" });
    expect(store.getState()).toMatchObject({ canUndo: true, canRedo: false });
    store.undo();
    expect(store.getState().state).toMatchObject({ view: "table", groupBy: [] });
    expect(store.getState().canRedo).toBe(true);
    store.redo();
    expect(store.getState().state?.groupBy).toEqual(["country"]);
  });

  test("the address alone brings the state back", () => {
    const bar = createBar("");
    const store = createExploreStore(bar);
    store.openWith(initialState("requests"));
    store.dispatch({ kind: "set compare", compare: { offset: "7d", filter: null } });
    const again = createExploreStore(createBar(bar.search()));
    expect(again.getState().state).toEqual(store.getState().state);
  });

  test("an edit that changes nothing leaves no step and asks nothing", () => {
    const bar = createBar("");
    const store = createExploreStore(bar);
    store.openWith(initialState("requests"));
    const { asked } = store.getState();
    store.dispatch({ kind: "set limit", limit: 100 });
    expect(bar.entries).toHaveLength(1);
    expect(store.getState().asked).toBe(asked);
    store.dive();
    expect(store.getState().asked).toBe(asked + 1);
  });
});
