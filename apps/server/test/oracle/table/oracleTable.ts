import { type ColumnType, timeColumn } from "@hadal/sdk";

/** A cell as the oracles know it: integers exact (decimals scaled), sets sorted by code point. Missing: null. */
export type OracleValue = bigint | string | readonly string[] | null;

export interface OracleColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly decimals: number;
  /** Values that a narrower type holds are sent as that type: numbers as numbers, lists of one element as the element. */
  readonly isSentNarrow?: boolean;
}

/** A row's present values by column name. */
export interface RowValues {
  get(name: string): Exclude<OracleValue, null> | undefined;
}

/** One row: its time and its values. */
export interface OracleRow {
  readonly timeMs: number;
  readonly values: RowValues;
}

export interface OracleTable {
  readonly name: string;
  /** Without the time. */
  readonly columns: readonly OracleColumn[];
  readonly rows: readonly OracleRow[];
  /** What was sent for rows whose values are in wider types here. */
  readonly sentAs?: ReadonlyMap<OracleRow, SentRow>;
}

export interface SentRow {
  readonly row: OracleRow;
  readonly columns: readonly OracleColumn[];
}

/** A value in the type that it was sent as. */
export interface SentValue {
  readonly type: ColumnType;
  readonly decimals: number;
  readonly value: Exclude<OracleValue, null>;
}

export function sentValue(value: Exclude<OracleValue, null>, column: OracleColumn): SentValue {
  const { type, decimals, isSentNarrow = false } = column;
  if (typeof value === "bigint") return { type, decimals, value };
  if (typeof value === "string") {
    if (!isSentNarrow || !isPlainNumber(value)) return { type: "string", decimals: 0, value };
    const own = value.includes(".") ? 6 : 0;
    return { type: "int", decimals: own, value: parseScaled(value, own) };
  }
  const [only] = value;
  return isSentNarrow && only !== undefined && value.length === 1
    ? sentValue(only, column)
    : { type, decimals: 0, value };
}

export function columnOf(table: OracleTable, name: string): OracleColumn {
  if (name === timeColumn) return { name, type: "int", decimals: 0 };
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column === undefined) throw new Error(`the oracle's table has no column ${name}`);
  return column;
}

/** A value of the row, its time included; undefined where it is missing. */
export function cellOf(row: OracleRow, name: string): Exclude<OracleValue, null> | undefined {
  return name === timeColumn ? BigInt(row.timeMs) : row.values.get(name);
}

/** The row as a line of NDJSON. Booleans were generated as the strings they are stored as, and so they stay. */
function rowAsJson(table: OracleTable, row: OracleRow): string {
  const parts = [`"time":${row.timeMs}`];
  for (const column of table.columns) {
    const value = row.values.get(column.name);
    if (value !== undefined)
      parts.push(`${JSON.stringify(column.name)}:${valueAsJson(value, column)}`);
  }
  return `{${parts.join(",")}}`;
}

export function tableAsNdjson(table: OracleTable, rows: readonly OracleRow[] = table.rows): string {
  return `${rows.map((row) => rowAsJson(table, row)).join("\n")}\n`;
}

function valueAsJson(value: Exclude<OracleValue, null>, column: OracleColumn): string {
  if (typeof value === "bigint") return printScaled(value, column.decimals);
  if (typeof value === "string") {
    return column.isSentNarrow === true && isPlainNumber(value) ? value : JSON.stringify(value);
  }
  const [only] = value;
  if (column.isSentNarrow === true && only !== undefined && value.length === 1) {
    return valueAsJson(only, column);
  }
  return column.type === "set" ? JSON.stringify({ $set: value }) : JSON.stringify(value);
}

/** Whether a number prints as just this text, so that it may be sent in its place. */
function isPlainNumber(text: string): boolean {
  return /^(0|-?[1-9]\d{0,8})$/.test(text) || /^-?(0|[1-9]\d{0,8})\.\d{0,5}[1-9]$/.test(text);
}

/** A scaled integer with its point back in place: (2345678, 6) is 2.345678; without trailing zeros. */
export function printScaled(value: bigint, decimals: number): string {
  if (decimals === 0) return value.toString();
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** A decimal number as written, also as JavaScript writes small ones (5e-7), scaled by 10^decimals; digits beyond are cut. */
export function parseScaled(text: string, decimals: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e-(\d+))?$/.exec(text);
  if (match === null) throw new Error(`${text} is not a decimal number`);
  const [, , whole = "", behind = "", shift = "0"] = match;
  const digits = whole.padStart(Number(shift) + 1, "0");
  const point = digits.length - Number(shift);
  const fraction = `${digits.slice(point)}${behind}`.slice(0, decimals).padEnd(decimals, "0");
  const magnitude = BigInt(`${digits.slice(0, point)}${fraction}`);
  return match[1] === "-" ? -magnitude : magnitude;
}

/** By code point, as UTF-8 bytes would compare; JavaScript's own order compares UTF-16 units and puts U+FFFF after surrogates. */
export function compareCodePoints(a: string, b: string): number {
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  for (;;) {
    const x = left.next();
    const y = right.next();
    if (x.done === true || y.done === true) {
      return (x.done === true ? 0 : 1) - (y.done === true ? 0 : 1);
    }
    const difference = (x.value.codePointAt(0) ?? 0) - (y.value.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
}
