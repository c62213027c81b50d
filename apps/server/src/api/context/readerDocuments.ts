import type { AnnotationList, SavedDocument } from "@hadal/sdk";
import type { Person } from "../../access/person.js";
import { everything } from "../../base/access/readable.js";
import {
  type AnnotationSearch,
  findAnnotationQueries,
  findAnnotations,
} from "../../registry/document/annotations.js";
import type { Documents } from "../../registry/document/documents.js";
import { documentTables } from "../../registry/document/documentTables.js";
import type { ApiDeps } from "./deps.js";

type WithDocuments = Pick<ApiDeps, "documents">;

/** Those that name only tables that the person may read. */
export function documentsSeenBy({ readable }: Person, { documents }: WithDocuments): Documents {
  // Whoever reads every table need not wait until all bodies are looked through.
  if (readable === everything) return documents;
  return documents.seenBy((table) => readable.of(table) !== null);
}

/** Alert rules about tables that the person may read, the last changed first. */
export async function alertsSeenBy(
  person: Person,
  { documents }: WithDocuments,
): Promise<readonly SavedDocument[]> {
  const isReadable = isReadableBy(person);
  const all = await documents.all("alert");
  return all.filter(({ body }) => [...documentTables(body)].every(isReadable));
}

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
