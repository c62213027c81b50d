import { needles } from "../table/logTable.js";
import {
  all29h,
  type BenchQuery,
  count,
  exactly,
  inside,
  timeoutMs,
  within,
} from "./benchQuery.js";

function search(name: string, text: string): BenchQuery {
  const sql = (holds: string) =>
    `SELECT count(*) FROM log_lines WHERE ${within(all29h)} AND ${holds}`;
  return {
    name,
    query: {
      ...{ table: "log_lines", ...all29h, aggregates: [count], timeoutMs },
      filter: [{ column: "line", op: "contains", value: text }],
    },
    columns: exactly("count"),
    duckdb: sql(`contains(line, '${text}')`),
    clickhouse: sql(`position(line, '${text}') > 0`),
    polars: `log_lines.filter(${inside(all29h)}, c.line.str.contains("${text}", literal=True)).select(pl.len())`,
  };
}

/** Log lines that hold a text. */
export const textQueries: readonly BenchQuery[] = [
  search("text-frequent", needles.frequent),
  search("text-rare", needles.rare),
  search("text-absent", needles.absent),
  // Both a frequent needle and LZ4: every page is read, nothing is pruned.
  { ...search("text-lz4", needles.frequent), afterRestart: true },
];
