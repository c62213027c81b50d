import type { Session } from "../../session/session.js";
import { TableList } from "./list/TableList.js";
import { TablePage } from "./page/TablePage.js";

export interface TablesScreenProps {
  readonly session: Session;
  /** The table to show; null: the list of all tables. */
  readonly table: string | null;
  /** A file that was dropped on the page; null: none. */
  readonly dropped: File | null;
  readonly onVisit: (url: string) => void;
}

/** The list of tables, or the page of one. */
export function TablesScreen({ session, table, dropped, onVisit }: TablesScreenProps) {
  if (table === null) return <TableList session={session} dropped={dropped} />;
  const props = { session, dropped, onVisit };
  return <TablePage key={table} name={table} {...props} />;
}
