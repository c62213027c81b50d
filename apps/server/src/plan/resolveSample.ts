import { limitDefault, type Query, timeColumn, unitOfColumn } from "@hadal/sdk";
import type { FinishSampleColumn } from "./finishPlan.js";
import type { ResolvedSample, ResolvedSide } from "./resolvedQuery.js";
import type { SplitQuery } from "./splitQuery.js";
import { findColumn, type SchemaColumn, type TableSchema, unsupported } from "./tableSchema.js";

/** Raw rows instead of groups, newest first unless time ascending is asked for; with a comparison those of both sides. */
export function resolveSample(
  query: Query,
  table: TableSchema,
  sides: readonly ResolvedSide[],
): SplitQuery {
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
      sides,
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
      show: null,
      sample: {
        sideName:
          sides.length > 1 ? freeName("side", new Set(shown.map(({ name }) => name))) : null,
        columns: shown.map((column) => finishColumn(column, sampled)),
      },
    },
  };
}

/** A column of the table keeps its name: the other one gets underscores in front until it differs. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`_${name}`, taken) : name;
}

function finishColumn(column: SchemaColumn, sampled: readonly SchemaColumn[]): FinishSampleColumn {
  const { name, type, decimals } = column;
  const unit = unitOfColumn(name);
  if (name === timeColumn) return { name, type: "time", decimals: 0, unit, sampleIndex: null };
  const sampleIndex = sampled.indexOf(column);
  if (type !== "int") return { name, type, decimals: 0, unit: undefined, sampleIndex };
  return { name, type: decimals > 0 ? "decimal" : "int", decimals, unit, sampleIndex };
}
