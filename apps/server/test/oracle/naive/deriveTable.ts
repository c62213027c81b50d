import type { DerivedColumn, Query } from "@hadal/sdk";
import type { OracleColumn, OracleRow, OracleTable } from "../table/oracleTable.js";
import { evaluateNaively, NaiveOverflow, scaleOf } from "./naiveExpression.js";

/** The table with a query's derived columns as if they had been stored; null when some row's value needs more than 64 bits. */
export function deriveTable(table: OracleTable, query: Query): OracleTable | null {
  const timeZone = query.timeZone ?? "UTC";
  let derived: OracleTable = table;
  for (const column of query.derive ?? []) {
    const next = addColumn(derived, column, timeZone);
    if (next === null) return null;
    derived = next;
  }
  return derived;
}

function addColumn(
  table: OracleTable,
  column: DerivedColumn,
  timeZone: string,
): OracleTable | null {
  if (!("expression" in column)) throw new Error("the oracle evaluates expressions only");
  const { as, expression } = column;
  const scope = { table, timeZone };
  let isString = true;
  const rows: OracleRow[] = [];
  try {
    for (const row of table.rows) {
      const value = evaluateNaively(expression, row, scope);
      if (typeof value === "object" && value !== null && "digits" in value) {
        isString = false;
        rows.push(withValue(row, as, value.digits));
      } else if (typeof value === "string" || typeof value === "boolean") {
        rows.push(withValue(row, as, String(value)));
      } else if (value === null) rows.push(row);
      else throw new Error("a derived column holds no lists");
    }
  } catch (error) {
    if (error instanceof NaiveOverflow) return null;
    throw error;
  }
  const added: OracleColumn = isString
    ? { name: as, type: "string", decimals: 0 }
    : { name: as, type: "int", decimals: scaleOf(expression, scope) };
  return { ...table, columns: [...table.columns, added], rows };
}

function withValue({ timeMs, values }: OracleRow, as: string, value: bigint | string): OracleRow {
  return { timeMs, values: { get: (name) => (name === as ? value : values.get(name)) } };
}
