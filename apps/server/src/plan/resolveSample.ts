import { limitDefault, type OrderBy, type Query, timeColumn, unitOfColumn } from "@hadal/sdk";
import type { FinishSampleColumn } from "./query/finishPlan.js";
import type { ResolvedSample, ResolvedSide, SampleOrder } from "./query/resolvedQuery.js";
import type { SplitQuery } from "./query/splitQuery.js";
import {
  describeColumn,
  findColumn,
  type SchemaColumn,
  type TableSchema,
  typeMismatch,
} from "./schema/tableSchema.js";

/** Raw rows instead of groups, newest first unless another order is asked for; with a comparison those of both sides. */
export function resolveSample(
  query: Query,
  table: TableSchema,
  sides: readonly ResolvedSide[],
): SplitQuery {
  const shown = shownColumns(query, table);
  const {
    columns: sampled,
    orders,
    newestFirst,
  } = orderedBy(
    query.orderBy ?? [],
    shown.filter((column) => column.name !== timeColumn),
    table,
  );
  const offset = query.offset ?? 0;
  const limit = offset + (query.limit ?? limitDefault);
  const sample: ResolvedSample = {
    columns: sampled.map(({ name, type, decimals }) => ({ name, type, decimals })),
    // One more than is shown says whether there are more.
    limit: limit + 1,
    newestFirst,
    ...(orders.length === 0 ? {} : { orders }),
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

interface OrderedColumns {
  /** Of each row: what is shown, and what it is ordered by. */
  readonly columns: readonly SchemaColumn[];
  /** None: by time alone. */
  readonly orders: readonly SampleOrder[];
  readonly newestFirst: boolean;
}

/** Newest first, unless another order is asked for; rows that tie there are so. */
function orderedBy(
  orderBy: readonly OrderBy[],
  shown: readonly SchemaColumn[],
  table: TableSchema,
): OrderedColumns {
  const [first] = orderBy;
  const newestFirst = first?.by !== timeColumn || first.desc === true;
  // Every row has a time.
  if (orderBy.length === 0 || (orderBy.length === 1 && first?.by === timeColumn)) {
    return { columns: shown, orders: [], newestFirst };
  }
  const columns = [...shown];
  const orders = orderBy.map(({ by, desc = false, nulls }, i): SampleOrder => {
    const path = `orderBy[${i}].by`;
    const column = findColumn(table, by, path);
    if (column.type === "set" || column.type === "vector") {
      const detail = `Column ${describeColumn(column)} has no order: order by its length, or by a text.`;
      throw typeMismatch(path, detail);
    }
    let columnIndex = columns.findIndex(({ name }) => name === by);
    if (columnIndex < 0) columnIndex = columns.push(column) - 1;
    return { columnIndex, desc, nullsFirst: nulls === undefined ? desc : nulls === "first" };
  });
  return { columns, orders, newestFirst };
}

/** A row without its time says little: it comes first unless it is placed elsewhere, or the query names what is shown. */
function shownColumns({ sampleView, show }: Query, table: TableSchema): readonly SchemaColumn[] {
  const all = sampleView?.columns ?? [...table.columns.keys()];
  const [names, list] = show === undefined ? [all, "sampleView.columns"] : [show, "show"];
  const isWhole = show !== undefined || names.includes(timeColumn);
  return [...new Set(isWhole ? names : [timeColumn, ...names])].map((name) => {
    const place = list === "show" ? all.indexOf(name) : names.indexOf(name);
    return findColumn(table, name, place < 0 ? list : `sampleView.columns[${place}]`);
  });
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
