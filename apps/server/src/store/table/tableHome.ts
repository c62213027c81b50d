import type { TableContext } from "../segment/tableContext.js";
import type { TextAging } from "../upkeep/textAging.js";
import type { SavedTableFile } from "./tableFile.js";

/** Where a table is stored, and what it shares with the other tables of the leaf. */
export interface TableHome {
  readonly folder: string;
  readonly file: SavedTableFile;
  readonly context: TableContext;
  readonly textAging: TextAging;
  /** Called when what a copy of the table should have has changed. */
  readonly onChange: () => void;
  /** Whether the leaf is the copy of another one. */
  readonly isCopy: () => boolean;
}
