import type { Session } from "../../session/session.js";
import { OpenSaved } from "./OpenSaved.js";
import { SavedList } from "./SavedList.js";

export interface SavedScreenProps {
  readonly session: Session;
  /** The saved query to open; null: the list. */
  readonly id: string | null;
  readonly onReplace: (url: string) => void;
}

/** The list of saved queries, or one on its way to Explore. */
export function SavedScreen({ session, id, onReplace }: SavedScreenProps) {
  if (id === null) return <SavedList session={session} />;
  return <OpenSaved key={id} session={session} id={id} onReplace={onReplace} />;
}
