import type { ColumnInfo, Filter } from "@hadal/sdk";

const messageName =
  /(^|[._])(message|msg|body|text|log|line|error|title|description|exception|url|query)$/i;

/** Columns that hold text for people, by their names: what a free search looks through. */
export function messageColumns(columns: readonly ColumnInfo[]): readonly string[] {
  return columns
    .filter(({ name, type }) => type === "string" && messageName.test(name))
    .map(({ name }) => name);
}

/** Rows whose text has this in it, in whichever of the columns. */
export function searchFilter(columns: readonly string[], text: string): Filter {
  const conditions = columns.map((column) => ({ column, op: "contains" as const, value: text }));
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { any: conditions };
}
