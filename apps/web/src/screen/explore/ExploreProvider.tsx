import type { ReactNode } from "react";
import { PanelProvider } from "../../panel/panel.js";
import { type Explore, ExploreContext } from "./explore.js";

export interface ExploreProviderProps {
  readonly value: Explore;
  readonly children: ReactNode;
}

/** For the parts of the screen, and for those of the panel within it. */
export function ExploreProvider({ value, children }: ExploreProviderProps) {
  return (
    <ExploreContext.Provider value={value}>
      <PanelProvider value={value}>{children}</PanelProvider>
    </ExploreContext.Provider>
  );
}
