import type { Completion, CompletionSource } from "@codemirror/autocomplete";
import { type ColumnInfo, filterOperators, type TableInfo } from "@hadal/sdk";
import { printName, sqlFunctions, sqlKeywords } from "@hadal/sdk/sql";
import type { QueryLanguage } from "../../../draft/text/queryText.js";

/** Completions of a query; columns come first. */
export function completeQuery(
  language: QueryLanguage,
  tables: readonly TableInfo[],
  columns: readonly ColumnInfo[],
): CompletionSource {
  return language === "sql" ? completeSql(tables, columns) : completeJson(tables, columns);
}

function completeSql(
  tables: readonly TableInfo[],
  columns: readonly ColumnInfo[],
): CompletionSource {
  const options: readonly Completion[] = [
    ...columns.map((column) => optionOf(printName(column.name), typeText(column), 3)),
    ...tables.map(({ name }) => optionOf(printName(name), "table", 2)),
    ...sqlFunctions.map((name) => ({ ...optionOf(name, "function", 1), apply: `${name}(` })),
    ...sqlKeywords.map((word) => optionOf(word, "", 0)),
  ];
  return (context) => {
    const word = context.matchBefore(/"?[\p{L}\p{N}_$.]+/u);
    if (word === null && !context.explicit) return null;
    return { from: word?.from ?? context.pos, options, validFor: /^"?[\p{L}\p{N}_$.]*$/u };
  };
}

const keys = [
  ...["table", "from", "to", "timeZone", "filter", "derive", "groupBy", "aggregates", "having"],
  ...["orderBy", "limit", "offset", "series", "compare", "sampleView", "exact", "timeoutMs"],
  ...["column", "op", "value", "fn", "per", "as", "by", "desc", "time", "bucket", "element"],
];

function completeJson(
  tables: readonly TableInfo[],
  columns: readonly ColumnInfo[],
): CompletionSource {
  const inside = (name: string): string => JSON.stringify(name).slice(1, -1);
  const options: readonly Completion[] = [
    ...columns.map((column) => optionOf(inside(column.name), typeText(column), 3)),
    ...tables.map(({ name }) => optionOf(inside(name), "table", 2)),
    ...keys.map((name) => optionOf(name, "", 1)),
    ...filterOperators.map((op) => optionOf(op, "operator", 0)),
  ];
  return (context) => {
    // Only within quotes: all completions are JSON strings.
    const word = context.matchBefore(/"[^"\\\n]*/);
    return word === null ? null : { from: word.from + 1, options, validFor: /^[^"\\\n]*$/ };
  };
}

const optionOf = (label: string, detail: string, boost: number): Completion => ({
  ...{ label, boost },
  ...(detail !== "" && { detail }),
});

const typeText = ({ type, decimals }: ColumnInfo): string => (decimals > 0 ? "decimal" : type);
