import {
  type ColumnValue,
  HadalError,
  type Query,
  type Result,
  type TableDetail,
  timeColumn,
} from "@hadal/sdk";

export interface ValuesRequest {
  readonly column: string;
  readonly prefix: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly limit: number;
}

export const valuesLimitDefault = 100;
export const valuesLimitMax = 10_000;

/** The query that counts the values of a column: there is one way to count rows, not two. */
export function valuesQuery(table: TableDetail, request: ValuesRequest): Query {
  const { column, prefix, from, to, limit } = request;
  const type = table.columns.find(({ name }) => name === column)?.type;
  if (type === "set" || type === "vector") {
    throw new HadalError("unsupported", {
      what: `Listing the elements of ${type} ${column}`,
      advice: "Look at raw rows instead.",
    });
  }
  const byPrefix = prefix !== "" && type === "string";
  return {
    table: table.name,
    from: from ?? table.fromMs ?? 0,
    to: to ?? (table.toMs ?? 0) + 1,
    filter: byPrefix ? [{ column, op: "~", value: `^${escapePattern(prefix)}` }] : [],
    groupBy: [column],
    aggregates: [{ fn: "count" }],
    orderBy: [{ by: "count", desc: true }],
    limit,
  };
}

/** The values with their counts, most frequent first. An integer's prefix is compared here, on its digits. */
export function readValues(result: Result, prefix: string): ColumnValue[] {
  const valueIndex = result.columns.findIndex(({ role }) => role === "group");
  const countIndex = result.columns.findIndex(
    ({ name, role }) => role === "aggregate" && name === "count",
  );
  return result.rows
    .map((row) => {
      const value = row[valueIndex] ?? null;
      return {
        value: typeof value === "bigint" ? value.toString() : (value as string | number | null),
        count: Number(row[countIndex]),
      };
    })
    .filter(({ value }) => prefix === "" || (value !== null && String(value).startsWith(prefix)));
}

/** The event time is not a column with values worth listing. */
export function checkValuesColumn(column: string): void {
  if (column !== timeColumn) return;
  throw new HadalError("unsupported", {
    what: "Listing the values of time",
    advice: "Group by a time bucket instead.",
  });
}

/** RE2: a backslash before any punctuation means the character itself. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
