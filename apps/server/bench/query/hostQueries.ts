import { endMs } from "../table/benchTable.js";
import { hostName, metrics } from "../table/hostTable.js";
import {
  type BenchQuery,
  count,
  exactly,
  inside,
  type Range,
  sameSql,
  timeoutMs,
  within,
} from "./benchQuery.js";

/** The query types of the CPU-only case of the Time Series Benchmark Suite (TSBS), by their names there. */

const minuteMs = 60_000;
const hourMs = 3_600_000;
const hosts = [7, 42, 99, 123, 200, 251, 318, 377].map(hostName);
const hoursFrom = (hours: number): Range => ({
  from: endMs - 20 * hourMs,
  to: endMs - (20 - hours) * hourMs,
});
const bucketPolars = (ms: number) => `(c.time // ${ms} * ${ms}).alias("bucket")`;
const hostList = (some: readonly string[]) => some.map((host) => `'${host}'`).join(", ");
const ofHosts = (some: readonly string[]) =>
  some.length === 1
    ? ({ column: "hostname", op: "=", value: some[0]! } as const)
    : ({ column: "hostname", op: "in", value: some } as const);

interface Series {
  readonly name: string;
  readonly fn: "max" | "avg";
  readonly metricCount: number;
  /** Null: all hosts, each for itself. */
  readonly hostCount: number | null;
  readonly hours: number;
  readonly bucket: "1m" | "1h";
}

function series({ name, fn, metricCount, hostCount, hours, bucket }: Series): BenchQuery {
  const range = hoursFrom(hours);
  const chosen = metrics.slice(0, metricCount);
  const some = hostCount === null ? null : hosts.slice(0, hostCount);
  const bucketMs = bucket === "1m" ? minuteMs : hourMs;
  const keys = some === null ? ["hostname"] : [];
  const values = chosen.map((metric) => `${fn}(${metric})`).join(", ");
  const condition = some === null ? "" : ` AND hostname IN (${hostList(some)})`;
  const sql = (start: string) =>
    `SELECT ${[`${start} AS bucket`, ...keys, values].join(", ")} FROM cpu WHERE ${within(range)}${condition} GROUP BY ${["bucket", ...keys].join(", ")} ORDER BY ${["bucket", ...keys].join(", ")}`;
  const polarsFn = fn === "max" ? "max" : "mean";
  const polarsValues = chosen.map((metric) => `c.${metric}.${polarsFn}()`).join(", ");
  const polarsHosts =
    some === null ? "" : `, c.hostname.cast(pl.String).is_in([${hostList(some)}])`;
  const polarsKeys = [bucketPolars(bucketMs), ...keys.map((key) => `"${key}"`)].join(", ");
  const polarsOrder = ["bucket", ...keys].map((key) => `"${key}"`).join(", ");
  return {
    name: `tsbs-${name}`,
    query: {
      ...{ table: "cpu", ...range, groupBy: [{ time: bucket }, ...keys], timeoutMs },
      ...{ limit: 50_000, aggregates: chosen.map((column) => ({ fn, column })) },
      orderBy: [{ by: "time" }, ...keys.map((by) => ({ by }))],
      ...(some === null ? {} : { filter: [ofHosts(some)] }),
    },
    columns: [
      ...exactly("time", ...keys),
      ...chosen.map((metric) => ({ name: `${fn}_${metric}`, within: fn === "max" ? 0 : 1e-12 })),
    ],
    duckdb: sql(`time // ${bucketMs} * ${bucketMs}`),
    clickhouse: sql(`intDiv(time, ${bucketMs}) * ${bucketMs}`),
    polars: `cpu.filter(${inside(range)}${polarsHosts}).group_by(${polarsKeys}).agg(${polarsValues}).sort(${polarsOrder})`,
  };
}

const singleGroupBy = (metricCount: number, hostCount: number, hours: number): BenchQuery =>
  series({
    ...{ name: `single-groupby-${metricCount}-${hostCount}-${hours}`, fn: "max" },
    ...{ metricCount, hostCount, hours, bucket: "1m" },
  });
const cpuMaxAll = (hostCount: number): BenchQuery =>
  series({
    ...{ name: `cpu-max-all-${hostCount}`, fn: "max", metricCount: metrics.length },
    ...{ hostCount, hours: 8, bucket: "1h" },
  });
