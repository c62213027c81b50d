import type { ColumnInfo, HadalError, TableDetail } from "@hadal/sdk";
import { createContext, useContext } from "react";
import type { Edit } from "../../draft/edit/edits.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { Session } from "../../session/session.js";
import type { Probe } from "./useProbe.js";

/** What every part of the screen may know and do. */
export interface Explore {
  readonly session: Session;
  readonly state: ExploreState;
  /** null until the table's columns are read. */
  readonly table: TableDetail | null;
  /** The table's columns and those that the question derives; none until they are read. */
  readonly columns: readonly ColumnInfo[];
  /** The zone that times are shown and bucketed in. */
  readonly timeZone: string;
  readonly dispatch: (edit: Edit) => void;
  readonly dive: () => void;
  /** What the view's question is made from. */
  readonly probe: Probe;
  /** Why the newest question has no answer. */
  readonly problem: HadalError | null;
  /** What is wrong at a place of the form (`filter 0`, `from`), in words. */
  readonly faultAt: (place: string) => string | null;
}

const ExploreContext = createContext<Explore | null>(null);

export const ExploreProvider = ExploreContext.Provider;

export function useExplore(): Explore {
  const explore = useContext(ExploreContext);
  if (explore === null) throw new Error("useExplore is for parts of the Explore screen");
  return explore;
}
