import { type AnnotationList, HadalError, type SavedDocument } from "@hadal/sdk";
import type { Person } from "../../access/person.js";
import { everything, type TableGrant } from "../../base/access/readable.js";
import {
  type AnnotationSearch,
  findAnnotationQueries,
  findAnnotations,
} from "../../registry/document/annotations.js";
import type { Documents } from "../../registry/document/documents.js";
import { documentTables } from "../../registry/document/documentTables.js";
import type { ApiDeps } from "./deps.js";

type WithDocuments = Pick<ApiDeps, "documents">;

interface WithAlerts extends WithDocuments {
  readonly alerts: Pick<ApiDeps["alerts"], "ownedBy">;
}

/** Those that name only tables that the person may read. */
export function documentsSeenBy({ readable }: Person, { documents }: WithDocuments): Documents {
  // Whoever reads every table need not wait until all bodies are looked through.
  if (readable === everything) return documents;
  return documents.seenBy((table) => readable.of(table) !== null);
}

/**
 * Alert rules whose numbers the person may see, the last changed first: these are about all that the rule's
 * owner may read. Whoever reads only some rows or columns of the table sees their own rules alone.
 */
export async function alertsSeenBy(
  person: Person,
  { documents, alerts }: WithAlerts,
): Promise<readonly SavedDocument[]> {
  const all = await documents.all("alert");
  return shownAlerts(all, person, alerts);
}

/** The same of one of them. Throws `unknown-document`. */
export async function findAlert(
  id: string,
  person: Person,
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
  { readable, kind, id }: Person,
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

/** Annotations of tables that the person may read. */
export async function annotationsSeenBy(
  person: Person,
  search: AnnotationSearch,
  { documents }: WithDocuments,
): Promise<AnnotationList> {
  const all = await documents.all("annotation");
  const isReadable = isReadableBy(person);
  return {
    annotations: findAnnotations(all, search, isReadable),
    queries: findAnnotationQueries(all, search.table, isReadable),
  };
}

export const isReadableBy =
  ({ readable }: Person) =>
  (table: string): boolean =>
    readable.of(table) !== null;
