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
import { forced } from "./scanQueries.js";

/** A function that is not compiled, of two columns of many values: it runs for every row. */
const js =
  "(row) => { switch (row.latency_us % 4) { case 0: return row.bytes; default: return 1; } }";
const wanted = "CASE WHEN latency_us % 4 = 0 THEN bytes ELSE 1 END";

/** An aggregate function of a user, beside the sums of the same columns: as segments know them, or with every row read. */
function covariance(name: string, isForced: boolean): BenchQuery {
  const filter = isForced ? { filter: [forced] } : {};
  const condition = isForced ? " AND bytes >= 1" : "";
  const sql = (x: string, y: string) =>
    `SELECT count(*), ${x}, ${y}) FROM events WHERE ${within(all29h)}${condition}`;
  return {
    name,
    query: {
      ...{ table: "events", ...all29h, ...filter, timeoutMs },
      aggregates: [count, { fn: "covariance", columns: ["bytes", "latency_us"] }],
    },
    beside: {
      name: "the sums of both columns",
      query: {
        ...{ table: "events", ...all29h, ...filter, timeoutMs },
        aggregates: [count, sum("bytes"), sum("latency_us")],
      },
    },
    columns: [...exactly("count"), { name: "covariance_bytes_latency_us", within: 1e-6 }],
    duckdb: sql("covar_pop(bytes::DOUBLE", "latency_us::DOUBLE"),
    clickhouse: sql("covarPop(toFloat64(bytes)", "toFloat64(latency_us)"),
    polars: `events.filter(${inside(all29h)}${isForced ? ", c.bytes >= 1" : ""}).select(pl.len(), pl.cov(c.bytes.cast(pl.Float64), c.latency_us.cast(pl.Float64), ddof=0))`,
  };
}

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
    perCore: true,
    ...sameSql(`SELECT count(*), sum(${wanted}) FROM events WHERE ${within(all29h)}`),
    polars: `events.filter(${inside(all29h)}).select(pl.len(), pl.when(c.latency_us % 4 == 0).then(c.bytes.cast(pl.Int64)).otherwise(1).sum())`,
  },
  covariance("function-covariance", false),
  covariance("function-covariance-scan", true),
];
