import type { ColumnInfo, HadalError, TableDetail } from "@hadal/sdk";
import { createContext, useContext } from "react";
import type { Edit } from "../draft/edit/edits.js";
import type { ExploreState } from "../query/state/exploreState.js";
import type { PanelSession } from "./ask/panelSession.js";
import type { Probe } from "./ask/useProbe.js";

/** The state of a panel, and the actions of its parts. */
export interface AskedQuery {
  readonly session: PanelSession;
  readonly state: ExploreState;
  /** null until the table's columns are read. */
  readonly table: TableDetail | null;
  /** The table's columns and the derived columns; none until they are read. */
  readonly columns: readonly ColumnInfo[];
  /** The zone that times are shown and bucketed in. */
  readonly timeZone: string;
  readonly dispatch: (edit: Edit) => void;
  /** Runs the same query again. */
  readonly dive: () => void;
  /** The result that the view's query is built from. */
  readonly probe: Probe;
  /** Why the newest query has no result. */
  readonly problem: HadalError | null;
  /** What a choice of times zooms, where that is more than this panel: `the dashboard`. */
  readonly zooms?: string;
  /** What a panel within another page may do; absent: everything. */
  readonly limits?: PanelLimits;
}

/** Of an embedded chart: its token allows a part of what Explore can do. */
export interface PanelLimits {
  /** Whether the server would answer the query after this edit. */
  allows(edit: Edit): boolean;
  /** Columns that may be grouped by. */
  readonly groupColumns: readonly string[];
  /** The state in Explore; null: the reader may not open it. */
  linkOf(state: ExploreState): string | null;
}

const PanelContext = createContext<AskedQuery | null>(null);

export const PanelProvider = PanelContext.Provider;

export function usePanel(): AskedQuery {
  const asked = useContext(PanelContext);
  if (asked === null) throw new Error("usePanel is for parts of a panel");
  return asked;
}
