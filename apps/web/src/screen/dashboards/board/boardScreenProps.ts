import type { Session } from "../../../session/session.js";

export interface BoardScreenProps {
  readonly session: Session;
  readonly id: string;
  /** The query string of the address. */
  readonly search: string;
  readonly themeName: string;
  readonly onVisit: (url: string) => void;
}
