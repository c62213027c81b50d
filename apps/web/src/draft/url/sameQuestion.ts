import type { ExploreState } from "../../query/state/exploreState.js";
import { drawnNames } from "../ask/viewOptions.js";
import { printUrl } from "./url.js";

/** Whether two states have the same query: they differ at most in how the result is drawn. */
export const isSameQuestion = (one: ExploreState, other: ExploreState): boolean =>
  one === other || printUrl(undrawn(one)) === printUrl(undrawn(other));

function undrawn(state: ExploreState): ExploreState {
  const drawn = drawnNames(state);
  const kept = Object.entries(state.options).filter(([name]) => !drawn.has(name));
  return { ...state, options: Object.fromEntries(kept), saved: null };
}
