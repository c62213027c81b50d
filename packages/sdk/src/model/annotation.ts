import type { Filter } from "./filter.js";
import type { DerivedColumn, TimeText } from "./query.js";

export const annotationTextMax = 2_000;
export const annotationTagsMax = 20;
/** Of one tag, in characters. */
export const annotationTagMax = 50;
export const annotationTablesMax = 100;
/** Of one list: more flags than a chart has pixels help no reader. The newest are kept. */
export const annotationsMax = 1_000;

/** The body of a document of the kind `annotation`; its title is the document's. */
export interface AnnotationBody {
  /** A moment that does not move with the clock: ISO-8601 or milliseconds since 1970. */
  readonly time: TimeText;
  /** Its end, where it lasts. */
  readonly until?: TimeText;
  readonly text?: string;
  readonly tags?: readonly string[];
  /** Shown on charts of these tables; absent or empty: of every table. */
  readonly tables?: readonly string[];
}

/** Of one query on one chart: the newest rows of its range. */
export const annotationRowsMax = 200;
/** Of one chart, by title. */
export const annotationQueriesMax = 20;

/**
 * The body of a document of the kind `annotation` whose rows are the annotations: each matching row
 * is one, at its time. The reader's own rights apply.
 */
export interface AnnotationQueryBody {
  readonly query: AnnotationRows;
  /** The column that names each annotation; a row without a value has the document's title. */
  readonly titleColumn: string;
  readonly textColumn?: string;
  /** Their values are the tags. */
  readonly tagColumns?: readonly string[];
  /** Shown on charts of these tables; absent or empty: of the query's own table. */
  readonly tables?: readonly string[];
}

/** Rows of a table; the chart gives the times. */
export interface AnnotationRows {
  readonly table: string;
  readonly filter?: readonly Filter[];
  readonly derive?: readonly DerivedColumn[];
}

/** A query whose rows are annotations, as the reader may see it. */
export interface AnnotationQuery extends AnnotationQueryBody {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly createdBy: string | null;
  /** The server's file that it comes from: it is changed there. */
  readonly file?: string;
}

/** What charts over time show. */
export interface AnnotationList {
  /** By time; of more than 1,000 the newest. */
  readonly annotations: readonly Annotation[];
  readonly queries: readonly AnnotationQuery[];
}

/** The body of `POST /annotations`: its times may be relative, such as `now`. */
export interface AnnotationDraft extends AnnotationBody {
  readonly title: string;
}

/** Something that happened, such as a release or an incident, shown on charts over time. */
export interface Annotation {
  /** Of its document: `documents.save` and `documents.delete` change it. */
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly timeMs: number;
  /** null: it is a moment. */
  readonly untilMs: number | null;
  readonly text: string;
  readonly tags: readonly string[];
  /** Those that the reader may read; null: every table. */
  readonly tables: readonly string[] | null;
  /** Name of the user; null without sign-in. */
  readonly createdBy: string | null;
  /** The server's file that it comes from: it is changed there. */
  readonly file?: string;
  /** The alert rule whose firing it is: no document, so that it cannot be changed. */
  readonly alert?: string;
}

export interface AnnotationFilter {
  /** Those that end here or later. */
  readonly from?: TimeText;
  /** Those that begin before. */
  readonly to?: TimeText;
  /** Those of one table, and those of every table. */
  readonly table?: string;
}
