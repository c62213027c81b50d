import type { ColumnType } from "@hadal/sdk";
import type { OracleColumn, OracleRow, OracleTable, OracleValue, SentRow } from "./oracleTable.js";
import { compareCodePoints, sentValue } from "./oracleTable.js";
import { widened } from "./seenTable.js";

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

/** The table as it is sent, span after span, and what it holds in the end: every value in its column's widest type. */
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
  const sentAs = new Map<OracleRow, SentRow>();
  const stored = sent.flatMap(({ columns, rows }) =>
    rows.map((row) => {
      const values = new Map<string, Value>();
      for (const [index, to] of table.columns.entries()) {
        const value = row.values.get(to.name);
        if (value === undefined) continue;
        values.set(to.name, widened(sentValue(value, columns[index]!), to));
      }
      const whole = { timeMs: row.timeMs, values };
      sentAs.set(whole, { row, columns });
      return whole;
    }),
  );
  return { sent, stored: { ...table, rows: stored, sentAs } };
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

function distinct(list: readonly string[]): readonly string[] {
  return [...new Set(list)].sort(compareCodePoints);
}
