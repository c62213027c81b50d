import { serviceName } from "../table/eventTables.js";
import {
  all29h,
  type BenchQuery,
  count,
  earlierHalf,
  exactly,
  halfHours,
  inside,
  last3h,
  laterHalf,
  type Range,
  sameSql,
  sum,
  timeoutMs,
  within,
} from "./benchQuery.js";

const p95 = { fn: "percentile", column: "latency_us", p: 95 } as const;
const p95Column = { name: "p95_latency_us", within: 0.01 };
const coarseP95 = { ...p95Column, within: 0.016 };
const minuteMs = 60_000;
const bucketPolars = (ms: number) => `(c.time // ${ms} * ${ms}).alias("bucket")`;

function timeSeries(name: string, range: Range): BenchQuery {
  const sql = (bucket: string) =>
    `SELECT ${bucket} AS minute, service, count(*), sum(bytes) AS total FROM events WHERE ${within(range)} GROUP BY minute, service ORDER BY total DESC, minute, service LIMIT 1800`;
  return {
    name,
    query: {
      ...{ table: "events", ...range, groupBy: [{ time: "1m" }, "service"], limit: 1800 },
      ...{ aggregates: [count, sum("bytes")], orderBy: [{ by: "sum_bytes", desc: true }] },
      timeoutMs,
    },
    columns: exactly("time", "service", "count", "sum_bytes"),
    duckdb: sql(`time // ${minuteMs} * ${minuteMs}`),
    clickhouse: sql(`intDiv(time, ${minuteMs}) * ${minuteMs}`),
    polars: `events.filter(${inside(range)}).group_by(${bucketPolars(minuteMs)}, "service").agg(pl.len(), c.bytes.cast(pl.Int64).sum()).sort("bytes", "bucket", "service", descending=[True, False, False]).head(1800)`,
  };
}

/** ClickHouse has no exact percentile of the same rank that is fast: it is timed with its own sketch of 0.4 %. */
function p95ByEndpoint(
  name: string,
  filter: BenchQuery["query"]["filter"],
  sql: string,
  polars: string,
): BenchQuery {
  const text = (percentile: string) =>
    `SELECT endpoint, count(*) AS n, ${percentile} FROM events WHERE ${within(all29h)}${sql} GROUP BY endpoint ORDER BY n DESC, endpoint`;
  return {
    name,
    query: {
      ...{ table: "events", ...all29h, groupBy: ["endpoint"], aggregates: [count, p95], timeoutMs },
      ...(filter === undefined ? {} : { filter }),
    },
    // All 5,000 endpoints, or the few that the filter leaves: 1 % is promised for up to 1,000 groups.
    columns: [...exactly("endpoint", "count"), filter === undefined ? coarseP95 : p95Column],
    duckdb: text("quantile_disc(latency_us, 0.95)"),
    clickhouse: {
      compared: text("arraySort(groupArray(latency_us))[toUInt64(ceil(0.95 * count()))]"),
      timed: text("quantileBFloat16(0.95)(latency_us)"),
    },
    polars: `events.filter(${inside(all29h)}${polars}).group_by("endpoint").agg(pl.len(), c.latency_us.quantile(0.95, "equiprobable").cast(pl.Int64)).sort("len", "endpoint", descending=[True, False])`,
  };
}

const chosenServices = [3, 14, 15, 92, 65].map(serviceName);
const chosenList = chosenServices.map((service) => `'${service}'`).join(", ");
const filterP95 = p95ByEndpoint(
  "filter-p95",
  [
    { column: "status", op: "=", value: 500 },
    { column: "service", op: "in", value: chosenServices },
  ],
  ` AND status = 500 AND service IN (${chosenList})`,
  `, c.status == 500, c.service.cast(pl.String).is_in([${chosenList}])`,
);

const pattern = "^/api/v[12]/.*[37]$";
const regexSql = (bucket: string, matches: string) =>
  `SELECT ${bucket} AS minute, count(*) FROM events WHERE ${within(all29h)} AND ${matches}(endpoint, '${pattern}') GROUP BY minute ORDER BY minute`;
