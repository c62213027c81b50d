import {
  type AnnotationFilter,
  type AnnotationList,
  type AnnotationQuery,
  HadalError,
  type Query,
  type Result,
} from "@hadal/sdk";
import { noAnnotations, type Shown } from "../../chart/kit/time/annotation/shownAnnotations.js";
import { shortenName } from "../../format/name.js";
import {
  annotationsOfRows,
  type FoundAnnotations,
  rowsQuery,
  type Span,
} from "./annotationRows.js";

/** Where annotations, and the rows that are annotations, are read. */
export interface AnnotationSource {
  list(filter: AnnotationFilter): Promise<AnnotationList>;
  ask(query: Query): Promise<Result>;
}

/** The annotations of charts of a table; none where they cannot be read. */
export async function readAnnotations(
  source: AnnotationSource,
  table: string,
  span: Span,
): Promise<Shown> {
  try {
    const { annotations, queries } = await source.list({ table, ...span });
    const found = await Promise.all(queries.map((query) => runQuery(source, query, span)));
    return {
      annotations: [...annotations, ...found.flatMap((one) => one.annotations)],
      notes: found.flatMap(({ note }) => note ?? []),
    };
  } catch (error) {
    if (error instanceof HadalError) return noAnnotations;
    throw error;
  }
}

/** One that fails leaves the others shown. */
async function runQuery(
  source: AnnotationSource,
  query: AnnotationQuery,
  span: Span,
): Promise<FoundAnnotations> {
  try {
    return annotationsOfRows(query, await source.ask(rowsQuery(query, span)));
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    const note = `no “${shortenName(query.title, 40)}”: ${error.message}`;
    return { annotations: [], note };
  }
}
