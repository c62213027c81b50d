import {
  type AnnotationFilter,
  type AnnotationList,
  annotationsMax,
  HadalError,
  resolveTime,
  type SavedDocument,
  type TimeText,
} from "@hadal/sdk";
import { everything, type Readable, type TableGrant } from "../../base/access/readable.js";
import { findAnnotationQueries, findAnnotations } from "../../registry/document/annotations.js";
import type { Documents } from "../../registry/document/documents.js";
import { documentTables } from "../../registry/document/documentTables.js";
import type { ApiDeps } from "./deps.js";

type WithDocuments = Pick<ApiDeps, "documents">;

/** Whoever reads documents. */
export interface Reader {
  readonly kind: string;
  readonly id: string | null;
  readonly readable: Readable;
}

interface WithAlerts extends WithDocuments {
  readonly alerts: Pick<ApiDeps["alerts"], "ownedBy">;
}

/** Those that name only tables that the person may read. */
export function documentsSeenBy(
  { readable }: Pick<Reader, "readable">,
  { documents }: WithDocuments,
): Documents {
  // Whoever reads every table need not wait until all bodies are looked through.
  if (readable === everything) return documents;
  return documents.seenBy((table) => readable.of(table) !== null);
}

/**
 * Alert rules whose numbers the person may see, the last changed first: these are about all that the rule's
 * owner may read. Whoever reads only some rows or columns of the table sees their own rules alone.
 */
export async function alertsSeenBy(
  person: Reader,
  { documents, alerts }: WithAlerts,
): Promise<readonly SavedDocument[]> {
  const all = await documents.all("alert");
  return shownAlerts(all, person, alerts);
}

/** The same of one of them. Throws `unknown-document`. */
export async function findAlert(
  id: string,
  person: Reader,
  deps: WithAlerts,
): Promise<SavedDocument> {
  const document = await documentsSeenBy(person, deps).find(id);
  const [shown] =
    document.kind === "alert" ? await shownAlerts([document], person, deps.alerts) : [];
  if (shown === undefined) throw new HadalError("unknown-document", { id });
  return shown;
}

async function shownAlerts(
  documents: readonly SavedDocument[],
  { readable, kind, id }: Reader,
  alerts: WithAlerts["alerts"],
): Promise<readonly SavedDocument[]> {
  if (readable === everything) return documents;
  const readableOf = ({ body }: SavedDocument) =>
    [...documentTables(body)].map((table) => readable.of(table));
  const some = documents.filter((one) => !readableOf(one).includes(null));
  const owned = await alerts.ownedBy(
    { kind, id },
    some.map((one) => one.id),
  );
  return some.filter((one) => owned.has(one.id) || readableOf(one).every(isWholeTable));
}

const isWholeTable = (grant: TableGrant | null): boolean =>
  grant !== null &&
  grant.rows === null &&
  grant.hiddenColumns.length === 0 &&
  grant.bounds === undefined;

interface WithFirings extends WithDocuments {
  readonly alerts: Pick<ApiDeps["alerts"], "firings">;
  readonly nowMs: ApiDeps["nowMs"];
}

/**
 * Annotations of tables that the person may read; for the charts of one table with the firings of its rules. Throws
 * `time-range-invalid`.
 */
export async function annotationsSeenBy(
  person: Reader,
  { table: named, from, to }: AnnotationFilter,
  { documents, alerts, nowMs }: WithFirings,
): Promise<AnnotationList> {
  const table = named ?? null;
  const timeOf = (time: TimeText | undefined): number | null =>
    time === undefined ? null : resolveTime(time, nowMs());
  const search = { table, fromMs: timeOf(from), toMs: timeOf(to) };
  const all = await documents.all("annotation");
  const isReadable = isReadableBy(person);
  const written = findAnnotations(all, search, isReadable);
  const queries = findAnnotationQueries(all, table, isReadable);
  const grant = table === null ? null : person.readable.of(table);
  if (table === null || grant === null) return { annotations: written, queries };
  const firings = await alerts.firings(table, search, isWholeTable(grant) ? null : person);
  const annotations = [...written, ...firings].sort((a, b) => a.timeMs - b.timeMs);
  return { annotations: annotations.slice(-annotationsMax), queries };
}

export const isReadableBy =
  ({ readable }: Pick<Reader, "readable">) =>
  (table: string): boolean =>
    readable.of(table) !== null;
