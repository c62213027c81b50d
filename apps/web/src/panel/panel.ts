import type { ColumnInfo, HadalError, TableDetail } from "@hadal/sdk";
import { createContext, useContext } from "react";
import type { Edit } from "../draft/edit/edits.js";
import type { ExploreState } from "../query/state/exploreState.js";
import type { Session } from "../session/session.js";
import type { Probe } from "./ask/useProbe.js";

/** One asked query: what every part of the panel reads, and what it may ask for. */
export interface AskedQuery {
  readonly session: Session;
  readonly state: ExploreState;
  /** null until the table's columns are read. */
  readonly table: TableDetail | null;
  /** The table's columns and those that the question derives; none until they are read. */
  readonly columns: readonly ColumnInfo[];
  /** The zone that times are shown and bucketed in. */
  readonly timeZone: string;
  readonly dispatch: (edit: Edit) => void;
  /** Asks the same question again. */
  readonly dive: () => void;
  /** The answer that the view's question is built from. */
  readonly probe: Probe;
  /** Why the newest question has no answer. */
  readonly problem: HadalError | null;
}

const PanelContext = createContext<AskedQuery | null>(null);

export const PanelProvider = PanelContext.Provider;

export function usePanel(): AskedQuery {
  const asked = useContext(PanelContext);
  if (asked === null) throw new Error("usePanel is for parts of a panel");
  return asked;
}
