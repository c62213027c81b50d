import { createStore, type StoreApi } from "zustand/vanilla";
import type { ExploreState } from "../../query/state/exploreState.js";
import { applyEdit, type Edit } from "../edit/edits.js";
import { printColors } from "../url/colorUrl.js";
import { isSameQuestion } from "../url/sameQuestion.js";
import { parseUrl, printUrl } from "../url/url.js";
import type { TextStore } from "./history.js";
import { createUndoTrail } from "./undoTrail.js";

/** The address bar and its history. */
export interface AddressBar {
  readonly search: () => string;
  /** Index of the current entry among the entries of this page. */
  readonly index: () => number;
  push(search: string, index: number): void;
  replace(search: string, index: number): void;
  go(steps: number): void;
  onMove(listener: () => void): () => void;
}

export interface ExploreSnapshot {
  /** null until the address or the first table gives one. */
  readonly state: ExploreState | null;
  readonly faults: readonly string[];
  /** Number of runs, repeated ones included; changes of how a result is drawn do not count. */
  readonly asked: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export interface ExploreStore
  extends Pick<StoreApi<ExploreSnapshot>, "getState" | "getInitialState" | "subscribe"> {
  /** Applies an edit and pushes it to the history: Back undoes it. */
  dispatch(edit: Edit): void;
  /** The state of a page that was opened without one. It is no undo step. */
  openWith(state: ExploreState): void;
  /** Runs the same query again. */
  dive(): void;
  /** Goes back to the previous query, skipping other screens. */
  undo(): void;
  redo(): void;
  /** Hues of names that differ from their default, kept in the address so that links show the same. */
  colors(): ReadonlyMap<string, number>;
  keepColors(colors: ReadonlyMap<string, number>): void;
  /** The shown query is now this saved one; null: none. It is no undo step. */
  keepSaved(saved: string | null): void;
  close(): void;
}

/** The store of the state; the address bar always matches it. */
export function createExploreStore(bar: AddressBar, storage: TextStore): ExploreStore {
  const { colors: openedColors, ...opened } = parseUrl(bar.search());
  const address = createStateAddress(bar, openedColors);
  const trail = createUndoTrail(storage, bar.index(), opened.state);
  const store = createStore<ExploreSnapshot>(() => ({ ...opened, asked: 0, ...steps() }));
  function steps(): Pick<ExploreSnapshot, "canUndo" | "canRedo"> {
    return { canUndo: trail.undoSteps() !== null, canRedo: trail.redoSteps() !== null };
  }
  const ask = (snapshot: Partial<ExploreSnapshot>): void =>
    store.setState({ ...snapshot, asked: store.getState().asked + 1, ...steps() });
  const go = (steps: number | null): void => {
    if (steps !== null) bar.go(steps);
  };
  const stopListening = bar.onMove(() => {
    const { state, faults } = parseUrl(bar.search());
    // An older address, or a link from another screen, may lack some hues.
    if (state !== null && !address.hasColors()) address.replace(state);
    trail.shown(bar.index(), state);
    ask({ state, faults });
  });

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    dispatch(edit) {
      const { state } = store.getState();
      const next = state === null ? startOf(edit) : applyEdit(state, edit);
      if (next === null || next === state) return;
      if (state !== null && printUrl(next) === printUrl(state)) return;
      trail.pushed(address.push(next), next);
      const shown = { state: next, faults: [] };
      if (state !== null && isSameQuestion(state, next)) store.setState({ ...shown, ...steps() });
      else ask(shown);
    },
    openWith(state) {
      address.replace(state);
      trail.shown(bar.index(), state);
      ask({ state });
    },
    dive: () => ask({}),
    undo: () => go(trail.undoSteps()),
    redo: () => go(trail.redoSteps()),
    colors: address.colors,
    keepColors(kept) {
      address.keepColors(kept);
      const { state } = store.getState();
      // Another screen may be shown meanwhile.
      if (state !== null && bar.search() !== "") address.replace(state);
    },
    keepSaved(saved) {
      const { state } = store.getState();
      if (state === null || bar.search() === "") return;
      const kept = { ...state, saved };
      address.replace(kept);
      store.setState({ state: kept });
    },
    close: stopListening,
  };
}

/** Writes states to the address bar, with the hues of names that differ from their default. */
function createStateAddress(bar: AddressBar, opened: ReadonlyMap<string, number>) {
  let colors = opened;
  const print = (state: ExploreState): string => printUrl(state) + printColors(colors);
  return {
    colors: () => colors,
    /** For the next state that is written. */
    keepColors(kept: ReadonlyMap<string, number>): void {
      colors = kept;
    },
    hasColors: () => bar.search().endsWith(printColors(colors)),
    replace(state: ExploreState): void {
      bar.replace(print(state), bar.index());
    },
    /** Returns the index of the new entry. */
    push(state: ExploreState): number {
      const index = bar.index() + 1;
      bar.push(print(state), index);
      return index;
    },
  };
}

/** Without a state, only `open` applies. */
const startOf = (edit: Edit): ExploreState | null => (edit.kind === "open" ? edit.state : null);
