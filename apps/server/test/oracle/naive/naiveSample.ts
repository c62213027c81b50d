import type { Query } from "@hadal/sdk";
import { limitDefault } from "@hadal/sdk";
import { type Side, sidesOf } from "../query/scope.js";
import type { OracleTable, OracleValue } from "../table/oracleTable.js";
import { matchedRows } from "./naiveEngine.js";

/** Raw rows: their times and the asked columns. All that match, in no order; the limit is the comparison's. */
export interface SampleAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly SampleRow[];
  readonly newestFirst: boolean;
  readonly limit: number;
}

export interface SampleRow {
  readonly timeMs: number;
  /** Aligned with the columns. */
  readonly values: readonly OracleValue[];
}

/** One answer a side. */
export function sampleNaively(table: OracleTable, query: Query): readonly SampleAnswer[] {
  return sidesOf(query).map((side) => sideSample(table, query, side));
}

function sideSample(table: OracleTable, query: Query, side: Side): SampleAnswer {
  const columns = sampleColumns(table, query);
  const rows = matchedRows(table, side);
  return {
    columns,
    rows: rows.map((row) => ({
      timeMs: row.timeMs,
      values: columns.map((column) => row.values.get(column) ?? null),
    })),
    newestFirst: query.orderBy?.[0] === undefined || query.orderBy[0].desc === true,
    limit: query.limit ?? limitDefault,
  };
}

export function sampleColumns(table: OracleTable, query: Query): readonly string[] {
  return query.sampleView?.columns ?? table.columns.map((column) => column.name);
}
