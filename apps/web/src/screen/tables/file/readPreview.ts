import {
  findCsvStart,
  isCsvComment,
  type ParquetReading,
  readCsvRecord,
  withoutEmptyEnd,
} from "@hadal/sdk";
import { detectPattern } from "./logPattern.js";
import type { OtlpSignal } from "./otlpFile.js";
import { FileFault } from "./rowFile.js";
import { detectFormat, firstLines, isJson, type TextFormat } from "./textFormat.js";

/** Format and columns guessed from the start of a file. The server decides the types. */
export interface Preview {
  readonly format: BodyFormat;
  readonly columns: readonly PreviewColumn[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The most likely time column; null: none. */
  readonly timeColumn: string | null;
  /** Of log lines: the pattern that they look like. */
  readonly pattern?: string;
}

/** Binary ones are read by the server only. */
export type BodyFormat = TextFormat | "parquet" | "arrow" | `otlp-${OtlpSignal}-protobuf`;

export const contentTypes: Readonly<Record<BodyFormat, string>> = {
  ndjson: "application/x-ndjson",
  json: "application/json",
  csv: "text/csv",
  raw: "text/plain",
  folded: "text/x-folded",
  cpuprofile: "application/x-cpuprofile",
  parquet: "application/vnd.apache.parquet",
  arrow: "application/vnd.apache.arrow.stream",
  "otlp-logs": "application/vnd.opentelemetry.logs+json",
  "otlp-traces": "application/vnd.opentelemetry.traces+json",
  "otlp-metrics": "application/vnd.opentelemetry.metrics+json",
  "otlp-logs-protobuf": "application/vnd.opentelemetry.logs+protobuf",
  "otlp-traces-protobuf": "application/vnd.opentelemetry.traces+protobuf",
  "otlp-metrics-protobuf": "application/vnd.opentelemetry.metrics+protobuf",
};

/** Where the format says what the time of a row is: there is no column to choose. */
export const hasOwnTime = (format: BodyFormat): format is FormatWithTime =>
  format === "raw" || format === "folded" || format === "cpuprofile" || format.startsWith("otlp-");

type FormatWithTime = Exclude<BodyFormat, "ndjson" | "json" | "csv" | "parquet" | "arrow">;

export interface PreviewColumn {
  readonly name: string;
  readonly type: "integer" | "decimal" | "string" | "set" | "vector" | "mixed" | "moment";
  /** The share of non-missing values that can be read as a time: text or number. */
  readonly timeShare: number;
}

const rowsMax = 50;

/** Throws {@link FileFault} for a text without rows. `chosen`: the format, if it is not to be detected. */
export function readPreview(
  text: string,
  { name = "", chosen }: { readonly name?: string; readonly chosen?: TextFormat | undefined } = {},
): Preview {
  const format = chosen ?? detectFormat(text, name);
  if (hasOwnTime(format)) {
    const own = previewWithTime(format);
    return format === "raw" ? { ...own, pattern: detectPattern(firstLines(text)) ?? "plain" } : own;
  }
  const rows = readRows(text, format).slice(0, rowsMax).map(flatten);
  if (rows.length === 0) throw new FileFault("The file has no rows.");
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name): PreviewColumn => {
    const values = rows.flatMap((row) => (row[name] == null ? [] : [row[name]]));
    const timeShare = values.length === 0 ? 0 : values.filter(isTime).length / values.length;
    const isMoment = values.length > 0 && values.every(isWrittenTime);
    return { name, type: isMoment ? "moment" : typeOf(values), timeShare };
  });
  return { format, columns, rows, timeColumn: guessTime(columns) };
}

/** The preview of a file whose rows are made by the server. */
export function previewWithTime(format: BodyFormat): Preview {
  const time = { name: "time", type: "moment", timeShare: 1 } as const;
  return { format, columns: [time], rows: [], timeColumn: time.name };
}

/** The preview of a Parquet file, from the columns that the server read. */
export function parquetPreview({ columns }: ParquetReading): Preview {
  const named = columns.map(({ name, type }): PreviewColumn => {
    const isMoment = /^(TIMESTAMP|DATE)/.test(type);
    const isNumber = /^(INT|DOUBLE|FLOAT|DECIMAL)/.test(type);
    const mayBeTime = isMoment || isNumber || type === "STRING";
    const kind = isMoment ? "moment" : isNumber ? "decimal" : "mixed";
    return { name, type: kind, timeShare: mayBeTime ? 1 : 0 };
  });
  return { format: "parquet", columns: named, rows: [], timeColumn: guessTime(named) };
}

type Row = Readonly<Record<string, unknown>>;

function readRows(text: string, format: "ndjson" | "json" | "csv"): readonly Row[] {
  if (format === "csv") return readCsv(text);
  if (format === "ndjson") {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines
      .slice(0, rowsMax)
      .flatMap((line) => (isJson(line) ? rowsOf(JSON.parse(line)) : []));
  }
  return rowsOf(JSON.parse(wholeStart(text)));
}

/** Cuts the start of a long JSON list back to its last complete row. */
export function wholeStart(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    for (let end = text.lastIndexOf("}"); end > 0; end = text.lastIndexOf("}", end - 1)) {
      const whole = `${text.slice(0, end + 1)}]`;
      if (isJson(whole)) return whole;
    }
    const reason = error instanceof Error ? `: ${error.message}` : "";
    throw new FileFault(`The file starts like JSON, but cannot be parsed${reason}.`);
  }
}

