import type { Query } from "@hadal/sdk";
import type { HadalChartState } from "@hadal/sdk/element";
import { stateOfTile } from "../../draft/tile/stateOfTile.js";
import { tileOfState } from "../../draft/tile/tileOfState.js";
import type { ExploreState } from "../../query/state/exploreState.js";

/** What is drawn first: of the host, else of the embed. */
export interface OpenedChart {
  readonly query: Query;
  readonly view: string | null;
  readonly timeZone: string | null;
  readonly live: boolean;
}

/** The state of a query; null: it is not a query. */
export function openedState({ query, view, timeZone, live }: OpenedChart): ExploreState | null {
  try {
    const state = stateOfTile({ query, ...(view !== null && { view }) });
    return { ...state, live, timeZone: timeZone ?? state.timeZone };
  } catch {
    // Only parts of another shape than a query's make it fail: the host wrote them.
    return null;
  }
}

/** What `getState()` returns: {@link readChartState} makes the same state of it. */
export function printChartState(state: ExploreState): HadalChartState {
  const { query, view = state.view, viewOptions } = tileOfState(state);
  return {
    query,
    view,
    ...(viewOptions !== undefined && { viewOptions }),
    ...(state.part !== null && { part: state.part }),
    timeZone: state.timeZone,
    live: state.live,
  };
}

/** null: it is no state. */
export function readChartState(text: HadalChartState): ExploreState | null {
  try {
    const { query, view, viewOptions = {}, part = null, timeZone, live } = text;
    const state = stateOfTile({ query, view, viewOptions });
    return { ...state, part, live: live === true, timeZone: timeZone ?? state.timeZone };
  } catch {
    return null;
  }
}
