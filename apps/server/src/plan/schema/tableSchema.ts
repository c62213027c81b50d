import {
  type ColumnType,
  type Filter,
  HadalError,
  nearestHint,
  type ProblemPart,
  timeColumn,
} from "@hadal/sdk";
import type { QueryBounds } from "../../base/access/readable.js";
import type { ColumnForms } from "../../base/row/columnTypes.js";
import type { NumbersOf } from "../query/numbersOf.js";

/** What a query can be bound to: the columns of one table, merged over all leaves. */
export interface TableSchema {
  readonly name: string;
  readonly columns: ReadonlyMap<string, SchemaColumn>;
  /** Columns whose values no one form suits: how a query sees one depends on its time range. */
  readonly mixed: ReadonlyMap<string, ColumnForms>;
  /** Set where only some of the rows, or columns, may be read; then `columns` are those that may. */
  readonly grant?: SchemaGrant;
}

export interface SchemaGrant {
  /** Only rows that pass one of these, each of which is a list of conditions; null: every row. */
  readonly rows: readonly (readonly Filter[])[] | null;
  /** All columns of the table: conditions on rows may read those that the query may not. */
  readonly columns: ReadonlyMap<string, SchemaColumn>;
  /** How the rows may be asked; left out: in any way. */
  readonly bounds?: QueryBounds;
}

export interface SchemaColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Digits behind the point; 0 for other types than int. */
  readonly decimals: number;
  /** The types of its values in the time range of the query, where they are not all of its own. */
  readonly holds?: readonly ColumnType[];
  /** Of a column that is seen as text: its numbers, as columns that comparisons with numbers read. */
  readonly numbers?: readonly SchemaColumn[];
  readonly numbersOf?: NumbersOf;
}

/** Every table has it, whether the leaves list it or not. */
const time: SchemaColumn = { name: timeColumn, type: "int", decimals: 0 };

export function createTableSchema(
  name: string,
  columns: Iterable<SchemaColumn>,
  { mixed = new Map(), grant }: Partial<Pick<TableSchema, "mixed" | "grant">> = {},
): TableSchema {
  const byName = new Map<string, SchemaColumn>([[timeColumn, time]]);
  for (const column of columns) if (column.name !== timeColumn) byName.set(column.name, column);
  return { name, columns: byName, mixed, ...(grant === undefined ? {} : { grant }) };
}

/** The column of that name; throws `unknown-column` with the nearest one. */
export function findColumn(table: TableSchema, name: string, path: string): SchemaColumn {
  const column = table.columns.get(name);
  if (column !== undefined) return column;
  const bare = name.startsWith(`${table.name}.`) ? name.slice(table.name.length + 1) : "";
  const nearest = table.columns.has(bare)
    ? ` Did you mean "${bare}"? Columns are named without their table.`
    : nearestHint(name, table.columns.keys());
  const part: ProblemPart = {
    path,
    code: "unknown-column",
    detail: `Table ${table.name} has no column ${name}.${nearest}`,
  };
  throw new HadalError("unknown-column", { table: table.name, column: name, nearest }, [part]);
}

/** A problem about what a query does with a column. */
export function typeMismatch(path: string, detail: string): HadalError {
  return new HadalError("type-mismatch", { detail }, [{ path, code: "type-mismatch", detail }]);
}

/** A query that is sound, but not answered by this version. */
export function unsupported(path: string, what: string, advice: string): HadalError {
  const detail = `${what} is not supported yet. ${advice}`.trimEnd();
  return new HadalError("unsupported", { what, advice }, [{ path, code: "unsupported", detail }]);
}

/** "service (string)", for sentences. */
export function describeColumn(column: SchemaColumn): string {
  const { name, holds } = column;
  const type = column.type === "int" && column.decimals > 0 ? "decimal" : column.type;
  if (holds === undefined) return `${name} (${type})`;
  return `${name} (${type}: ${describeTypes(holds)} in this time range)`;
}

/** What people call the values of a type. */
const valuesOfType: Readonly<Record<ColumnType, string>> = {
  ...{ int: "numbers", string: "texts", set: "sets", vector: "lists" },
};

function describeTypes(types: readonly ColumnType[]): string {
  if (types.length === 1) return "numbers too large for the decimals of others";
  return types.map((type) => valuesOfType[type]).join(" and ");
}
