import { bigintAsText, type EmbedSelf, type HadalError } from "@hadal/sdk";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { ChartInputs } from "../element/inputs.js";
import { openedState } from "./chartState.js";

export interface ChartSnapshot {
  readonly inputs: ChartInputs;
  /** What the token allows; null: not known yet. */
  readonly self: EmbedSelf | null;
  /** Why that cannot be known. */
  readonly refusal: HadalError | null;
  /** What is shown; null: neither the host nor the embed says. */
  readonly state: ExploreState | null;
  /** What was shown before each of the reader's steps. */
  readonly trail: readonly ExploreState[];
  /** Counts servers and scopes of tokens: what is known by another one is never shown. */
  readonly scopeCount: number;
  /** How often it was asked; the same query may be asked again. */
  readonly asked: number;
  /** It is in view. */
  readonly isWanted: boolean;
  readonly isDark: boolean;
}

/** What a chart shows: of its host, and of what the reader did with it. */
export interface ChartStore
  extends Pick<StoreApi<ChartSnapshot>, "getState" | "getInitialState" | "subscribe"> {
  /** The host's attributes and properties. A new query or view ends what the reader did. */
  update(inputs: ChartInputs): void;
  /** The token is for something else than before: all starts again from what the host asks for. */
  restart(): void;
  learn(found: Pick<ChartSnapshot, "self" | "refusal">): void;
  /** What the reader does; the same state: nothing. */
  step(next: (state: ExploreState) => ExploreState): void;
  /** The state before the reader's last step. */
  back(): void;
  open(state: ExploreState): void;
  askAgain(): void;
  see(seen: Partial<Pick<ChartSnapshot, "isWanted" | "isDark">>): void;
}

const stepsMax = 50;

export function createChartStore(inputs: ChartInputs): ChartStore {
  const seen = { isWanted: false, isDark: false };
  const unseen = { self: null, refusal: null, trail: [], scopeCount: 0, asked: 0, ...seen };
  const store = createStore<ChartSnapshot>(() => ({
    ...unseen,
    inputs,
    state: opened(inputs, null),
  }));
  const { getState, setState } = store;
  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    update(next) {
      const { inputs: before, self, state } = getState();
      if (isSameChart(before, next) && state !== null) {
        const isZoneNew = next.timeZone !== before.timeZone;
        const timeZone = isZoneNew ? next.timeZone : state.timeZone;
        const live = next.live === before.live ? state.live : next.live;
        const isNew = isZoneNew || live !== state.live;
        setState({ inputs: next, ...(isNew && { state: { ...state, timeZone, live } }) });
        return;
      }
      setState({ inputs: next, state: opened(next, self), trail: [] });
    },
    restart: () =>
      setState(({ inputs: now, scopeCount }) => ({
        ...{ self: null, refusal: null, trail: [], scopeCount: scopeCount + 1 },
        state: opened(now, null),
      })),
    learn({ self: found, refusal }) {
      const { self: known, state, inputs: now } = getState();
      // A renewed token has the same columns: nothing is asked again for them.
      const isKnown = JSON.stringify(found?.columns) === JSON.stringify(known?.columns);
      const self = found && known && isKnown ? { ...found, columns: known.columns } : found;
      setState({ self, refusal, state: state ?? opened(now, self) });
    },
    step(nextOf) {
      const { state, trail } = getState();
      if (state === null) return;
      const next = nextOf(state);
      if (next !== state) setState({ state: next, trail: [...trail, state].slice(-stepsMax) });
    },
    back() {
      const { trail } = getState();
      const before = trail.at(-1);
      if (before !== undefined) setState({ state: before, trail: trail.slice(0, -1) });
    },
    open: (state) => setState({ state, trail: [] }),
    askAgain: () => setState(({ asked }) => ({ asked: asked + 1 })),
    see: (seen) => setState(seen),
  };
}

const isSameChart = (before: ChartInputs, next: ChartInputs): boolean =>
  before.view === next.view &&
  before.src === next.src &&
  JSON.stringify(before.query, bigintAsText) === JSON.stringify(next.query, bigintAsText);

/** A host's query without a view waits until it is known which one the embed has. */
function opened(inputs: ChartInputs, self: EmbedSelf | null): ExploreState | null {
  const query = inputs.query ?? self?.query ?? null;
  const view = inputs.view ?? (self === null ? undefined : (self.view ?? self.views[0] ?? null));
  if (query === null || view === undefined) return null;
  return openedState({ query, view, timeZone: inputs.timeZone, live: inputs.live });
}
