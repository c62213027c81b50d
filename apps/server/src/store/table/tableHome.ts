import type { TableColumns } from "../columns/tableColumns.js";
import type { TableContext } from "../segment/tableContext.js";
import type { LeafUnits } from "../unit/leafUnits.js";
import type { TextAging } from "../upkeep/textAging.js";
import type { WarmTable } from "../warm/warmTable.js";
import type { SavedTableFile } from "./tableFile.js";

/** Where a table is stored, and what it shares with the other tables of the leaf. */
export interface TableHome {
  readonly folder: string;
  readonly file: SavedTableFile;
  readonly context: TableContext;
  /** What the leaf knows of units. */
  readonly units: LeafUnits;
  /** A clock that never goes back. */
  readonly nowMs: () => number;
  readonly textAging: TextAging;
  /** Called when what a copy of the table should have has changed. */
  readonly onChange: () => void;
  /** Whether the leaf is the copy of another one. */
  readonly isCopy: () => boolean;
  /** What shared memory has of it from the process before; absent: nothing. */
  readonly openWarm?: (columns: TableColumns) => WarmTable | null;
}
