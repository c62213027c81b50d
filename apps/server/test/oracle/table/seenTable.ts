import type { ColumnType, Query } from "@hadal/sdk";
import { resolveQuery } from "../../../src/aggregate/function/resolveQuery.js";
import type { FormsInRange, TimeSpan } from "../../../src/base/row/columnTypes.js";
import {
  type ColumnForms,
  isWider,
  typesByWidth,
  widestType,
} from "../../../src/base/row/columnTypes.js";
import { createTableSchema, type TableSchema } from "../../../src/plan/schema/tableSchema.js";
import { bindTo } from "../../../src/query/bind/bindTo.js";
import {
  type OracleColumn,
  type OracleRow,
  type OracleTable,
  type OracleValue,
  printScaled,
  type SentValue,
  sentValue,
} from "./oracleTable.js";

type Value = Exclude<OracleValue, null>;

/** Which columns a question is bound to: those that it names, or all. */
export type ReadColumns = "named" | "all";

/** The table with its columns in the types that a query sees, by the values that were sent in its time range. */
export async function seenTable(
  table: OracleTable,
  query: Query,
  reads: ReadColumns = "named",
): Promise<OracleTable> {
  const derived = new Set(query.derive?.map(({ as }) => as));
  const stored = table.columns.filter(({ name }) => !derived.has(name));
  const mixed = new Map<string, ColumnForms>();
  for (const column of stored) {
    const { forms } = sentColumn(table, column);
    if (forms.types.length > 1) mixed.set(column.name, forms);
  }
  if (mixed.size === 0) return table;
  const wide = stored.map((column) => {
    const forms = mixed.get(column.name);
    return forms === undefined ? column : { ...column, type: widestType(forms) };
  });
  const schema = createTableSchema(table.name, wide, { mixed });
  const { columns } = await bindTo<TableSchema & { resolved: ReturnType<typeof resolveQuery> }>(
    {
      ...{ table: table.name, asked: query },
      bind: (bound) => ({ ...bound, resolved: resolveQuery(query, bound, 0) }),
      rowsOf: ({ resolved: { resolved } }) =>
        reads === "all" ? { sides: resolved.sides } : resolved,
    },
    {
      schema: async () => schema,
      refresh: async () => {},
      forms: async (_, names, ranges) => names.map((name) => formsInRange(table, name, ranges)),
    },
  );
  const seen = table.columns.map((column): OracleColumn => {
    const { type, decimals } = columns.get(column.name) ?? column;
    return { ...column, type, decimals };
  });
  return { ...table, columns: seen, rows: seenRows(table, seen) };
}

/** What was sent for each row of a table in one column, and in which forms. */
interface SentColumn {
  readonly values: readonly (SentValue | null)[];
  readonly forms: ColumnForms;
}

/** A test asks many queries of one table, so each of its columns is read once. */
const sentColumns = new WeakMap<OracleTable, Map<string, SentColumn>>();

function sentColumn(table: OracleTable, column: OracleColumn): SentColumn {
  const known = sentColumns.get(table) ?? new Map<string, SentColumn>();
  sentColumns.set(table, known);
  let sent = known.get(column.name);
  if (sent === undefined) {
    const values = table.rows.map((row) => sentOf(table, row, column));
    sent = { values, forms: formsOf(values) };
    known.set(column.name, sent);
  }
  return sent;
}

function sentOf(table: OracleTable, row: OracleRow, column: OracleColumn): SentValue | null {
  const sent = table.sentAs?.get(row) ?? { row, columns: table.columns };
  const own = sent.columns.find(({ name }) => name === column.name);
  const value = sent.row.values.get(column.name);
  return value === undefined || own === undefined ? null : sentValue(value, own);
}

function formsOf(values: readonly (SentValue | null)[]): ColumnForms {
  const types = new Set<ColumnType>();
  let decimals = 0;
  for (const sent of values) {
    if (sent === null) continue;
    types.add(sent.type);
    decimals = Math.max(decimals, sent.decimals);
  }
  const held = typesByWidth.filter((type) => types.has(type));
  return { types: held, decimals, decimalsMax: 18 };
}

function formsInRange(table: OracleTable, name: string, ranges: readonly TimeSpan[]): FormsInRange {
  const isAsked = ({ timeMs }: OracleRow): boolean =>
    ranges.some(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs);
  const column = table.columns.find((one) => one.name === name)!;
  const { values } = sentColumn(table, column);
  const { types } = formsOf(values.filter((_, index) => isAsked(table.rows[index]!)));
  return { column: name, types, numbers: null };
}

/** The rows with each column's values in its type; what was sent in a wider type is missing. */
function seenRows(table: OracleTable, columns: readonly OracleColumn[]): OracleRow[] {
  const seen = new Map(
    columns.map((column) => {
      const { values } = sentColumn(table, column);
      const valueAt = (index: number): Value | undefined => {
        const sent = values[index] ?? null;
        return sent === null || isWider(sent.type, column.type) ? undefined : widened(sent, column);
      };
      return [column.name, valueAt];
    }),
  );
  return table.rows.map(({ timeMs }, index) => ({
    timeMs,
    values: { get: (name) => seen.get(name)?.(index) },
  }));
}

/** A value in a wider type: more digits behind the point, the text of a number, a list of one, a set in its order. */
export function widened({ type, value, decimals }: SentValue, to: OracleColumn): Value {
  if (type === to.type && decimals === to.decimals) return value;
  if (typeof value === "bigint") {
    if (to.type === "int") return value * 10n ** BigInt(to.decimals - decimals);
    return widened({ value: printScaled(value, decimals), type: "string", decimals: 0 }, to);
  }
  if (typeof value === "string") return to.type === "string" ? value : [value];
  return value;
}
