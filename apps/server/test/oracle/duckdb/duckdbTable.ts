import type { DuckDBConnection } from "@duckdb/node-api";
import { DuckDBInstance, LIST, listValue, VARCHAR } from "@duckdb/node-api";
import { timeColumn } from "@hadal/sdk";
import type { OracleColumn, OracleTable, OracleValue } from "../table/oracleTable.js";

/** A table of the oracle, loaded into DuckDB: time, c0 … cN in the order of its columns, and the weight. */
export interface DuckDBTable {
  readonly table: OracleTable;
  readonly connection: DuckDBConnection;
  /** Name of a column there. */
  readonly column: (name: string) => string;
  readonly close: () => void;
}

export async function loadDuckDB(table: OracleTable): Promise<DuckDBTable> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const columns = table.columns.map((column, index) => `c${index} ${sqlType(column)}`);
  await connection.run(`CREATE TABLE t (${["time BIGINT", ...columns].join(", ")})`);
  const appender = await connection.createAppender("t");
  for (const row of table.rows) {
    appender.appendBigInt(BigInt(row.timeMs));
    for (const column of table.columns) appendCell(row.values.get(column.name) ?? null);
    appender.endRow();
  }
  appender.closeSync();
  function appendCell(value: OracleValue): void {
    if (value === null) appender.appendNull();
    else if (typeof value === "bigint") appender.appendBigInt(value);
    else if (typeof value === "string") appender.appendVarchar(value);
    else appender.appendList(listValue([...value]), LIST(VARCHAR));
  }
  return {
    table,
    connection,
    column: (name) => columnName(table, name),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Names of users' columns stay out of the SQL: DuckDB folds their case. */
function columnName(table: OracleTable, name: string): string {
  if (name === timeColumn) return name;
  const index = table.columns.findIndex((column) => column.name === name);
  if (index < 0) throw new Error(`the oracle's table has no column ${name}`);
  return `c${index}`;
}

function sqlType(column: OracleColumn): string {
  if (column.type === "int") return "BIGINT";
  return column.type === "string" ? "VARCHAR" : "VARCHAR[]";
}

export function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