const regexByMinute: BenchQuery = {
  name: "regex-by-minute",
  query: {
    ...{ table: "events", ...all29h, groupBy: [{ time: "1m" }], timeoutMs },
    filter: [{ column: "endpoint", op: "~", value: pattern }],
  },
  columns: exactly("time", "count"),
  duckdb: regexSql(`time // ${minuteMs} * ${minuteMs}`, "regexp_matches"),
  clickhouse: regexSql(`intDiv(time, ${minuteMs}) * ${minuteMs}`, "match"),
  polars: `events.filter(${inside(all29h)}, c.endpoint.cast(pl.String).str.contains("${pattern}")).group_by(${bucketPolars(minuteMs)}).agg(pl.len()).sort("bucket")`,
};

function topHundred(name: string, column: string): BenchQuery {
  return {
    name,
    query: { table: "events", ...all29h, groupBy: [column], limit: 100, timeoutMs },
    columns: exactly(column, "count"),
    ...sameSql(
      `SELECT ${column}, count(*) AS n FROM events WHERE ${within(all29h)} GROUP BY ${column} ORDER BY n DESC, ${column} LIMIT 100`,
    ),
    polars: `events.filter(${inside(all29h)}).group_by("${column}").agg(pl.len()).sort("len", "${column}", descending=[True, False]).head(100)`,
  };
}

/** More than one number of each of very many groups. */
function groupSums(name: string, column: string): BenchQuery {
  return {
    name,
    query: {
      ...{ table: "events", ...all29h, groupBy: [column], limit: 100, timeoutMs },
      aggregates: [count, sum("bytes"), { fn: "avg", column: "latency_us" }],
    },
    columns: [...exactly(column, "count", "sum_bytes"), { name: "avg_latency_us", within: 1e-12 }],
    ...sameSql(
      `SELECT ${column}, count(*) AS n, sum(bytes), avg(latency_us) FROM events WHERE ${within(all29h)} GROUP BY ${column} ORDER BY n DESC, ${column} LIMIT 100`,
    ),
    polars: `events.filter(${inside(all29h)}).group_by("${column}").agg(pl.len(), c.bytes.cast(pl.Int64).sum(), c.latency_us.mean()).sort("len", "${column}", descending=[True, False]).head(100)`,
  };
}

const tenMinutesMs = 600_000;
const topSeriesSql = (bucket: string) =>
  `WITH best AS (SELECT endpoint, n AS total FROM (SELECT endpoint, count(*) AS n FROM events WHERE ${within(all29h)} GROUP BY endpoint ORDER BY n DESC, endpoint LIMIT 10) AS top) SELECT bucket, endpoint, n FROM (SELECT ${bucket} AS bucket, endpoint, count(*) AS n FROM events WHERE ${within(all29h)} AND endpoint IN (SELECT endpoint FROM best) GROUP BY bucket, endpoint) AS counted JOIN best USING (endpoint) ORDER BY bucket, total DESC, endpoint`;
const topSeries: BenchQuery = {
  name: "top-series",
  query: {
    ...{ table: "events", ...all29h, groupBy: [{ time: "10m" }, "endpoint"], series: 10 },
    timeoutMs,
  },
  columns: exactly("time", "endpoint", "count"),
  duckdb: topSeriesSql(`time // ${tenMinutesMs} * ${tenMinutesMs}`),
  clickhouse: topSeriesSql(`intDiv(time, ${tenMinutesMs}) * ${tenMinutesMs}`),
  polars: `(lambda best: events.filter(${inside(all29h)}).join(best, on="endpoint").group_by(${bucketPolars(tenMinutesMs)}, "endpoint").agg(pl.len(), c.total.first()).sort("bucket", "total", "endpoint", descending=[False, True, False]).select("bucket", "endpoint", "len"))(events.filter(${inside(all29h)}).group_by("endpoint").agg(pl.len().alias("total")).sort("total", "endpoint", descending=[True, False]).head(10))`,
};

