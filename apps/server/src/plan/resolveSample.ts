import { limitDefault, type Query, timeColumn, unitOfColumn } from "@hadal/sdk";
import type { FinishSampleColumn } from "./finishPlan.js";
import type { ResolvedSample, ResolvedSide } from "./resolvedQuery.js";
import type { SplitQuery } from "./splitQuery.js";
import { findColumn, type SchemaColumn, type TableSchema, unsupported } from "./tableSchema.js";

/** Raw rows instead of groups, newest first unless time ascending is asked for. */
export function resolveSample(query: Query, table: TableSchema, main: ResolvedSide): SplitQuery {
  if (query.compare !== undefined && query.compare !== null) {
    throw unsupported("compare", "Comparing raw rows", "Leave out compare or sampleView.");
  }
  const [order, ...others] = query.orderBy ?? [];
  if (others.length > 0 || (order !== undefined && order.by !== timeColumn)) {
    throw unsupported("orderBy", "Ordering raw rows by a column other than time", "");
  }
  const names = query.sampleView?.columns ?? [...table.columns.keys()];
  // A row without its time says little: it comes first unless it is placed elsewhere.
  const shown = [...new Set(names.includes(timeColumn) ? names : [timeColumn, ...names])].map(
    (name) => findColumn(table, name, `sampleView.columns[${names.indexOf(name)}]`),
  );
  const sampled = shown.filter((column) => column.name !== timeColumn);
  const offset = query.offset ?? 0;
  const limit = offset + (query.limit ?? limitDefault);
  const sample: ResolvedSample = {
    columns: sampled.map(({ name, type, decimals }) => ({ name, type, decimals })),
    // One more than is shown tells whether there were more.
    limit: limit + 1,
    newestFirst: order === undefined || order.desc === true,
  };
  return {
    resolved: {
      table: table.name,
      sides: [main],
      groupBy: [],
      states: [],
      sample,
      cut: { max: sample.limit, bySeries: false, ranks: [] },
    },
    finish: {
      groups: [],
      aggregates: [],
      orders: [],
      defaultOrder: true,
      having: [],
      limit,
      offset,
      series: null,
      sample: { columns: shown.map((column) => finishColumn(column, sampled)) },
    },
  };
}

function finishColumn(column: SchemaColumn, sampled: readonly SchemaColumn[]): FinishSampleColumn {
  const { name, type, decimals } = column;
  const unit = unitOfColumn(name);
  if (name === timeColumn) return { name, type: "time", decimals: 0, unit, sampleIndex: null };
  const sampleIndex = sampled.indexOf(column);
  if (type !== "int") return { name, type, decimals: 0, unit: undefined, sampleIndex };
  return { name, type: decimals > 0 ? "decimal" : "int", decimals, unit, sampleIndex };
}
