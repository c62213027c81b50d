import type { Query } from "@hadal/sdk";
import { endMs, rangeMs, startMs, tableNames } from "./benchRows.js";

const { plain, weighted } = tableNames;
const hourMs = 3_600_000;
const last3h = { from: endMs - 3 * hourMs, to: endMs };
const all29h = { from: startMs, to: endMs };
/** The range holds two of these: what a week is elsewhere. */
const halfHours = Math.floor(rangeMs / hourMs / 2);
const timeoutMs = 60_000;

/** How the columns of both answers are compared, in DuckDB's order; Hadal's are found by name. */
export interface ComparedColumn {
  readonly name: string;
  /** Relative difference that the column may have; 0 = exact. */
  readonly within: number;
}

/** One question, asked of both. */
export interface BenchQuery {
  readonly name: string;
  readonly query: Query;
  readonly sql: string;
  readonly columns: readonly ComparedColumn[];
}

const sum = (column: string) => ({ fn: "sum", column }) as const;
const count = { fn: "count" } as const;
const p95 = { fn: "percentile", column: "latency_us", p: 95 } as const;
const exactly = (...names: string[]) => names.map((name) => ({ name, within: 0 }));
const p95Column = { name: "p95_latency_us", within: 0.01 };
// Something that no zone map and no aggregate of a segment can answer.
const forced = { column: "bytes", op: ">=", value: 1 } as const;

function whereTime({ from, to }: { from: number; to: number }): string {
  return `time >= ${from} AND time < ${to}`;
}

const minuteSql = "time // 60000 * 60000";
const threeColumns = ["service", "status", "endpoint"];

function scubaScan(name: string, range: typeof all29h): BenchQuery {
  const aggregates = [count, sum("bytes"), sum("latency_us")];
  return {
    name,
    query: { table: plain, ...range, aggregates, timeoutMs },
    sql: `SELECT count(*), sum(bytes), sum(latency_us) FROM ${plain} WHERE ${whereTime(range)}`,
    columns: exactly("count", "sum_bytes", "sum_latency_us"),
  };
}

function timeSeries(name: string, range: typeof all29h): BenchQuery {
  return {
    name,
    query: {
      ...{ table: plain, ...range, groupBy: [{ time: "1m" }, "service"], limit: 1800, timeoutMs },
      aggregates: [count, sum("bytes")],
      orderBy: [{ by: "sum_bytes", desc: true }],
    },
    sql: `SELECT ${minuteSql} AS minute, service, count(*), sum(bytes) AS total FROM ${plain} WHERE ${whereTime(range)} GROUP BY minute, service ORDER BY total DESC, minute, service LIMIT 1800`,
    columns: exactly("time", "service", "count", "sum_bytes"),
  };
}

