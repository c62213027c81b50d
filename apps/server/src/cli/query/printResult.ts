import {
  bigintAsText,
  type Completeness,
  type HistogramBucket,
  type Result,
  type ResultColumn,
  type ResultRow,
  type ResultValue,
} from "@hadal/sdk";
import { printTextTable } from "../terminal/textTable.js";

export const resultFormats = ["table", "json", "ndjson", "csv"] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** The lines of a result in one format. Each says how complete the answer is: json inside, ndjson and csv in their last lines as the HTTP interface does, a table in a last line when rows are missing. */
export function* printResult(
  result: Result,
  format: ResultFormat,
  cut: "cut" | "whole",
): Generator<string> {
  switch (format) {
    case "json":
      yield JSON.stringify(result, bigintAsText);
      return;
    case "ndjson":
      for (const row of result.rows) yield printRowObject(result.columns, row);
      yield printRemainder(result);
      return;
    case "csv":
      yield result.columns.map((column) => quoteCsv(column.name)).join(",");
      for (const row of result.rows) yield row.map(printCsvCell).join(",");
      yield `# completeness: ${printCompleteness(result.completeness)}`;
      for (const name of ["truncated", "lowerBounds", "coverage", "compareCoverage"] as const) {
        if (result[name] != null) yield `# ${name}: ${JSON.stringify(result[name])}`;
      }
      return;
    case "table":
      yield* printTextTable(
        result.columns.map((column) => ({ name: column.name, align: alignOf(column) })),
        result.rows.map((row) => row.map((value, i) => printCell(value, result.columns[i]))),
        cut,
      );
      if (result.completeness.fraction < 1) yield `# ${printCompleteness(result.completeness)}`;
  }
}

/** `97.8 % of rows · 43/44 leaves · missing leaf-17`. Rounded down: only a whole answer is 100 %. */
export function printCompleteness(completeness: Completeness): string {
  const { answered, total, missing } = completeness.leaves;
  const percent = Math.floor(completeness.fraction * 1_000) / 10;
  const share = completeness.known === false ? "share of rows unknown" : `${percent} % of rows`;
  const parts = [share, `${answered}/${total} leaves`];
  if (missing.length > 0) parts.push(`missing ${missing.join(", ")}`);
  if (completeness.reason !== undefined) parts.push(completeness.reason);
  return parts.join(" · ");
}

/** All of a result but its rows. */
function printRemainder(result: Result): string {
  const { columns: _columns, rows: _rows, final: _final, ...rest } = result;
  return JSON.stringify(rest);
}

function printRowObject(columns: readonly ResultColumn[], row: ResultRow): string {
  // Not an object: a column may be called `__proto__`, and numbers as names would change the order.
  const parts = row.map((value, i) => {
    const name = JSON.stringify(columns[i]?.name ?? "");
    return `${name}:${JSON.stringify(value, bigintAsText)}`;
  });
  return `{${parts.join(",")}}`;
}

function printCsvCell(value: ResultValue): string {
  if (value === null) return "";
  // A present empty string is quoted, a missing value is not.
  if (typeof value === "string") return value === "" ? '""' : quoteCsv(value);
  return typeof value === "object" ? quoteCsv(JSON.stringify(value, bigintAsText)) : String(value);
}

function quoteCsv(text: string): string {
  // A text that starts like a comment is quoted, or readers would skip it.
  return /[",\n\r]|^#|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function printCell(value: ResultValue, column: ResultColumn | undefined): string {
  if (value === null) return "–";
  if (column?.type === "time" && typeof value === "number") {
    return new Date(value).toISOString().replace(/\.000Z$/, "Z");
  }
  if (column?.type === "float" && typeof value === "number") return printFloat(value);
  return typeof value === "object" ? value.map(printElement).join(" › ") : String(value);
}

/** Six digits, and never less than the whole part with two behind the point: a rounded thousand would pass for the exact one. */
function printFloat(value: number): string {
  return String(Number(Math.abs(value) < 10_000 ? value.toPrecision(6) : value.toFixed(2)));
}

/** `[64, 72) 5`: how many from the first value up to, but not with, the second. */
function printElement(element: string | HistogramBucket): string {
  return typeof element === "string" ? element : `[${element[0]}, ${element[1]}) ${element[2]}`;
}

function alignOf(column: ResultColumn): "left" | "right" {
  return column.type === "int" || column.type === "decimal" || column.type === "float"
    ? "right"
    : "left";
}
