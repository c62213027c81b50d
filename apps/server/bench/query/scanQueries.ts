import { outlierLeast } from "../table/readingTables.js";
import {
  all29h,
  type BenchQuery,
  count,
  exactly,
  inside,
  last3h,
  lastHour,
  type Range,
  sameSql,
  sum,
  timeoutMs,
  within,
} from "./benchQuery.js";

// Nearly all rows pass, and no zone map and no aggregate of a segment can decide: one more than the smallest value, 0, which
// every segment has (2.5 % of the rows do).
export const forced = { column: "bytes", op: ">=", value: 1 } as const;
/** A twentieth of the rows, all over the table. */
const manyBytes = 51_443;

function scubaScan(name: string, range: Range): BenchQuery {
  return {
    name,
    query: {
      ...{ table: "events", ...range, timeoutMs },
      aggregates: [count, sum("bytes"), sum("latency_us")],
    },
    columns: exactly("count", "sum_bytes", "sum_latency_us"),
    ...sameSql(`SELECT count(*), sum(bytes), sum(latency_us) FROM events WHERE ${within(range)}`),
    polars: `events.filter(${inside(range)}).select(pl.len(), c.bytes.cast(pl.Int64).sum(), c.latency_us.cast(pl.Int64).sum())`,
  };
}

export const fullScan: BenchQuery = {
  name: "full-scan",
  query: {
    ...{ table: "events", ...all29h, filter: [forced], timeoutMs },
    aggregates: [count, sum("bytes"), sum("latency_us")],
  },
  columns: exactly("count", "sum_bytes", "sum_latency_us"),
  ...sameSql(
    `SELECT count(*), sum(bytes), sum(latency_us) FROM events WHERE ${within(all29h)} AND bytes >= 1`,
  ),
  polars: `events.filter(${inside(all29h)}, c.bytes >= 1).select(pl.len(), c.bytes.cast(pl.Int64).sum(), c.latency_us.cast(pl.Int64).sum())`,
};

/** Every row stands for as many as its sample rate says. */
function weightedScan(name: string, isForced: boolean): BenchQuery {
  const condition = isForced ? " AND bytes >= 1" : "";
  const sql = (product: (column: string) => string): string =>
    `SELECT sum(sample_rate), sum(${product("bytes")}), sum(${product("latency_us")}) FROM sampled_events WHERE ${within(all29h)}${condition}`;
  return {
    name,
    query: {
      ...{ table: "sampled_events", ...all29h, timeoutMs },
      ...(isForced ? { filter: [forced] } : {}),
      aggregates: [count, sum("bytes"), sum("latency_us")],
    },
    columns: exactly("count", "sum_bytes", "sum_latency_us"),
    duckdb: sql((column) => `${column}::BIGINT * sample_rate`),
    clickhouse: sql((column) => `toInt64(${column}) * sample_rate`),
    polars: `sampled_events.filter(${inside(all29h)}${isForced ? ", c.bytes >= 1" : ""}).select(c.sample_rate.cast(pl.Int64).sum(), (c.bytes.cast(pl.Int64) * c.sample_rate).sum().alias("b"), (c.latency_us.cast(pl.Int64) * c.sample_rate).sum().alias("l"))`,
  };
}

const filterUnsorted: BenchQuery = {
  name: "filter-unsorted",
  query: {
    ...{ table: "events", ...all29h, timeoutMs },
    filter: [{ column: "bytes", op: ">=", value: manyBytes }],
    aggregates: [count, sum("latency_us")],
  },
  columns: exactly("count", "sum_latency_us"),
  ...sameSql(
    `SELECT count(*), sum(latency_us) FROM events WHERE ${within(all29h)} AND bytes >= ${manyBytes}`,
  ),
  polars: `events.filter(${inside(all29h)}, c.bytes >= ${manyBytes}).select(pl.len(), c.latency_us.cast(pl.Int64).sum())`,
};

const sampleColumns = ["time", "service", "endpoint", "status", "latency_us", "bytes", "user_id"];
const sampleRows = 100;

const samples: BenchQuery = {
  name: "samples",
  query: {
    ...{ table: "events", ...lastHour, limit: sampleRows, timeoutMs },
    sampleView: { columns: sampleColumns },
    filter: [{ column: "status", op: "=", value: 500 }],
  },
  columns: exactly(...sampleColumns),
  tiedBy: "time",
  ...sameSql(
    `SELECT ${sampleColumns.join(", ")} FROM events WHERE ${within(lastHour)} AND status = 500 ORDER BY time DESC LIMIT ${sampleRows}`,
  ),
  polars: `events.filter(${inside(lastHour)}, c.status == 500).top_k(${sampleRows}, by="time").sort("time", descending=True).select(${JSON.stringify(sampleColumns)})`,
};

const needle: BenchQuery = {
  name: "needle",
  query: {
    ...{ table: "readings", ...all29h, limit: sampleRows, timeoutMs },
    sampleView: { columns: ["time", "series", "temperature"] },
    filter: [{ column: "temperature", op: ">=", value: outlierLeast }],
  },
  columns: exactly("time", "series", "temperature"),
  ...sameSql(
    `SELECT time, series, temperature FROM readings WHERE ${within(all29h)} AND temperature >= ${outlierLeast}`,
  ),
  polars: `readings.filter(${inside(all29h)}, c.temperature >= ${outlierLeast}).select("time", "series", "temperature")`,
};

/** Few numbers or few rows out of many. */
export const scanQueries: readonly BenchQuery[] = [
  scubaScan("scuba-scan-3h", last3h),
  scubaScan("scuba-scan-29h", all29h),
  fullScan,
  weightedScan("scuba-sampled-29h", false),
  weightedScan("weighted-scan", true),
  filterUnsorted,
  samples,
  needle,
];
