import {
  all29h,
  type BenchQuery,
  count,
  exactly,
  inside,
  sameSql,
  sum,
  timeoutMs,
  within,
} from "./benchQuery.js";

/** A function that is not compiled, of two columns of many values: it runs for every row. */
const js =
  "(row) => { switch (row.latency_us % 4) { case 0: return row.bytes; default: return 1; } }";
const wanted = "CASE WHEN latency_us % 4 = 0 THEN bytes ELSE 1 END";

/** JavaScript of users, in the sandbox; and as sums where it is nothing else. */
export const sandboxQueries: readonly BenchQuery[] = [
  {
    name: "function-sandboxed",
    query: {
      ...{ table: "events", ...all29h, timeoutMs },
      derive: [{ as: "d", js }],
      aggregates: [count, sum("d")],
    },
    columns: exactly("count", "sum_d"),
    ...sameSql(`SELECT count(*), sum(${wanted}) FROM events WHERE ${within(all29h)}`),
    polars: `events.filter(${inside(all29h)}).select(pl.len(), pl.when(c.latency_us % 4 == 0).then(c.bytes.cast(pl.Int64)).otherwise(1).sum())`,
  },
  {
    name: "function-covariance",
    query: {
      ...{ table: "events", ...all29h, timeoutMs },
      aggregates: [count, { fn: "covariance", columns: ["bytes", "latency_us"] }],
    },
    columns: [...exactly("count"), { name: "covariance_bytes_latency_us", within: 1e-6 }],
    duckdb: `SELECT count(*), covar_pop(bytes::DOUBLE, latency_us::DOUBLE) FROM events WHERE ${within(all29h)}`,
    clickhouse: `SELECT count(*), covarPop(toFloat64(bytes), toFloat64(latency_us)) FROM events WHERE ${within(all29h)}`,
    polars: `events.filter(${inside(all29h)}).select(pl.len(), pl.cov(c.bytes.cast(pl.Float64), c.latency_us.cast(pl.Float64), ddof=0))`,
  },
];
