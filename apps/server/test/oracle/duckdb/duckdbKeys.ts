import type { GroupBy, NumberBucket } from "@hadal/sdk";
import { bucketBounds, bucketStep, columnOfGroup, smallest } from "../query/groupKeys.js";
import { columnOf } from "../table/oracleTable.js";
import type { DuckDBTable } from "./duckdbTable.js";

/** The key of a group that is not one by time, over the rows of {@link explodedSql}. */
export function keySql(duckdb: DuckDBTable, by: Exclude<GroupBy, { time: string }>): string {
  const name = duckdb.column(columnOfGroup(by));
  if (typeof by !== "string" && "bucket" in by) return lowerBoundSql(duckdb, by, name);
  if (typeof by !== "string" && "element" in by) return elementName(name);
  const { type } = columnOf(duckdb.table, columnOfGroup(by));
  if (type === "int") return `${name}::HUGEINT`;
  return type === "string" ? name : `to_json(${name})::VARCHAR`;
}

/** The table with a column of single elements for every group by elements; rows without any are gone. */
export function explodedSql(duckdb: DuckDBTable, groupBy: readonly GroupBy[]): string {
  let source = "t";
  for (const by of groupBy) {
    if (typeof by === "string" || !("element" in by)) continue;
    const name = duckdb.column(by.element);
    const list = `CASE WHEN ${name} IS NULL THEN [NULL]::VARCHAR[] ELSE list_distinct(${name}) END`;
    source = `(SELECT *, unnest(${list}) AS ${elementName(name)} FROM ${source})`;
  }
  return source;
}

function elementName(name: string): string {
  return `${name}_element`;
}

function lowerBoundSql(duckdb: DuckDBTable, by: NumberBucket, name: string): string {
  const value = `${name}::HUGEINT`;
  const step = bucketStep(duckdb.table, by);
  if (step !== null) {
    const bound = `${value} - ((${value} % ${step}) + ${step}) % ${step}`;
    // `greatest` passes over NULL.
    return `CASE WHEN ${name} IS NOT NULL THEN greatest(${bound}, ${smallest}::HUGEINT) END`;
  }
  const bounds = [smallest, ...bucketBounds(duckdb.table, by)].toReversed();
  const cases = bounds.map((bound) => `WHEN ${value} >= ${bound}::HUGEINT THEN ${bound}::HUGEINT`);
  return `CASE ${cases.join(" ")} END`;
}
