import type { Result } from "@hadal/sdk";
import {
  all29h,
  type BenchQuery,
  exactly,
  inside,
  sameSql,
  timeoutMs,
  within,
} from "./benchQuery.js";

/** Hadal's buckets: an eighth of a power of two wide. Every latency is at least 8, where buckets are whole numbers. */
const width = "pow(2, floor(log2(latency_us)) - 3)";

const histogram: BenchQuery = {
  name: "histogram",
  query: {
    ...{ table: "events", ...all29h, timeoutMs },
    aggregates: [{ fn: "histogram", column: "latency_us" }],
  },
  columns: exactly("low", "count"),
  rowsOf: ({ rows }: Result) => {
    const [buckets] = rows[0] ?? [];
    if (!Array.isArray(buckets)) throw new Error("a histogram is a list of buckets");
    return buckets.map(([low, , bucketCount]) => [low, bucketCount]);
  },
  ...sameSql(
    `SELECT floor(latency_us / ${width}) * ${width} AS low, count(*) FROM events WHERE ${within(all29h)} GROUP BY low ORDER BY low`,
  ),
  polars: `(lambda width: events.filter(${inside(all29h)}).group_by(((c.latency_us / width).floor() * width).alias("low")).agg(pl.len()).sort("low"))(pl.lit(2.0).pow(28.0 - c.latency_us.bitwise_leading_zeros().cast(pl.Float64)))`,
};

/** Exact by every engine: a million users are below where Hadal begins to estimate. */
const distinct: BenchQuery = {
  name: "distinct",
  query: {
    ...{ table: "events", ...all29h, timeoutMs },
    aggregates: [{ fn: "distinct", column: "user_id" }],
  },
  columns: exactly("distinct_user_id"),
  ...sameSql(`SELECT count(DISTINCT user_id) FROM events WHERE ${within(all29h)}`),
  polars: `events.filter(${inside(all29h)}).select(c.user_id.n_unique())`,
};

/** How values are spread. */
export const distributionQueries: readonly BenchQuery[] = [histogram, distinct];
