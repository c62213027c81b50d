import { createContext, useContext } from "react";
import type { AskedQuery } from "../../panel/panel.js";

/** What every part of the screen may know and do. */
export interface Explore extends AskedQuery {
  /** What is wrong at a place of the form (`filter 0`, `from`), in words. */
  readonly faultAt: (place: string) => string | null;
}

export const ExploreContext = createContext<Explore | null>(null);

export function useExplore(): Explore {
  const explore = useContext(ExploreContext);
  if (explore === null) throw new Error("useExplore is for parts of the Explore screen");
  return explore;
}
