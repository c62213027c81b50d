import type { Session } from "../../session/session.js";
import { TableList } from "./list/TableList.js";
import { TablePage } from "./page/TablePage.js";

export interface TablesScreenProps {
  readonly session: Session;
  /** The table whose page it is; null: the list of all. */
  readonly table: string | null;
  /** A file that was dropped on the page; null: none was. */
  readonly dropped: File | null;
  readonly onVisit: (url: string) => void;
}

/** What there is to ask about, how much of it, and how more gets in. */
export function TablesScreen({ session, table, dropped, onVisit }: TablesScreenProps) {
  if (table === null) return <TableList session={session} dropped={dropped} />;
  const props = { session, dropped, onVisit };
  return <TablePage key={table} name={table} {...props} />;
}
