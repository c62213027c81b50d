import type { ColumnInfo, Dashboard, HadalError } from "@hadal/sdk";
import { createContext, useContext } from "react";
import type { RememberingBook } from "../../../chart/kit/paint/color.js";
import type { LiveAsker } from "../../../live/observer.js";
import type { Session } from "../../../session/session.js";
import type { BarState } from "../model/barState.js";
import type { BoardStore } from "../model/boardStore.js";
import type { Difference } from "../model/difference.js";
import type { Moved } from "../model/moved.js";
import type { Reports } from "../model/reports.js";

/** The board on the screen, and what its parts can do. */
export interface OpenedBoard {
  readonly session: Session;
  readonly store: BoardStore;
  readonly board: Dashboard;
  readonly bar: BarState;
  readonly onBar: (bar: BarState) => void;
  /** What the side panel compares; null: it is closed. */
  readonly difference: Difference | null;
  readonly onDifference: (difference: Difference | null) => void;
  /** The query string that shows the board as it is now. */
  readonly barSearch: string;
  /** Columns of the tables of its tiles; a table is absent until they are read. */
  readonly tables: ReadonlyMap<string, readonly ColumnInfo[]>;
  /** Why the columns of a table could not be read. */
  readonly unread: ReadonlyMap<string, HadalError>;
  /** Reads the columns of a table that a saved query names. */
  readonly onTable: (name: string) => void;
  /** Asks the tiles' queries in batches. */
  readonly asker: LiveAsker;
  /** Answers of the tiles, as the status line and “what moved” read them. */
  readonly reports: Reports;
  /** A name has one colour on all tiles. */
  readonly colors: RememberingBook;
  readonly themeName: string;
  readonly timeZone: string;
  /** Tiles can be moved and edited. */
  readonly isArranging: boolean;
  readonly onArrange: (isArranging: boolean) => void;
  /** Why the board cannot be changed; null: it can. */
  readonly whyReadOnly: string | null;
  /** How far each tile moved, when the tiles are in this order; null: they are in their places. */
  readonly moved: ReadonlyMap<string, Moved> | null;
  /** The tile that has the whole screen; null: none. */
  readonly full: string | null;
  readonly onFull: (id: string | null) => void;
  /** Every tile asks, seen or not, and the board is printed when all have answered. */
  readonly isPrinting: boolean;
  readonly onPrint: () => void;
  /** Opens the editor of a tile. */
  readonly onEdit: (id: string) => void;
  readonly onVisit: (url: string) => void;
}

export const BoardContext = createContext<OpenedBoard | null>(null);

export function useBoard(): OpenedBoard {
  const opened = useContext(BoardContext);
  if (opened === null) throw new Error("useBoard is for parts of a board");
  return opened;
}
