import {
  all29h,
  type BenchQuery,
  exactly,
  inside,
  sameSql,
  sum,
  timeoutMs,
  within,
} from "./benchQuery.js";

/** A function of two columns that compiles: every row is computed, nothing is known of the result beforehand. */
const compiled: BenchQuery = {
  name: "function-compiled",
  query: {
    ...{ table: "events", ...all29h, timeoutMs },
    derive: [{ as: "cost", js: "(row) => row.latency_us > 20000 ? row.bytes * 3 + 1 : row.bytes" }],
    aggregates: [sum("cost")],
  },
  columns: exactly("sum_cost"),
  perCore: true,
  ...sameSql(
    `SELECT sum(CASE WHEN latency_us > 20000 THEN bytes * 3 + 1 ELSE bytes END) FROM events WHERE ${within(all29h)}`,
  ),
  polars: `events.filter(${inside(all29h)}).select(pl.when(c.latency_us > 20000).then(c.bytes.cast(pl.Int64) * 3 + 1).otherwise(c.bytes.cast(pl.Int64)).sum())`,
};

/** Exact integers: the product that a covariance adds up. */
const product: BenchQuery = {
  name: "expression-product",
  query: {
    ...{ table: "events", ...all29h, timeoutMs },
    derive: [
      {
        as: "product",
        expression: { fn: "*", args: [{ column: "bytes" }, { column: "latency_us" }] },
      },
    ],
    aggregates: [sum("product")],
  },
  columns: exactly("sum_product"),
  ...sameSql(`SELECT sum(bytes::BIGINT * latency_us::BIGINT) FROM events WHERE ${within(all29h)}`),
  polars: `events.filter(${inside(all29h)}).select((c.bytes.cast(pl.Int64) * c.latency_us.cast(pl.Int64)).sum())`,
};

/** Columns that a query derives. */
export const functionQueries: readonly BenchQuery[] = [compiled, product];