/** One half of the range against the other, by service. */
function weekOverWeek(): BenchQuery {
  const side = (of: Range) =>
    `SELECT service, count(*) AS n, avg(latency_us) AS latency FROM events WHERE ${within(of)} GROUP BY service`;
  const polarsSide = (of: Range) =>
    `events.filter(${inside(of)}).group_by("service").agg(pl.len().cast(pl.Int64), c.latency_us.mean())`;
  return {
    name: "week-over-week",
    query: {
      ...{ table: "events", ...laterHalf, groupBy: ["service"], timeoutMs },
      aggregates: [count, { fn: "avg", column: "latency_us" }],
      compare: { offset: `${halfHours}h` },
    },
    columns: [
      ...exactly("service", "count", "count.compare", "count.delta"),
      { name: "avg_latency_us", within: 1e-12 },
      { name: "avg_latency_us.compare", within: 1e-12 },
    ],
    ...sameSql(
      `SELECT service, a.n, b.n, CAST(a.n AS BIGINT) - CAST(b.n AS BIGINT), a.latency, b.latency FROM (${side(laterHalf)}) a JOIN (${side(earlierHalf)}) b USING (service) ORDER BY a.n DESC, service`,
    ),
    polars: `${polarsSide(laterHalf)}.join(${polarsSide(earlierHalf)}, on="service").sort("len", "service", descending=[True, False]).select("service", "len", "len_right", (c.len - c.len_right).alias("delta"), "latency_us", "latency_us_right")`,
  };
}

const threeColumns = ["service", "status", "endpoint"];
const threeColumnGroups: BenchQuery = {
  name: "three-columns",
  query: {
    ...{ table: "events", ...all29h, groupBy: threeColumns, limit: 1000, timeoutMs },
    aggregates: [count, sum("bytes")],
  },
  columns: exactly(...threeColumns, "count", "sum_bytes"),
  ...sameSql(
    `SELECT ${threeColumns.join(", ")}, count(*) AS n, sum(bytes) FROM events WHERE ${within(all29h)} GROUP BY ${threeColumns.join(", ")} ORDER BY n DESC, ${threeColumns.join(", ")} LIMIT 1000`,
  ),
  polars: `events.filter(${inside(all29h)}).group_by(${JSON.stringify(threeColumns)}).agg(pl.len(), c.bytes.cast(pl.Int64).sum()).sort(["len", "service", "status", "endpoint"], descending=[True, False, False, False]).head(1000)`,
};

/** Many numbers, from groups. */
/** Nearly every row is a group of its own, by strings that no dictionary holds. */
const topVisitors: BenchQuery = {
  name: "group-strings",
  query: {
    ...{ table: "visits", ...all29h, groupBy: ["visitor"], limit: 10 },
    ...{ aggregates: [count], orderBy: [{ by: "count", desc: true }] },
    timeoutMs,
  },
  columns: exactly("visitor", "count"),
  ...sameSql(
    `SELECT visitor, count(*) AS n FROM visits WHERE ${within(all29h)} GROUP BY visitor ORDER BY n DESC, visitor LIMIT 10`,
  ),
  polars: `visits.filter(${inside(all29h)}).group_by("visitor").agg(pl.len()).sort("len", "visitor", descending=[True, False]).head(10)`,
};

export const groupQueries: readonly BenchQuery[] = [
  timeSeries("time-series-3h", last3h),
  timeSeries("time-series-29h", all29h),
  filterP95,
  p95ByEndpoint("group-p95", undefined, "", ""),
  regexByMinute,
  topHundred("group-dense", "user_id"),
  topHundred("group-sparse", "session"),
  topVisitors,
  groupSums("group-sums", "session"),
  groupSums("group-dense-sums", "user_id"),
  topSeries,
  weekOverWeek(),
  threeColumnGroups,
];