function rowsOf(value: unknown): readonly Row[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter(
    (row): row is Row => typeof row === "object" && row !== null && !Array.isArray(row),
  );
}

/** Flattens objects into columns with dots, as the server does. */
function flatten(row: Row): Row {
  const cells: [string, unknown][] = [];
  const walk = (prefix: string, value: unknown): void => {
    const isSet = typeof value === "object" && value !== null && "$set" in value;
    if (typeof value !== "object" || value === null || Array.isArray(value) || isSet) {
      cells.push([prefix, value]);
      return;
    }
    for (const [key, inner] of Object.entries(value)) walk(`${prefix}.${key}`, inner);
  };
  for (const [key, value] of Object.entries(row)) walk(key, value);
  return Object.fromEntries(cells);
}

/** The preview of an Arrow stream or file, from its schema. */
export function arrowPreview(
  fields: readonly { readonly name: string; readonly type: string }[],
): Preview {
  const columns = fields.map(({ name, type }): PreviewColumn => {
    const isMoment = /^(Timestamp|Date)/.test(type);
    const isNumber = /^(Ui|I)nt|^Float|^Decimal/.test(type);
    const mayBeTime = isMoment || isNumber || /Utf8/.test(type);
    const kind = isMoment ? "moment" : isNumber ? "decimal" : "mixed";
    return { name, type: kind, timeShare: mayBeTime ? 1 : 0 };
  });
  return { format: "arrow", columns, rows: [], timeColumn: guessTime(columns) };
}

function typeOf(values: readonly unknown[]): PreviewColumn["type"] {
  const types = new Set(values.map(typeOfValue));
  if (types.size === 2 && types.has("integer") && types.has("decimal")) return "decimal";
  const [only] = types;
  return types.size > 1 ? "mixed" : (only ?? "string");
}

function typeOfValue(value: unknown): PreviewColumn["type"] {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "decimal";
  if (Array.isArray(value)) return "vector";
  return typeof value === "object" ? "set" : "string";
}

/** The server detects the unit that puts a number between 1990 and ten years ahead. */
const [secondsMin, secondsMax] = [Date.UTC(1990, 0) / 1_000, Date.now() / 1_000 + 315_569_520];
const unitsOfSecond = [1, 1e3, 1e6, 1e9];

/** Whether the server can read the value as a time, in some unit or zone. */
function isTime(value: unknown): boolean {
  if (isWrittenTime(value)) return true;
  const isNumber = typeof value === "number" || /^\d{9,20}(\.\d+)?$/.test(String(value));
  const number = isNumber ? Number(value) : Number.NaN;
  return unitsOfSecond.some((units) => {
    const seconds = number / units;
    return seconds >= secondsMin && seconds <= secondsMax;
  });
}

const writtenPattern =
  /^\d{4}([-/])\d{2}\1\d{2}([Tt ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?( ?([Zz]|[+-]\d{2}(:?\d{2})?))?)?$/;

const isWrittenTime = (value: unknown): boolean =>
  typeof value === "string" && writtenPattern.test(value);

/** Names of time columns, most likely first. */
const timeNames = ["time", "timestamp", "@timestamp", "ts", "datetime", "date", "created_at"];
/** `event_time`, `ts_ms`, `received.at`. */
const timeNamePattern = /(^|[^a-z])(time|timestamp|ts|datetime|date|at)([^a-z]?ms)?$/;

/** A column with a time name and mostly times; else one of written times, as a number may be an id. */
function guessTime(columns: readonly PreviewColumn[]): string | null {
  const candidates = columns.flatMap(({ name, type, timeShare }) => {
    const rank = timeRank(name);
    const isLikely = rank === null ? type === "moment" : timeShare >= 0.5;
    return isLikely ? [{ name, rank: rank ?? timeNames.length + 1 }] : [];
  });
  return candidates.toSorted((a, b) => a.rank - b.rank)[0]?.name ?? null;
}

/** The rank of the name among time names, best first; null: not a time name. */
function timeRank(name: string): number | null {
  const words = name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  const known = timeNames.indexOf(words);
  if (known >= 0) return known;
  return timeNamePattern.test(words) ? timeNames.length : null;
}

/** The cells of the first rows; the server decides their types. */
function readCsv(text: string): readonly Row[] {
  const { delimiter, headerStart } = findCsvStart(text);
  const records: (readonly string[])[] = [];
  for (let at = headerStart; at < text.length && records.length <= rowsMax; ) {
    const record = readCsvRecord(text, at, { delimiter, last: true });
    if (record === null) break;
    at = record.end;
    const { values, fault } = record;
    if (isCsvComment(record)) continue;
    if (fault === null && (values.length > 1 || values[0] !== "")) records.push(values);
  }
  const [head = [], ...rows] = records;
  const names = withoutEmptyEnd(head, 1);
  return rows.map((cells) =>
    Object.fromEntries(names.map((name, i) => [name, csvValue(cells[i] ?? "")])),
  );
}

/** The value of a cell: missing, a number, or text. */
function csvValue(cell: string): unknown {
  if (cell === "") return null;
  return /^-?\d{1,15}(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}
