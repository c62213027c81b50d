import type {
  AggregateSpec,
  EmbedDraft,
  Expression,
  FunctionAggregate,
  GroupBy,
  Query,
} from "@hadal/sdk";
import { columnOf, type OracleTable } from "../table/oracleTable.js";

export type Allowed = Pick<EmbedDraft, "views" | "rangeMsMax"> & {
  readonly groupBy: readonly string[];
};

/** Whether a query shows what a token does not allow; read off the query, derived columns are the table's. */
export function isBeyond(query: Query, table: OracleTable, allowed: Allowed): boolean {
  const [fromMs, toMs] = [query.from, query.to].map((time) => new Date(time).getTime());
  if (toMs! - fromMs! > allowed.rangeMsMax) return true;
  if (query.sampleView) return !allowed.views.includes("rows");
  const shown = [
    ...(query.groupBy ?? []).map(columnOfGroup),
    ...(query.aggregates ?? []).flatMap((spec) => columnsShown(spec, table)),
  ];
  return shown
    .flatMap((name) => columnsBehind(name, query))
    .some((name) => !allowed.groupBy.includes(name));
}

function columnOfGroup(group: GroupBy): string {
  if (typeof group === "string") return group;
  if ("time" in group) return "time";
  if ("element" in group) return group.element;
  return "bucket" in group ? group.bucket : group.column;
}

/** A text that is the first or last one is a value; so are the bounds of a histogram. */
function columnsShown(
  spec: AggregateSpec | FunctionAggregate,
  table: OracleTable,
): readonly string[] {
  const { fn, column } = spec as { readonly fn: string; readonly column?: string };
  if (column === undefined) return [];
  if (fn === "histogram") return [column];
  const isExtreme = fn === "min" || fn === "max";
  return isExtreme && columnOf(table, column).type === "string" ? [column] : [];
}

/** The stored columns that a column is computed from. */
function columnsBehind(name: string, query: Query): readonly string[] {
  const derived = query.derive?.find(({ as }) => as === name);
  if (derived === undefined || !("expression" in derived)) return [name];
  return columnsIn(derived.expression).flatMap((inner) => columnsBehind(inner, query));
}

function columnsIn(expression: Expression): readonly string[] {
  if ("column" in expression) return [expression.column];
  return "args" in expression ? expression.args.flatMap(columnsIn) : [];
}
