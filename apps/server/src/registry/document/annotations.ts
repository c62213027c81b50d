import {
  type Annotation,
  type AnnotationBody,
  type AnnotationDraft,
  type AnnotationQuery,
  type AnnotationQueryBody,
  annotationQueriesMax,
  annotationsMax,
  type DocumentDraft,
  HadalError,
  resolveTime,
  type SavedDocument,
} from "@hadal/sdk";
import { checkAnnotationBody, checkAnnotationQuery } from "@hadal/sdk/checks";

/** Half-open, in milliseconds; null: no bound. */
export interface AnnotationSearch {
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly table: string | null;
}

export const documentOfAnnotation = ({ title, ...body }: AnnotationDraft): DocumentDraft => ({
  kind: "annotation",
  title,
  body: { ...body },
});

/** Those of a search that the reader may see, by time: of too many the newest. */
export function findAnnotations(
  documents: readonly SavedDocument[],
  { fromMs, toMs, table }: AnnotationSearch,
  isReadable: (table: string) => boolean,
): readonly Annotation[] {
  const isFound = (one: Annotation | null): one is Annotation => one !== null && matches(one);
  const matches = ({ timeMs, untilMs, tables }: Annotation): boolean =>
    (toMs === null || timeMs < toMs) &&
    (fromMs === null || (untilMs ?? timeMs) >= fromMs) &&
    (table === null || tables === null || tables.includes(table));
  return documents
    .map((document) => annotationFor(document, isReadable))
    .filter(isFound)
    .sort((a, b) => a.timeMs - b.timeMs)
    .slice(-annotationsMax);
}

/** The queries for charts of a table whose own table the reader may read, by title. */
export function findAnnotationQueries(
  documents: readonly SavedDocument[],
  table: string | null,
  isReadable: (table: string) => boolean,
): readonly AnnotationQuery[] {
  return documents
    .flatMap(({ id, version, title, body, createdBy, file }): readonly AnnotationQuery[] => {
      if (!isSound<AnnotationQueryBody>(body, checkAnnotationQuery)) return [];
      const { tables = [], query } = body;
      if (!isReadable(query.table)) return [];
      const shownOn = tables.length === 0 ? [query.table] : tables;
      if (table !== null && !shownOn.includes(table)) return [];
      const readable = tables.filter(isReadable);
      if (tables.length > 0 && readable.length === 0) return [];
      const own = { ...body, ...(tables.length > 0 && { tables: readable }) };
      return [{ ...own, id, version, title, createdBy, ...(file !== undefined && { file }) }];
    })
    .sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0))
    .slice(0, table === null ? undefined : annotationQueriesMax);
}

/** As the reader may see it: null where it is about other tables only, or of an older version without a time. */
export function annotationFor(
  { id, version, title, body, createdBy, file }: SavedDocument,
  isReadable: (table: string) => boolean,
): Annotation | null {
  if (!isSound<AnnotationBody>(body, checkAnnotationBody)) return null;
  const { time, until, text = "", tags = [], tables = [] } = body;
  const readable = tables.filter(isReadable);
  if (tables.length > 0 && readable.length === 0) return null;
  return {
    ...{ id, version, title, text, tags, createdBy },
    timeMs: resolveTime(time, 0),
    untilMs: until === undefined ? null : resolveTime(until, 0),
    tables: tables.length === 0 ? null : readable,
    ...(file !== undefined && { file }),
  };
}

/** An older version of Hadal saved bodies without a check. */
function isSound<Body>(body: object, check: (body: unknown) => Body): body is Body & object {
  try {
    check(body);
    return true;
  } catch (error) {
    if (error instanceof HadalError) return false;
    throw error;
  }
}
