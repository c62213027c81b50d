/** What a text of rows is, as far as its beginning tells. The server reads it with care; this is for people to look at. */
export interface Preview {
  readonly format: BodyFormat;
  readonly columns: readonly PreviewColumn[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The column that looks most like the time of the rows; null: none does. */
  readonly timeColumn: string | null;
}

export type BodyFormat = "ndjson" | "json" | "csv";

export const contentTypes: Readonly<Record<BodyFormat, string>> = {
  ndjson: "application/x-ndjson",
  json: "application/json",
  csv: "text/csv",
};

export interface PreviewColumn {
  readonly name: string;
  readonly type: "integer" | "decimal" | "string" | "set" | "vector" | "mixed";
  /** Every value there is can be read as a time. */
  readonly isTime: boolean;
}

const rowsMax = 50;

/** Throws an Error that says what is wrong where the text holds no rows at all. */
export function readPreview(text: string): Preview {
  const format = formatOf(text);
  const rows = readRows(text, format).slice(0, rowsMax).map(flatten);
  if (rows.length === 0) throw new Error("There is no row in it.");
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name): PreviewColumn => {
    const values = rows.flatMap((row) => (row[name] == null ? [] : [row[name]]));
    return { name, type: typeOf(values), isTime: values.length > 0 && values.every(isTime) };
  });
  return { format, columns, rows, timeColumn: guessTime(columns) };
}

function formatOf(text: string): BodyFormat {
  const start = text.trimStart();
  if (start.startsWith("[")) return "json";
  if (!start.startsWith("{")) return "csv";
  // One object over several lines is JSON; an object in the first line is one of many.
  const line = start.slice(0, Math.max(0, start.indexOf("\n")) || start.length).trim();
  return isJson(line) || line.length > 100_000 ? "ndjson" : "json";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type Row = Readonly<Record<string, unknown>>;

function readRows(text: string, format: BodyFormat): readonly Row[] {
  if (format === "csv") return readCsv(text);
  if (format === "ndjson") {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines
      .slice(0, rowsMax)
      .flatMap((line) => (isJson(line) ? rowsOf(JSON.parse(line)) : []));
  }
  return rowsOf(parseStart(text));
}

/** The beginning of a long list may end within a row: it is cut back to the last whole one. */
function parseStart(text: string): unknown {
  if (isJson(text)) return JSON.parse(text);
  for (let end = text.lastIndexOf("}"); end > 0; end = text.lastIndexOf("}", end - 1)) {
    const whole = `${text.slice(0, end + 1)}]`;
    if (isJson(whole)) return JSON.parse(whole);
  }
  throw new Error("It starts like JSON, but is none.");
}

function rowsOf(value: unknown): readonly Row[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter(
    (row): row is Row => typeof row === "object" && row !== null && !Array.isArray(row),
  );
}

/** Objects become columns with dots, as the server makes them. */
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

/** What the server reads as a time: milliseconds, or ISO-8601 with a zone. */
function isTime(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && value >= 1e11;
  return (
    typeof value === "string" &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(value)
  );
}

const timeNames = ["time", "timestamp", "@timestamp", "ts", "datetime", "date", "created_at"];

function guessTime(columns: readonly PreviewColumn[]): string | null {
  const times = columns.filter((column) => column.isTime);
  const rank = ({ name }: PreviewColumn): number => {
    const at = timeNames.indexOf(name.toLowerCase());
    return at < 0 ? timeNames.length : at;
  };
  return times.toSorted((a, b) => rank(a) - rank(b))[0]?.name ?? null;
}

function readCsv(text: string): readonly Row[] {
  const [head = [], ...records] = csvRecords(text, rowsMax + 1);
  return records.map((record) =>
    Object.fromEntries(
      head.flatMap((name, i) => {
        const cell = record[i];
        return cell === undefined || cell === "" ? [] : [[name, csvValue(cell)]];
      }),
    ),
  );
}

/** Numbers stand bare in CSV. */
function csvValue(cell: string): unknown {
  return /^-?\d{1,15}(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}

/** Records of RFC 4180: quoted cells may hold commas, line ends and doubled quotes. */
function csvRecords(text: string, recordsMax: number): readonly (readonly string[])[] {
  const records: string[][] = [];
  const cellPattern = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/gy;
  let record: string[] = [];
  for (const [whole, cell = "", end] of text.matchAll(cellPattern)) {
    record.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell.trim());
    if (end === ",") continue;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
    if (whole === "" || records.length >= recordsMax) break;
  }
  return records;
}
