import { type FacetsRequest, facetColumnsMax, type GroupBy, timeColumn } from "@hadal/sdk";
import { resolveQuery } from "../../aggregate/function/resolveQuery.js";
import type { ResolvedDerived, ResolvedGroup } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { checkReadable } from "../../plan/schema/checkBounds.js";
import { findColumn, type SchemaColumn, type TableSchema } from "../../plan/schema/tableSchema.js";
import type { ValueSpan } from "./columnSpans.js";
import { valueEdges } from "./valueEdges.js";

/** Name that group keys have within these questions. */
const valueName = "value";

/** The questions about one column: by values (or elements), and of numbers by ranges too. */
export interface ColumnQuestions {
  readonly column: SchemaColumn;
  readonly values: SplitQuery;
  readonly ranges: { readonly split: SplitQuery; readonly edges: readonly bigint[] } | null;
}

/**
 * The columns that are asked for; all but the time where none are named, of an embed those whose values it shows. Throws
 * `token-scope` for others of an embed.
 */
export function askedColumns(
  names: readonly string[] | undefined,
  schema: TableSchema,
  derived: readonly ResolvedDerived[] = [],
): readonly SchemaColumn[] {
  const bounds = schema.grant?.bounds;
  if (names !== undefined) {
    const columns = names.map((name, i) => findColumn(schema, name, `columns[${i}]`));
    if (bounds !== undefined) checkReadable(names, { derived, bounds }, "values of");
    return columns;
  }
  const isShown = (name: string): boolean => bounds?.groupBy.includes(name) ?? true;
  return [...schema.columns.values()]
    .filter(({ name }) => name !== timeColumn && isShown(name))
    .slice(0, facetColumnsMax);
}

/** For questions about columns that were checked, of which derived ones are like stored ones here. */
function withoutBounds({ grant, ...schema }: TableSchema): TableSchema {
  if (grant === undefined) return schema;
  const { bounds: _, ...kept } = grant;
  return { ...schema, grant: kept };
}

interface QuestionOptions {
  /** Which rows; their filter is added when the questions are joined. */
  readonly request: Pick<FacetsRequest, "table" | "from" | "to">;
  /** How many values are listed. */
  readonly limit: number;
  readonly schema: TableSchema;
  readonly nowMs: number;
}

export function columnQuestions(
  column: SchemaColumn,
  span: ValueSpan | undefined,
  { request: { table, from, to }, limit, schema, nowMs }: QuestionOptions,
): ColumnQuestions {
  const { name, type, decimals } = column;
  const group: GroupBy =
    type === "set" || type === "vector"
      ? { element: name, as: valueName }
      : { column: name, as: valueName };
  const values = resolveQuery(
    {
      ...{ table, from, to, groupBy: [group], limit },
      aggregates: [{ fn: "count" }],
      orderBy: [{ by: "count", desc: true }],
    },
    withoutBounds(schema),
    nowMs,
  );
  if (span === undefined) return { column, values, ranges: null };
  const edges = valueEdges(span.min, span.max);
  const buckets = { kind: "edges", bounds: edges.map(String) } as const;
  const groupBy: ResolvedGroup[] = [{ kind: "bucket", column: name, decimals, buckets }];
  // Nothing of them is cut: together they are the whole.
  const cut = { ...values.resolved.cut, max: edges.length + 2 };
  const split = { ...values, resolved: { ...values.resolved, groupBy, cut } };
  return { column, values, ranges: { split, edges } };
}

/** The questions one after the other, as a study asks them. */
export function splitsOf(questions: readonly ColumnQuestions[]): SplitQuery[] {
  return questions.flatMap(({ values, ranges }) =>
    ranges === null ? [values] : [values, ranges.split],
  );
}

/** Where the answers to each column's questions stand among the study's branches. */
export function placesOf(
  questions: readonly ColumnQuestions[],
): readonly { readonly values: number; readonly ranges: number }[] {
  let next = 0;
  return questions.map(({ ranges }) => {
    const values = next++;
    return { values, ranges: ranges === null ? -1 : next++ };
  });
}
