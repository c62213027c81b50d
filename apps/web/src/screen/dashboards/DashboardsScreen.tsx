import type { Session } from "../../session/session.js";
import { BoardScreen } from "./board/BoardScreen.js";
import { BoardList } from "./list/BoardList.js";

export interface DashboardsScreenProps {
  readonly session: Session;
  /** The board to show; null: the list of all. */
  readonly id: string | null;
  /** The query string of the address. */
  readonly search: string;
  readonly themeName: string;
  readonly onVisit: (url: string) => void;
}

/** The list of dashboards, or one of them. */
export function DashboardsScreen({ id, ...props }: DashboardsScreenProps) {
  if (id === null) return <BoardList session={props.session} onVisit={props.onVisit} />;
  return <BoardScreen key={id} id={id} {...props} />;
}
