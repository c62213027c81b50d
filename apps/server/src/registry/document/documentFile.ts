import { createHash } from "node:crypto";
import { type DocumentDraft, HadalError, type ProblemPart, type SavedDocument } from "@hadal/sdk";
import { boardOfGrafana, checkDocumentDraft, isGrafanaBoard } from "@hadal/sdk/checks";
import { faultPlace, type TextPlace, valuePlace } from "../../base/text/jsonPlaces.js";

/**
 * A document as one JSON file: `{"id": …, "kind": …, "title": …, "body": {…}}`. Keys of the body are in alphabetical
 * order, so that a change of the document changes few lines.
 */
export function printDocumentFile({ id, kind, title, body }: SavedDocument): string {
  return `${JSON.stringify({ id, kind, title, body: sorted(body) }, null, 2)}\n`;
}

/** Throws `bad-request` with line and column. */
export const parseDocumentFile = (text: string): DocumentDraft =>
  parseJsonFile(text, checkDocumentDraft);

export interface ImportFile {
  readonly draft: DocumentDraft;
  /** What of a dashboard of Grafana has no equivalent. */
  readonly gaps: readonly string[];
}

/** The same; a dashboard of Grafana is a document, too, with the same id each time. */
export const parseImportFile = (text: string): ImportFile =>
  parseJsonFile(text, (value) => {
    if (!isGrafanaBoard(value)) return { draft: checkDocumentDraft(value), gaps: [] };
    const { title, board, uid, gaps } = boardOfGrafana(value);
    const id = idOf(`grafana ${uid ?? title}`);
    return { draft: { id, kind: "dashboard", title, body: { ...board } }, gaps };
  });

/** A UUID of the form of version 8 that depends on the name alone. */
function idOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}

function parseJsonFile<Value>(text: string, check: (value: unknown) => Value): Value {
  const faultOf = (place: TextPlace, { code, detail }: ProblemPart): HadalError => {
    const placed = `line ${place.line}, column ${place.column}: ${detail}`;
    return new HadalError("bad-request", { detail: placed }, [{ ...place, code, detail }]);
  };
  const fault = faultPlace(text);
  if (fault !== null) throw faultOf(fault, { code: "invalid-json", detail: "this is not JSON." });
  try {
    return check(JSON.parse(text));
  } catch (error) {
    const [first] = error instanceof HadalError ? error.errors : [];
    if (first === undefined) throw error;
    throw faultOf(valuePlace(text, first.path ?? ""), first);
  }
}

/** `errors-by-country.json`; `taken`: names that others have. */
export function nameDocumentFile(
  { title, kind, id }: Pick<SavedDocument, "title" | "kind" | "id">,
  taken: ReadonlySet<string>,
): string {
  const words = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = words.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  const name = slug.slice(0, 60) || kind;
  return taken.has(`${name}.json`) ? `${name}-${id.slice(0, 8)}.json` : `${name}.json`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, sorted(one)] as const);
  // Not by locale: the order is the same on every machine.
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