const doubleGroupBy = (metricCount: number): BenchQuery =>
  series({
    name: `double-groupby-${metricCount === metrics.length ? "all" : metricCount}`,
    ...{ fn: "avg", metricCount, hostCount: null, hours: 12, bucket: "1h" },
  });

const busy = 90;
const twelveHours = hoursFrom(12);

/** The suite returns the rows themselves, up to a quarter of the table: here their number and the highest. */
const highCpuAll: BenchQuery = {
  name: "tsbs-high-cpu-all",
  query: {
    ...{ table: "cpu", ...twelveHours, groupBy: ["hostname"], limit: 1_000, timeoutMs },
    aggregates: [count, { fn: "max", column: "usage_user" }],
    filter: [{ column: "usage_user", op: ">", value: busy }],
    orderBy: [{ by: "hostname" }],
  },
  columns: exactly("hostname", "count", "max_usage_user"),
  ...sameSql(
    `SELECT hostname, count(*), max(usage_user) FROM cpu WHERE ${within(twelveHours)} AND usage_user > ${busy} GROUP BY hostname ORDER BY hostname`,
  ),
  polars: `cpu.filter(${inside(twelveHours)}, c.usage_user > ${busy}).group_by("hostname").agg(pl.len(), c.usage_user.max()).sort("hostname")`,
};

const shownRows = 5_000;
const shown = ["time", "hostname", ...metrics];
const highCpuOne: BenchQuery = {
  name: "tsbs-high-cpu-1",
  query: {
    ...{ table: "cpu", ...twelveHours, limit: shownRows, timeoutMs },
    sampleView: { columns: shown },
    filter: [{ column: "usage_user", op: ">", value: busy }, ofHosts(hosts.slice(0, 1))],
  },
  columns: exactly(...shown),
  ...sameSql(
    `SELECT ${shown.join(", ")} FROM cpu WHERE ${within(twelveHours)} AND usage_user > ${busy} AND hostname = '${hosts[0]}' ORDER BY time DESC LIMIT ${shownRows}`,
  ),
  polars: `cpu.filter(${inside(twelveHours)}, c.usage_user > ${busy}, c.hostname.cast(pl.String) == '${hosts[0]}').sort("time", descending=True).head(${shownRows}).select(${JSON.stringify(shown)})`,
};

/** The last five minutes with values before a moment, the latest first. */
const beforeMoment: Range = { from: endMs - 20 * hourMs, to: endMs - 7 * hourMs };
const lastMinutes = (bucket: string): string =>
  `SELECT ${bucket} AS minute, max(usage_user) FROM cpu WHERE ${within(beforeMoment)} GROUP BY minute ORDER BY minute DESC LIMIT 5`;
const groupByOrderByLimit: BenchQuery = {
  name: "tsbs-groupby-orderby-limit",
  query: {
    ...{ table: "cpu", ...beforeMoment, groupBy: [{ time: "1m" }], limit: 5, timeoutMs },
    aggregates: [{ fn: "max", column: "usage_user" }],
    orderBy: [{ by: "time", desc: true }],
  },
  columns: exactly("time", "max_usage_user"),
  duckdb: lastMinutes(`time // ${minuteMs} * ${minuteMs}`),
  clickhouse: lastMinutes(`intDiv(time, ${minuteMs}) * ${minuteMs}`),
  polars: `cpu.filter(${inside(beforeMoment)}).group_by(${bucketPolars(minuteMs)}).agg(c.usage_user.max()).sort("bucket", descending=True).head(5)`,
};

/** All types but `lastpoint`, the last row of each host: Hadal has no question for it. */
export const hostQueries: readonly BenchQuery[] = [
  ...[singleGroupBy(1, 1, 1), singleGroupBy(1, 1, 12), singleGroupBy(1, 8, 1)],
  ...[singleGroupBy(5, 1, 1), singleGroupBy(5, 1, 12), singleGroupBy(5, 8, 1)],
  ...[cpuMaxAll(1), cpuMaxAll(8)],
  ...[doubleGroupBy(1), doubleGroupBy(5), doubleGroupBy(metrics.length)],
  ...[highCpuAll, highCpuOne, groupByOrderByLimit],
];