export const benchQueries: readonly BenchQuery[] = [
  scubaScan("scuba-scan-3h", last3h),
  scubaScan("scuba-scan-29h", all29h),
  {
    name: "full-scan",
    query: {
      ...{ table: plain, ...all29h, filter: [forced], timeoutMs },
      aggregates: [count, sum("bytes"), sum("latency_us")],
    },
    sql: `SELECT count(*), sum(bytes), sum(latency_us) FROM ${plain} WHERE ${whereTime(all29h)} AND bytes >= 1`,
    columns: exactly("count", "sum_bytes", "sum_latency_us"),
  },
  {
    name: "weighted-scan",
    query: {
      ...{ table: weighted, ...all29h, filter: [forced], timeoutMs },
      aggregates: [count, sum("bytes"), sum("latency_us")],
    },
    sql: `SELECT sum(sample_rate), sum(bytes::BIGINT * sample_rate), sum(latency_us::BIGINT * sample_rate) FROM ${weighted} WHERE ${whereTime(all29h)} AND bytes >= 1`,
    columns: exactly("count", "sum_bytes", "sum_latency_us"),
  },
  timeSeries("time-series-3h", last3h),
  timeSeries("time-series-29h", all29h),
  {
    name: "filter-p95",
    query: {
      ...{ table: plain, ...all29h, groupBy: ["endpoint"], aggregates: [count, p95], timeoutMs },
      filter: [
        { column: "status", op: "=", value: 500 },
        { column: "service", op: "in", value: [3, 14, 15, 92, 65].map(serviceText) },
      ],
    },
    sql: `SELECT endpoint, count(*) AS n, quantile_disc(latency_us, 0.95) FROM ${plain} WHERE ${whereTime(all29h)} AND status = 500 AND service IN (${[3, 14, 15, 92, 65].map((service) => `'${serviceText(service)}'`).join(", ")}) GROUP BY endpoint ORDER BY n DESC, endpoint`,
    columns: [...exactly("endpoint", "count"), p95Column],
  },
  {
    name: "group-p95",
    query: {
      ...{ table: plain, ...all29h, groupBy: ["endpoint"], aggregates: [count, p95], timeoutMs },
    },
    sql: `SELECT endpoint, count(*) AS n, quantile_disc(latency_us, 0.95) FROM ${plain} WHERE ${whereTime(all29h)} GROUP BY endpoint ORDER BY n DESC, endpoint`,
    columns: [...exactly("endpoint", "count"), p95Column],
  },
  {
    name: "regex-by-minute",
    query: {
      ...{ table: plain, ...all29h, groupBy: [{ time: "1m" }], timeoutMs },
      filter: [{ column: "endpoint", op: "~", value: "^/api/v[12]/.*[37]$" }],
    },
    sql: `SELECT ${minuteSql} AS minute, count(*) FROM ${plain} WHERE ${whereTime(all29h)} AND regexp_matches(endpoint, '^/api/v[12]/.*[37]$') GROUP BY minute ORDER BY minute`,
    columns: exactly("time", "count"),
  },
  {
    name: "group-dense",
    query: { ...{ table: plain, ...all29h, groupBy: ["user_id"], limit: 100, timeoutMs } },
    sql: `SELECT user_id, count(*) AS n FROM ${plain} WHERE ${whereTime(all29h)} GROUP BY user_id ORDER BY n DESC, user_id LIMIT 100`,
    columns: exactly("user_id", "count"),
  },
  {
    name: "group-sparse",
    query: {
      ...{ table: weighted, ...all29h, groupBy: ["session"], limit: 100, timeoutMs },
      aggregates: [{ fn: "count.raw" }],
    },
    sql: `SELECT session, count(*) AS n FROM ${weighted} WHERE ${whereTime(all29h)} GROUP BY session ORDER BY n DESC, session LIMIT 100`,
    columns: exactly("session", "count.raw"),
  },
  {
    name: "top-series",
    query: {
      ...{ table: plain, ...all29h, groupBy: [{ time: "10m" }, "endpoint"], series: 10, timeoutMs },
    },
    sql: `WITH best AS (SELECT endpoint, row_number() OVER (ORDER BY count(*) DESC, endpoint) AS rank FROM ${plain} WHERE ${whereTime(all29h)} GROUP BY endpoint QUALIFY rank <= 10) SELECT bucket, endpoint, n FROM (SELECT time // 600000 * 600000 AS bucket, endpoint, count(*) AS n FROM ${plain} SEMI JOIN best USING (endpoint) WHERE ${whereTime(all29h)} GROUP BY bucket, endpoint) JOIN best USING (endpoint) ORDER BY bucket, rank`,
    columns: exactly("time", "endpoint", "count"),
  },
  weekOverWeek(),
  {
    name: "three-columns",
    query: {
      ...{ table: plain, ...all29h, groupBy: threeColumns, limit: 1000, timeoutMs },
      aggregates: [count, sum("bytes")],
    },
    sql: `SELECT ${threeColumns.join(", ")}, count(*) AS n, sum(bytes) FROM ${plain} WHERE ${whereTime(all29h)} GROUP BY ${threeColumns.join(", ")} ORDER BY n DESC, ${threeColumns.join(", ")} LIMIT 1000`,
    columns: exactly(...threeColumns, "count", "sum_bytes"),
  },
  {
    name: "samples",
    query: {
      ...{ table: plain, ...all29h, sampleView: {}, limit: 100, timeoutMs },
      filter: [{ column: "status", op: "=", value: 500 }],
    },
    sql: `SELECT time, status, service, endpoint, latency_us, bytes, user_id FROM ${plain} WHERE ${whereTime(all29h)} AND status = 500 ORDER BY time DESC LIMIT 100`,
    // Rows of one millisecond may come in any order: their times are what is determined.
    columns: exactly("time", "status"),
  },
];

/** One half of the range against the other, by service. */
function weekOverWeek(): BenchQuery {
  const range = { from: endMs - halfHours * hourMs, to: endMs };
  const base = { from: range.from - halfHours * hourMs, to: range.from };
  const side = (of: typeof range) =>
    `SELECT service, count(*) AS n, avg(latency_us) AS latency FROM ${plain} WHERE ${whereTime(of)} GROUP BY service`;
  return {
    name: "week-over-week",
    query: {
      ...{ table: plain, ...range, groupBy: ["service"], timeoutMs },
      aggregates: [count, { fn: "avg", column: "latency_us" }],
      compare: { offset: `${halfHours}h` },
    },
    sql: `SELECT service, a.n, b.n, a.n - b.n, a.latency, b.latency FROM (${side(range)}) a JOIN (${side(base)}) b USING (service) ORDER BY a.n DESC, service`,
    columns: [
      ...exactly("service", "count", "count.compare", "count.delta"),
      { name: "avg_latency_us", within: 1e-12 },
      { name: "avg_latency_us.compare", within: 1e-12 },
    ],
  };
}

function serviceText(service: number): string {
  return `service-${String(service).padStart(3, "0")}`;
}
