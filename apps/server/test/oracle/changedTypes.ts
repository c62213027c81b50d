import type { ColumnType } from "@hadal/sdk";
import type { OracleColumn, OracleRow, OracleTable, OracleValue } from "./oracleTable.js";
import { compareCodePoints } from "./oracleTable.js";

type Value = Exclude<OracleValue, null>;

/** How a column's values are sent in one span of the table's rows: as another type, or not at all. */
interface Sent {
  readonly type: ColumnType;
  readonly decimals: number;
  /** What is sent for a value of the column's last type; undefined: nothing. */
  readonly value: (value: Value) => Value | undefined;
}

const nothing: Sent = { type: "int", decimals: 0, value: () => undefined };
const digits = (value: Value): bigint => BigInt(String(value).length);
const firstOf = (value: Value): string => (value as readonly string[])[0] ?? "none";

/** By column, how its values are sent in each span; columns and spans without a word are sent as they are. */
const spans: Readonly<Record<string, readonly (Sent | null)[]>> = {
  few: [{ type: "int", decimals: 0, value: digits }, null, null],
  many: [
    { type: "int", decimals: 6, value: (value) => digits(value) * 250_000n },
    { type: "int", decimals: 0, value: digits },
    null,
  ],
  "actor.login": [nothing, { type: "int", decimals: 0, value: digits }, null],
  price: [
    { type: "int", decimals: 0, value: (value) => (value as bigint) / 1_000_000n },
    null,
    nothing,
  ],
  features: [{ type: "string", decimals: 0, value: firstOf }, null, nothing],
  stack: [
    { type: "string", decimals: 0, value: firstOf },
    { type: "set", decimals: 0, value: (value) => distinct(value as readonly string[]) },
    null,
  ],
  small: [null, nothing, null],
  latency_us: [nothing, null, null],
  sample_rate: [null, null, nothing],
};
const spanCount = 3;

/** The table as it is sent, span after span, and what it holds in the end: every value in its column's last type. */
export function changingTypes(table: OracleTable): {
  readonly sent: readonly OracleTable[];
  readonly stored: OracleTable;
} {
  const rowsMax = Math.ceil(table.rows.length / spanCount);
  const sent = Array.from({ length: spanCount }, (_, span): OracleTable => {
    const rows = table.rows.slice(span * rowsMax, (span + 1) * rowsMax);
    return {
      name: table.name,
      columns: table.columns.map((column) => sentColumn(column, span)),
      rows: rows.map((row) => sentRow(row, table.columns, span)),
    };
  });
  const stored = sent.flatMap(({ columns, rows }) =>
    rows.map((row) => {
      const values = new Map<string, Value>();
      for (const [index, to] of table.columns.entries()) {
        const value = row.values.get(to.name);
        if (value !== undefined) values.set(to.name, widened(value, columns[index]!, to));
      }
      return { timeMs: row.timeMs, values };
    }),
  );
  return { sent, stored: { ...table, rows: stored } };
}

const sentAs = (name: string, span: number): Sent | null => spans[name]?.[span] ?? null;

function sentColumn(column: OracleColumn, span: number): OracleColumn {
  const { type, decimals } = sentAs(column.name, span) ?? column;
  return { name: column.name, type, decimals };
}

function sentRow(row: OracleRow, columns: readonly OracleColumn[], span: number): OracleRow {
  const values = new Map<string, Value>();
  for (const { name } of columns) {
    const value = row.values.get(name);
    const sent = sentAs(name, span);
    if (value !== undefined && sent !== nothing) values.set(name, sent?.value(value) ?? value);
  }
  return { timeMs: row.timeMs, values };
}

/** A value in a wider type: more digits behind the point, the text of a number, a list of one, a set in its order. */
function widened(value: Value, from: OracleColumn, to: OracleColumn): Value {
  if (typeof value === "bigint") {
    if (to.type === "int") return value * 10n ** BigInt(to.decimals - from.decimals);
    return widened(printed(value, from.decimals), { ...from, type: "string" }, to);
  }
  if (typeof value === "string") return to.type === "string" ? value : [value];
  return value;
}

function printed(value: bigint, decimals: number): string {
  return decimals === 0 ? String(value) : String(Number(value) / 10 ** decimals);
}

function distinct(list: readonly string[]): readonly string[] {
  return [...new Set(list)].sort(compareCodePoints);
}
