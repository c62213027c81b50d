import {
  type AggregateSpec,
  aggregateName,
  type DerivedColumn,
  type Expression,
  type Filter,
  type FunctionAggregate,
  type GroupBy,
  isFunctionAggregate,
  type Query,
} from "@hadal/sdk";
import type { TableSchema } from "./tableSchema.js";

type Rename = (name: string) => string;

/** The query with columns named alone that it names with their table: `requests.status`, where no column is called so. */
export function withBareNames(query: Query, table: TableSchema): Query {
  const prefix = `${table.name}.`;
  const bare: Rename = (name) => {
    if (!name.startsWith(prefix) || table.columns.has(name)) return name;
    const own = name.slice(prefix.length);
    return table.columns.has(own) ? own : name;
  };
  const groupBy = query.groupBy?.map((group) => renameGroup(group, bare));
  const aggregates = query.aggregates?.map((spec) => renameAggregate(spec, bare));
  // An unnamed expression is named after its column.
  const names = new Map<string, string>();
  query.aggregates?.forEach((spec, i) => {
    names.set(aggregateName(spec), aggregateName(aggregates![i]!));
  });
  const result: Rename = (name) => names.get(name) ?? bare(name);
  const { filter, derive, calculate, having, orderBy, show, compare, sampleView } = query;
  return {
    ...query,
    ...(filter && { filter: filter.map((one) => renameFilter(one, bare)) }),
    ...(derive && { derive: derive.map((one) => renameDerived(one, bare)) }),
    ...(groupBy && { groupBy }),
    ...(aggregates && { aggregates }),
    ...(calculate && {
      calculate: calculate.map(({ as, expression }) => ({
        as,
        expression: renameExpression(expression, result),
      })),
    }),
    ...(having && { having: having.map((one) => ({ ...one, column: result(one.column) })) }),
    ...(orderBy && { orderBy: orderBy.map((one) => ({ ...one, by: result(one.by) })) }),
    ...(show && { show: show.map(result) }),
    ...(compare?.filter && {
      compare: { ...compare, filter: compare.filter.map((one) => renameFilter(one, bare)) },
    }),
    ...(sampleView?.columns && { sampleView: { columns: sampleView.columns.map(bare) } }),
  };
}

function renameFilter(filter: Filter, bare: Rename): Filter {
  const each = (filters: readonly Filter[]): readonly Filter[] =>
    filters.map((one) => renameFilter(one, bare));
  if ("any" in filter) return { any: each(filter.any) };
  if ("all" in filter) return { all: each(filter.all) };
  if ("not" in filter) return { not: renameFilter(filter.not, bare) };
  return { ...filter, column: bare(filter.column) };
}

function renameDerived(column: DerivedColumn, bare: Rename): DerivedColumn {
  if ("expression" in column) {
    return { as: column.as, expression: renameExpression(column.expression, bare) };
  }
  return "function" in column && column.args !== undefined
    ? { ...column, args: column.args.map(bare) }
    : column;
}

function renameExpression(expression: Expression, bare: Rename): Expression {
  if ("column" in expression) return { column: bare(expression.column) };
  if (!("fn" in expression)) return expression;
  return { ...expression, args: expression.args.map((arg) => renameExpression(arg, bare)) };
}

function renameGroup(group: GroupBy, bare: Rename): GroupBy {
  if (typeof group === "string") return bare(group);
  if ("column" in group) return { ...group, column: bare(group.column) };
  if ("bucket" in group) return { ...group, bucket: bare(group.bucket) };
  return "element" in group ? { ...group, element: bare(group.element) } : group;
}

function renameAggregate(
  spec: AggregateSpec | FunctionAggregate,
  bare: Rename,
): AggregateSpec | FunctionAggregate {
  if (isFunctionAggregate(spec)) return { ...spec, columns: spec.columns.map(bare) };
  return spec.column === undefined ? spec : { ...spec, column: bare(spec.column) };
}
