import type { Session } from "../../session/session.js";
import { TableList } from "./TableList.js";
import { TablePage } from "./TablePage.js";

export interface TablesScreenProps {
  readonly session: Session;
  /** The table whose page it is; null: the list of all. */
  readonly table: string | null;
  readonly onVisit: (url: string) => void;
}

/** What there is to ask about, how much of it, and how more gets in. */
export function TablesScreen({ session, table, onVisit }: TablesScreenProps) {
  if (table === null) return <TableList session={session} />;
  return <TablePage key={table} session={session} name={table} onVisit={onVisit} />;
}
