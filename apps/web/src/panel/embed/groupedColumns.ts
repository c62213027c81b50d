import type { DerivedColumn, Expression, GroupBy, Query } from "@hadal/sdk";

/** The columns whose values a query's groups show: of a derived column those that it reads. `time`: time buckets. */
export function groupedColumns({ groupBy = [], derive = [] }: Query): readonly string[] {
  const derived = new Map(derive.map((column) => [column.as, column]));
  const readBy = (name: string): readonly string[] => {
    const column = derived.get(name);
    if (column === undefined) return [name];
    // A column may have the name of one that it reads.
    derived.delete(name);
    return columnsOfDerived(column).flatMap(readBy);
  };
  return [...new Set(groupBy.map(columnOfGroup).flatMap(readBy))];
}

function columnOfGroup(group: GroupBy): string {
  if (typeof group === "string") return group;
  if ("time" in group) return "time";
  if ("element" in group) return group.element;
  return "bucket" in group ? group.bucket : group.column;
}

/** None of a script: which columns it reads is not known here. */
function columnsOfDerived(column: DerivedColumn): readonly string[] {
  if ("expression" in column) return columnsOfExpression(column.expression);
  return "function" in column ? (column.args ?? []) : [];
}

function columnsOfExpression(expression: Expression): readonly string[] {
  if ("column" in expression) return [expression.column];
  return "fn" in expression ? expression.args.flatMap(columnsOfExpression) : [];
}
