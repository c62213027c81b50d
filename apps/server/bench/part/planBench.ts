import { isDeepStrictEqual } from "node:util";
import { parseSql, printSql } from "@hadal/sdk/sql";
import { resolveQuery } from "../../src/aggregate/function/resolveQuery.js";
import { median } from "../../src/base/number/median.js";
import { cellsOf } from "../../src/base/row/sparseColumn.js";
import { createTableSchema, type TableSchema } from "../../src/plan/schema/tableSchema.js";
import { exampleFunctions } from "../../src/registry/document/exampleFunctions.js";
import type { BenchQuery } from "../query/benchQuery.js";
import type { BenchResult } from "../report/benchReport.js";
import { type BenchTable, endMs } from "../table/benchTable.js";

/** The first ones run in the baseline compiler. */
const warmUpRuns = 200;
const runs = 201;

const functions = new Map(exampleFunctions.map((one) => [one.name, one]));

/** Every question of the bench as SQL: read, checked and bound to its table. The time is that of the one that takes longest. */
export function benchPlanning(
  name: string,
  queries: readonly BenchQuery[],
  tables: readonly BenchTable[],
): BenchResult {
  const schemas = new Map(tables.map((table) => [table.name, schemaOf(table)]));
  const wrong: string[] = [];
  const times = queries.flatMap(({ name: asked, query }) => {
    const schema = schemas.get(query.table);
    if (schema === undefined) return [];
    const text = printSql(query);
    const plan = () => resolveQuery(parseSql(text), schema, endMs, functions);
    if (!isDeepStrictEqual(plan(), resolveQuery(query, schema, endMs, functions))) {
      wrong.push(asked);
    }
    return [{ asked, bytes: text.length, ms: timeOf(plan) }];
  });
  const slowest = times.reduce((most, one) => (one.ms > most.ms ? one : most));
  const typical = median(times.map(({ ms }) => ms));
  const faults = wrong.length === 0 ? "" : `; not what was asked: ${wrong.join(", ")}`;
  return {
    ...{ query: name, hadalMs: slowest.ms, peers: {}, ratio: null },
    ...{ bytesScanned: slowest.bytes, checked: wrong.length === 0 },
    note: `parsing and resolving ${times.length} queries: ${slowest.asked} takes longest, half of them take less than ${typical.toFixed(2)} ms${faults}`,
  };
}

function timeOf(plan: () => unknown): number {
  for (let run = 0; run < warmUpRuns; run++) plan();
  const times = Array.from({ length: runs }, () => {
    const startedMs = performance.now();
    plan();
    return performance.now() - startedMs;
  });
  return median(times);
}

function schemaOf({ name, rows }: BenchTable): TableSchema {
  const { columns } = rows(0, 1, 1);
  return createTableSchema(
    name,
    columns.map(cellsOf).map(({ name: column, type }) => ({ name: column, type, decimals: 0 })),
  );
}
