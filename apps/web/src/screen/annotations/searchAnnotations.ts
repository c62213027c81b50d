import type { Annotation, AnnotationQuery } from "@hadal/sdk";

/** The newest first. */
export function searchMoments(all: readonly Annotation[], text: string): readonly Annotation[] {
  const found = all.filter((one) =>
    has(text, [one.title, one.text, ...one.tags, ...(one.tables ?? []), one.createdBy ?? ""]),
  );
  return found.sort((a, b) => b.timeMs - a.timeMs);
}

export const searchQueries = (
  all: readonly AnnotationQuery[],
  text: string,
): readonly AnnotationQuery[] =>
  all.filter(({ title, query, tables = [], createdBy }) =>
    has(text, [title, query.table, ...tables, createdBy ?? ""]),
  );

const has = (text: string, parts: readonly string[]): boolean =>
  parts.join("\n").toLowerCase().includes(text.trim().toLowerCase());
