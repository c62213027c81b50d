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

const aggregates = [count, sum("latency_us")];
const columns = exactly("count", "sum_latency_us");
const sql = (holds: string) =>
  `SELECT count(*), sum(latency_us) FROM tagged_events WHERE ${within(all29h)} AND ${holds}`;
const polars = (holds: string) =>
  `tagged_events.filter(${inside(all29h)}, ${holds}).select(pl.len(), c.latency_us.cast(pl.Int64).sum())`;

/** Events whose set or vector holds something. */
export const listQueries: readonly BenchQuery[] = [
  {
    name: "set-includes",
    query: {
      ...{ table: "tagged_events", ...all29h, aggregates, timeoutMs },
      filter: [{ column: "tags", op: "includes any", value: ["beta", "ios"] }],
    },
    columns,
    duckdb: sql("list_has_any(tags, ['beta', 'ios'])"),
    clickhouse: sql("hasAny(tags, ['beta', 'ios'])"),
    polars: polars(`c.tags.list.contains("beta") | c.tags.list.contains("ios")`),
  },
  {
    name: "vector-sequence",
    query: {
      ...{ table: "tagged_events", ...all29h, aggregates, timeoutMs },
      filter: [{ column: "stack", op: "contains sequence", value: ["render", "paint"] }],
    },
    columns,
    // Neither DuckDB nor Polars has a test for neighbours in a list; no frame's name has a comma.
    duckdb: sql("contains(',' || array_to_string(stack, ',') || ',', ',render,paint,')"),
    clickhouse: sql("hasSubstr(stack, ['render', 'paint'])"),
    polars: polars(
      `(pl.lit(",") + c.stack.list.join(",") + pl.lit(",")).str.contains(",render,paint,", literal=True)`,
    ),
  },
];
