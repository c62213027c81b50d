import { type Dashboard, HadalError } from "@hadal/sdk";
import { boardOfGrafana, checkDocumentDraft, isGrafanaBoard } from "@hadal/sdk/checks";

/** A board out of a file. */
export interface BoardOfFile {
  readonly title: string;
  readonly board: Dashboard;
  /** What of a dashboard of Grafana has no equivalent here; null: it is an export of Hadal. */
  readonly gaps: readonly string[] | null;
}

export type ReadBoard =
  | { readonly ok: true; readonly read: BoardOfFile }
  | { readonly ok: false; readonly reason: string };

/** Larger files are no dashboards; to parse them would stop the page. */
export const fileBytesMax = 20_000_000;

/** The board of an exported file, of Hadal or of Grafana; else why it is none. */
export function readBoardFile(text: string): ReadBoard {
  const value = parsed(text);
  if (value === undefined) return { ok: false, reason: "This file is not JSON." };
  try {
    if (isGrafanaBoard(value)) {
      const { title, board, gaps } = boardOfGrafana(value);
      return { ok: true, read: { title, board, gaps } };
    }
    const { kind, title, body } = checkDocumentDraft(value);
    if (kind !== "dashboard") return { ok: false, reason: `This file holds a ${kind}.` };
    return { ok: true, read: { title, board: body as Dashboard, gaps: null } };
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    const [first] = error.errors;
    const place = first?.path === undefined || first.path === "" ? "" : `${first.path}: `;
    return { ok: false, reason: `${place}${first?.detail ?? error.message}` };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
