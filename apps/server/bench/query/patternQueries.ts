import {
  all29h,
  type BenchQuery,
  count,
  exactly,
  inside,
  sum,
  timeoutMs,
  within,
} from "./benchQuery.js";

/** Every address holds the longest text that it asks for: looking for that alone decides nothing. */
const pattern = "/team-[0-9]*7/doc-[0-9]+3/(edit|share)\\?v=1";

/** A pattern over a million different strings, each of which is looked at. */
export const patternQueries: readonly BenchQuery[] = [
  {
    name: "regex-distinct",
    query: {
      ...{ table: "pages", ...all29h, aggregates: [count, sum("latency_us")], timeoutMs },
      filter: [{ column: "url", op: "~", value: pattern }],
    },
    columns: exactly("count", "sum_latency_us"),
    duckdb: `SELECT count(*), sum(latency_us) FROM pages WHERE ${within(all29h)} AND regexp_matches(url, '${pattern}')`,
    clickhouse: `SELECT count(*), sum(latency_us) FROM pages WHERE ${within(all29h)} AND match(url, '${pattern.replaceAll("\\", "\\\\")}')`,
    polars: `pages.filter(${inside(all29h)}, c.url.str.contains(r"${pattern}")).select(pl.len(), c.latency_us.cast(pl.Int64).sum())`,
  },
];
