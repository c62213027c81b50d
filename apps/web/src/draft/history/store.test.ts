import { describe, expect, test } from "vitest";
import { initialState } from "../../query/state/exploreState.js";
import type { TextStore } from "./history.js";
import { type AddressBar, createExploreStore } from "./store.js";

interface TestBar extends AddressBar {
  readonly entries: string[];
  /** Follows a link: with a path to another screen, else to a query. */
  visit(address: string): void;
}

/** A browser's history by its specification: a push drops the entries ahead. Paths are other screens. */
function createBar(search: string, entries = [search], start = 0): TestBar {
  let position = start;
  const listeners = new Set<() => void>();
  const isQuestion = (): boolean => entries[position]?.startsWith("/") === false;
  const tell = (): void => {
    if (isQuestion()) for (const listener of listeners) listener();
  };
  return {
    entries,
    search: () => (isQuestion() ? (entries[position] ?? "") : ""),
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
      tell();
    },
    visit(address) {
      entries.splice(position + 1);
      entries.push(address);
      position += 1;
      tell();
    },
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function createStorage(): TextStore {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
  };
}

/** Opens the page in a tab. */
const openStore = (bar: AddressBar, storage = createStorage()) => createExploreStore(bar, storage);

/** A page whose view was changed from lines to bars to a donut. */
function openDonut() {
  const bar = createBar("");
  const storage = createStorage();
  const store = openStore(bar, storage);
  store.openWith(initialState("requests"));
  store.dispatch({ kind: "set view", view: "bar" });
  store.dispatch({ kind: "set view", view: "pie" });
  return { bar, store, storage, view: () => store.getState().state?.view };
}

describe("explore store", () => {
  test("opening writes the address without a step; edits are steps; undo and redo walk them", () => {
    const bar = createBar("");
    const store = openStore(bar);
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

  test("saving the shown query is no step and asks nothing", () => {
    const { bar, store, view } = openDonut();
    const { asked } = store.getState();
    store.keepSaved("id");
    expect(bar.search()).toContain("&view=pie&agg=count&saved=id");
    expect(store.getState()).toMatchObject({ asked, canRedo: false, state: { saved: "id" } });
    store.undo();
    expect(view()).toBe("bar");
    store.redo();
    expect(store.getState().state).toMatchObject({ view: "pie", saved: "id" });
  });

  test("the address alone brings the state back", () => {
    const bar = createBar("");
    const store = openStore(bar);
    store.openWith(initialState("requests"));
    store.dispatch({ kind: "set compare", compare: { offset: "7d", filter: null } });
    const again = openStore(createBar(bar.search()));
    expect(again.getState().state).toEqual(store.getState().state);
  });

  test("an edit that changes nothing is no undo step and runs no query", () => {
    const bar = createBar("");
    const store = openStore(bar);
    store.openWith(initialState("requests"));
    const { asked } = store.getState();
    store.dispatch({ kind: "set limit", limit: 100 });
    expect(bar.entries).toHaveLength(1);
    expect(store.getState().asked).toBe(asked);
    store.dive();
    expect(store.getState().asked).toBe(asked + 1);
  });

  test("a change of how the result is drawn is an undo step and runs no query", () => {
    const bar = createBar("");
    const store = openStore(bar);
    store.openWith(initialState("requests"));
    const { asked } = store.getState();
    store.dispatch({ kind: "set option", name: "average", value: "5" });
    expect(bar.search()).toContain("opt=average");
    expect(store.getState()).toMatchObject({ asked, canUndo: true });
    store.dispatch({ kind: "set option", name: "average", value: null });
    expect(bar.search()).not.toContain("opt=");
    // An option that changes the query counts as a run.
    store.dispatch({ kind: "set view", view: "area" });
    store.dispatch({ kind: "set option", name: "stack", value: "share" });
    expect(store.getState().asked).toBe(asked + 2);
  });

  test("undo walks the questions, whatever other screens were seen between them", () => {
    const { bar, store, view } = openDonut();
    const donut = bar.search();
    bar.visit("/functions");
    bar.visit(`?${donut}`);
    store.undo();
    expect(view()).toBe("bar");
    store.undo();
    expect(view()).toBe("timeseries");
    expect(store.getState().canUndo).toBe(false);
    store.redo();
    store.redo();
    expect(view()).toBe("pie");
    // A link back to the same query is no step.
    expect(store.getState().canRedo).toBe(false);
  });

  test("a page that began on another screen has nothing to undo", () => {
    const bar = createBar("/tables");
    const store = openStore(bar);
    bar.visit("table=requests");
    expect(store.getState()).toMatchObject({ canUndo: false, state: { table: "requests" } });
    store.undo();
    expect(bar.search()).toBe("table=requests");
  });

  test("what was undone is gone once another screen took its place", () => {
    const { bar, store, view } = openDonut();
    store.undo();
    const bars = bar.search();
    bar.visit("/functions");
    bar.visit(bars);
    expect(store.getState().canRedo).toBe(false);
    store.dispatch({ kind: "set view", view: "table" });
    store.undo();
    expect(view()).toBe("bar");
    store.undo();
    expect(view()).toBe("timeseries");
    store.redo();
    store.redo();
    expect(view()).toBe("table");
  });

  test("the same edit by hand takes the place of what was undone", () => {
    const { store } = openDonut();
    store.undo();
    store.undo();
    store.dispatch({ kind: "set view", view: "bar" });
    expect(store.getState()).toMatchObject({ canUndo: true, canRedo: false });
  });

  test("Back and Forward of the browser are steps like any other", () => {
    const { bar, store, view } = openDonut();
    bar.go(-2);
    expect(view()).toBe("timeseries");
    expect(store.getState()).toMatchObject({ canUndo: false, canRedo: true });
    bar.go(1);
    expect(view()).toBe("bar");
    expect(store.getState()).toMatchObject({ canUndo: true, canRedo: true });
  });

  test("a reload keeps undo and redo; another tab starts without them", () => {
    const { bar, store, storage } = openDonut();
    store.undo();
    const again = openStore(createBar("", bar.entries, bar.index()), storage);
    expect(again.getState()).toMatchObject({ canUndo: true, canRedo: true });
    again.redo();
    expect(again.getState().state?.view).toBe("pie");
    const other = openStore(createBar("table=logs"), storage);
    expect(other.getState()).toMatchObject({ canUndo: false, canRedo: false });
    storage.setItem("hadal.steps", "[1]");
    expect(openStore(bar, storage).getState().canUndo).toBe(false);
  });

  test("has the colours that a page was opened with, and those that came since, in each address", () => {
    const bar = createBar("table=requests&color=web:3");
    const store = openStore(bar);
    expect([...store.colors()]).toEqual([['["web"]', 3]]);
    store.keepColors(new Map([...store.colors(), ['["api"]', 11]]));
    expect(bar.search()).toMatch(/&color=web:3&color=api:11$/);
    expect(store.getState().asked).toBe(0);
    store.dispatch({ kind: "set view", view: "bar" });
    expect(bar.search()).toMatch(/&view=bar.*&color=web:3&color=api:11$/);
    bar.visit("table=requests&view=pie");
    expect(bar.search()).toMatch(/&view=pie.*&color=web:3&color=api:11$/);
    bar.visit("/tables");
    store.keepColors(new Map());
    expect(bar.entries.at(-1)).toBe("/tables");
  });
});
