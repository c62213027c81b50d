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
  /** Position of the current entry among those this page has made. */
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
  /** Counts up with every question asked, the same one again included; not with choices of how its answer is drawn. */
  readonly asked: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export interface ExploreStore
  extends Pick<StoreApi<ExploreSnapshot>, "getState" | "getInitialState" | "subscribe"> {
  /** Applies an edit and writes it into the history: Back undoes it. */
  dispatch(edit: Edit): void;
  /** The state of a page that was opened without any. Leaves no step behind. */
  openWith(state: ExploreState): void;
  /** Asks the same question again. */
  dive(): void;
  /** To the question before, over whatever other screens were seen since. */
  undo(): void;
  redo(): void;
  /** Hues of names that have another than their own: in the address, so that others see the same. */
  colors(): ReadonlyMap<string, number>;
  keepColors(colors: ReadonlyMap<string, number>): void;
  close(): void;
}

/** The one place where the question lives; it and the address bar never differ. */
export function createExploreStore(bar: AddressBar, storage: TextStore): ExploreStore {
  const { colors: openedColors, ...opened } = parseUrl(bar.search());
  let colors = openedColors;
  const addressOf = (state: ExploreState): string => printUrl(state) + printColors(colors);
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
    // An address of before, or a link of another screen, does not have them all.
    const isPlain = state !== null && !bar.search().endsWith(printColors(colors));
    if (isPlain) bar.replace(addressOf(state), bar.index());
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
      const index = bar.index() + 1;
      bar.push(addressOf(next), index);
      trail.pushed(index, next);
      const shown = { state: next, faults: [] };
      if (state !== null && isSameQuestion(state, next)) store.setState({ ...shown, ...steps() });
      else ask(shown);
    },
    openWith(state) {
      bar.replace(addressOf(state), bar.index());
      trail.shown(bar.index(), state);
      ask({ state });
    },
    dive: () => ask({}),
    undo: () => go(trail.undoSteps()),
    redo: () => go(trail.redoSteps()),
    colors: () => colors,
    keepColors(kept) {
      colors = kept;
      const { state } = store.getState();
      // Another screen may be shown by now.
      if (state !== null && bar.search() !== "") bar.replace(addressOf(state), bar.index());
    },
    close: stopListening,
  };
}

/** Before there is a question, only opening one makes sense. */
const startOf = (edit: Edit): ExploreState | null => (edit.kind === "open" ? edit.state : null);
