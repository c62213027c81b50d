import {
  bigintAsText,
  type CsvColumnType,
  decimalsMax,
  printCompletenessLine,
  printCsvTypes,
  type Result,
  type ResultColumn,
  type ResultType,
  type ResultValue,
  sampleRateColumn,
} from "@hadal/sdk";

/**
 * A result as CSV that can be imported again: times in ISO-8601, numbers with all their digits, error bars as columns
 * beside theirs. Comments after the rows describe the rest; `types` is for `?types=` of an import.
 */
export function printCsv(result: Result): string {
  const columns = csvColumns(result);
  const line = (cell: (column: CsvColumn) => string): string => columns.map(cell).join(",");
  const lines = [
    line(({ name }) => quote(name)),
    ...result.rows.map((_, row) => line(({ type, valueAt }) => printCell(valueAt(row), type))),
    ...commentsOf(result, typesOf(columns, result.rows.length)).map((text) => `# ${text}`),
  ];
  return lines.map((text) => `${text}\r\n`).join("");
}

interface CsvColumn {
  readonly name: string;
  readonly type: ResultType;
  readonly decimals: number;
  valueAt(row: number): ResultValue;
}

/** Columns of the result, each followed by the ends of its error bars if it has any. */
function csvColumns({ columns, rows, intervals }: Result): readonly CsvColumn[] {
  const taken = new Set(columns.map(({ name }) => name));
  return columns.flatMap((column: ResultColumn, index): readonly CsvColumn[] => {
    const { name, type, decimals = 0 } = column;
    const valueAt = (row: number): ResultValue => rows[row]?.[index] ?? null;
    const bars = Object.hasOwn(intervals, name) ? intervals[name] : undefined;
    const ends = (["low", "high"] as const).map(
      (end, at): CsvColumn => ({
        name: `${name}.${end}`,
        type: "float",
        decimals: 0,
        valueAt: (row) => bars?.[row]?.[at] ?? null,
      }),
    );
    const hasBars = bars?.some((bar) => bar !== null) === true;
    return [
      { name, type, decimals, valueAt },
      ...(hasBars ? ends.map((end) => ({ ...end, name: freeName(end.name, taken) })) : []),
    ];
  });
}

/** Column names must be unique: an import refuses duplicates. */
function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}.${number}`;
  taken.add(name);
  return name;
}

function printCell(value: ResultValue, type: ResultType): string {
  if (value === null) return "";
  if (typeof value === "object") return quote(JSON.stringify(value, bigintAsText));
  if (type === "time" && typeof value === "number") return printTime(value);
  const text = String(value);
  return isNumeric(type) || type === "time" ? text : quote(text);
}

const isNumeric = (type: ResultType): boolean =>
  type === "int" || type === "decimal" || type === "float";

/** Milliseconds where the year is beyond the range of a Date. */
function printTime(ms: number): string {
  const date = new Date(ms);
  return Number.isInteger(ms) && !Number.isNaN(date.getTime()) ? date.toISOString() : String(ms);
}

/** Quotes empty texts, which would be missing without quotes, and texts that would parse as a number or a comment. */
function quote(text: string): string {
  const isPlain = text !== "" && !/[",\r\n]|^[\s#\d.+\-−]|\s$/.test(text);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

function commentsOf(
  { completeness, asOf, truncated, lowerBounds, coverage }: Result,
  types: string,
): readonly string[] {
  return [
    `completeness: ${printCompletenessLine(completeness)}`,
    `as of ${new Date(asOf).toISOString()}`,
    ...Object.entries({ truncated, lowerBounds, coverage }).flatMap(([name, value]) =>
      value == null ? [] : [`${name}: ${JSON.stringify(value)}`],
    ),
    ...(types === "" ? [] : [`types: ${types}`]),
  ];
}

/** Column types for an import. Times and sample rates need no type. */
function typesOf(columns: readonly CsvColumn[], rowCount: number): string {
  return printCsvTypes(
    columns.flatMap((column): readonly [string, CsvColumnType][] =>
      column.type === "time" || column.name === sampleRateColumn
        ? []
        : [[column.name, importType(column, rowCount)]],
    ),
  );
}

function importType({ type, decimals, valueAt }: CsvColumn, rowCount: number): CsvColumnType {
  if (type === "set" || type === "vector") return type;
  if (!isNumeric(type)) return "string";
  if (type === "decimal") return `decimal(${decimals})`;
  let digits = 0;
  let largest = 0;
  for (let row = 0; row < rowCount; row++) {
    const value = valueAt(row);
    if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value) return "string";
    if (value === null) continue;
    digits = Math.max(digits, fractionDigits(Number(value)));
    largest = Math.max(largest, Math.abs(Number(value)));
  }
  if (type === "int") return "integer";
  return `decimal(${Math.min(digits, decimalsMax, storableDigits(largest))})`;
}

/** Digits after the point of a printed number: 3 for 1.5e-2. */
function fractionDigits(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (mantissa.split(".")[1]?.length ?? 0) - Number(exponent));
}

/** The number of digits after the point with which the number still fits 64 bits. */
function storableDigits(largest: number): number {
  let digits = decimalsMax;
  while (digits > 0 && largest * 10 ** digits >= 2 ** 63) digits--;
  return digits;
}
