import {
  type Annotation,
  type AnnotationQuery,
  annotationRowsMax,
  documentTitleMax,
  type Query,
  type Result,
  type ResultValue,
} from "@hadal/sdk";
import { formatRowShare } from "../../format/lack.js";
import { shortenName } from "../../format/name.js";
import { formatCompact } from "../../format/number.js";
import { isIncomplete } from "../status/completeness.js";

/** Half-open, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** An answer as old as that may be used again: many charts of a board ask the same. */
const freshnessMs = 15_000;

/** The newest rows of the range, with the columns that annotations are made of. */
export function rowsQuery(asked: AnnotationQuery, { from, to }: Span): Query {
  const { query, titleColumn, textColumn, tagColumns = [] } = asked;
  const columns = [titleColumn, ...(textColumn === undefined ? [] : [textColumn]), ...tagColumns];
  return {
    ...{ table: query.table, from, to, freshnessMs },
    ...(query.filter !== undefined && { filter: query.filter }),
    ...(query.derive !== undefined && { derive: query.derive }),
    sampleView: { columns: [...new Set(columns)] },
    orderBy: [{ by: "time", desc: true }],
    limit: annotationRowsMax,
  };
}

export interface FoundAnnotations {
  readonly annotations: readonly Annotation[];
  /** What is not shown; null: all is. */
  readonly note: string | null;
}

/** Each row as an annotation at its time. */
export function annotationsOfRows(asked: AnnotationQuery, result: Result): FoundAnnotations {
  const { id, version, title, titleColumn, textColumn, tagColumns = [], createdBy } = asked;
  const at = new Map(result.columns.map(({ name }, i) => [name, i]));
  const cell = (row: Result["rows"][number], name: string | undefined): string => {
    const index = name === undefined ? undefined : at.get(name);
    return index === undefined ? "" : textOf(row[index] ?? null);
  };
  const timeAt = at.get("time") ?? -1;
  const annotations = result.rows.flatMap((row, i): readonly Annotation[] => {
    const time = row[timeAt];
    if (typeof time !== "number" && typeof time !== "bigint") return [];
    return [
      {
        ...{ id: `${id}/${i}`, version, createdBy, timeMs: Number(time), untilMs: null },
        title: (cell(row, titleColumn) || title).slice(0, documentTitleMax),
        text: cell(row, textColumn),
        tags: tagColumns.map((name) => cell(row, name)).filter((tag) => tag !== ""),
        tables: asked.tables ?? [asked.query.table],
      },
    ];
  });
  return { annotations, note: noteOf(title, annotations.length, result) };
}

/** Rows that did not answer or that were cut. */
function noteOf(title: string, shown: number, { stats, completeness }: Result): string | null {
  const { rowsMatched } = stats;
  const newest = rowsMatched > shown ? `the newest ${shown} of ${formatCompact(rowsMatched)} ` : "";
  const share = isIncomplete(completeness) ? ` from ${formatRowShare(completeness)}` : "";
  return newest === "" && share === "" ? null : `${newest}“${shortenName(title, 40)}”${share}`;
}

const textOf = (value: ResultValue): string =>
  value === null ? "" : Array.isArray(value) ? value.map(String).join(", ") : String(value);
