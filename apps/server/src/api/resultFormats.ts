import {
  bigintAsText,
  HadalError,
  type HistogramBound,
  type HistogramBucket,
  printCompletenessLine,
  type Result,
  type ResultRow,
  type ResultValue,
} from "@hadal/sdk";
import { loadArrow } from "../base/arrowLibrary.js";
import { encodeArrow } from "./arrowResult.js";

/** A result as the body of an answer. No format leaves out the completeness. */
export interface ResultFormat {
  /** As the Content-Type has it. */
  readonly mediaType: string;
  print(result: Result): string | Promise<Uint8Array>;
}

const json = { mediaType: "application/json; charset=utf-8", print: printJson };
const ndjson = { mediaType: "application/x-ndjson; charset=utf-8", print: printNdjson };
const csv = { mediaType: "text/csv; charset=utf-8", print: printCsv };
const arrow = {
  mediaType: "application/vnd.apache.arrow.stream",
  print: async (result: Result) => encodeArrow(result, await loadArrow()),
};

const formats = new Map<string, ResultFormat>([
  ["application/json", json],
  ["application/*", json],
  ["*/*", json],
  ["application/x-ndjson", ndjson],
  ["application/ndjson", ndjson],
  ["text/csv", csv],
  ["text/*", csv],
  ["application/vnd.apache.arrow.stream", arrow],
]);

/** The media types that a result can have. */
const resultTypes = [json, ndjson, csv, arrow].map(({ mediaType }) => mediaType.split(";")[0]!);

/** The first format of an Accept header that is known, best quality first. */
export function chooseFormat(accept: string | undefined): ResultFormat {
  if (accept === undefined || accept.trim() === "") return json;
  const wanted = accept
    .split(",")
    .map((part) => {
      const [mediaType = "", ...parameters] = part
        .split(";")
        .map((text) => text.trim().toLowerCase());
      const quality = parameters.find((text) => text.startsWith("q="))?.slice(2);
      return { mediaType, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { mediaType } of wanted) {
    const format = formats.get(mediaType);
    if (format !== undefined) return format;
  }
  throw new HadalError("not-acceptable", {
    detail: `No answer can be printed as ${accept.slice(0, 100)}. Ask for ${resultTypes.join(", ")}.`,
  });
}

/** The result's JSON text; integers beyond 2^53 are decimal strings. */
function printJson(result: Result): string {
  return JSON.stringify(printable(result));
}

/** What JSON.stringify takes. Rows are copied only where they hold a BigInt. */
export function printable<Printed extends Result>(result: Printed): Printed {
  if (!result.rows.some(hasBigInt)) return result;
  return {
    ...result,
    rows: result.rows.map((row) => (hasBigInt(row) ? row.map(printValue) : row)),
  };
}

/** One object a row, then one with the completeness and all else that is no row. */
function printNdjson(result: Result): string {
  const names = result.columns.map(({ name }) => JSON.stringify(name));
  const lines = printable(result).rows.map(
    (row) => `{${row.map((value, i) => `${names[i]}:${JSON.stringify(value)}`).join(",")}}\n`,
  );
  // What is absent of a result leaves no trace in JSON.
  const { columns: _columns, rows: _rows, final: _final, ...rest } = result;
  return `${lines.join("")}${JSON.stringify(rest)}\n`;
}

/** RFC 4180, then comment lines. A missing value is empty, an empty string is `""`. */
function printCsv(result: Result): string {
  const header = result.columns.map(({ name }) => quoteCsv(name)).join(",");
  const rows = result.rows.map((row) => `${row.map(printCell).join(",")}\r\n`);
  const comments = commentsOf(result).map((comment) => `# ${comment}\r\n`);
  return `${header}\r\n${rows.join("")}${comments.join("")}`;
}

/** What a table of text cannot say of a result, line by line. */
function commentsOf({
  completeness,
  truncated,
  coverage,
  lowerBounds,
}: Pick<Result, "completeness" | "truncated" | "coverage" | "lowerBounds">): readonly string[] {
  const json = (name: string, value: unknown): readonly string[] =>
    value === undefined || value === null ? [] : [`${name}: ${JSON.stringify(value)}`];
  return [
    `completeness: ${printCompletenessLine(completeness)}`,
    ...json("truncated", truncated),
    ...json("lowerBounds", lowerBounds),
    ...json("coverage", coverage),
  ];
}

function printCell(value: ResultValue): string {
  if (value === null) return "";
  if (typeof value === "string") return quoteCsv(value);
  return typeof value === "object" ? quoteCsv(JSON.stringify(value, bigintAsText)) : String(value);
}

function quoteCsv(text: string): string {
  return text === "" || /[",\r\n#]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function hasBigInt(row: ResultRow): boolean {
  for (let i = 0; i < row.length; i++) {
    const value = row[i];
    if (typeof value === "bigint") return true;
    if (typeof value === "object" && value !== null && value.some(hasBigBound)) return true;
  }
  return false;
}

/** Of a histogram's bucket; texts of lists have none. */
const hasBigBound = (bucket: string | HistogramBucket): boolean =>
  typeof bucket === "object" && (typeof bucket[0] === "bigint" || typeof bucket[1] === "bigint");

function printValue(value: ResultValue): ResultValue {
  if (Array.isArray(value) && value.some(hasBigBound)) {
    const buckets = value as readonly HistogramBucket[];
    return buckets.map(([low, high, count]) => [printBound(low), printBound(high), count] as const);
  }
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

const printBound = (bound: HistogramBound): HistogramBound =>
  typeof bound === "bigint" ? bound.toString() : bound;
