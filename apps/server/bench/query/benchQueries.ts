import { type BenchTable, withoutColumns } from "../table/benchTable.js";
import { events, sampledEvents } from "../table/eventTables.js";
import { cpu } from "../table/hostTable.js";
import { taggedEvents } from "../table/listTable.js";
import { logLines } from "../table/logTable.js";
import { pages } from "../table/pageTable.js";
import { oneSensor, readings } from "../table/readingTables.js";
import { visits } from "../table/visitTable.js";
import type { BenchQuery } from "./benchQuery.js";
import { distributionQueries } from "./distributionQueries.js";
import { functionQueries } from "./functionQueries.js";
import { groupQueries } from "./groupQueries.js";
import { hostQueries } from "./hostQueries.js";
import { listQueries } from "./listQueries.js";
import { patternQueries } from "./patternQueries.js";
import { sandboxQueries } from "./sandboxQueries.js";
import { scanQueries } from "./scanQueries.js";
import { textQueries } from "./textQueries.js";

export const benchQueries: readonly BenchQuery[] = [
  ...scanQueries,
  ...groupQueries,
  ...distributionQueries,
  ...textQueries,
  ...patternQueries,
  ...listQueries,
  ...functionQueries,
  ...sandboxQueries,
  ...hostQueries,
];

const benchTables: readonly BenchTable[] = [
  events,
  sampledEvents,
  logLines,
  readings,
  taggedEvents,
  pages,
  visits,
  cpu,
];

/** Whether the query names a column that no table has. */
export function lacksColumn({ query }: BenchQuery, without: readonly string[]): boolean {
  const text = JSON.stringify(query);
  return without.some((name) => text.includes(JSON.stringify(name)));
}

/** The tables that these queries ask, and one whose size in memory is of interest. */
export function tablesOf(
  queries: readonly BenchQuery[],
  without: readonly string[] = [],
): BenchTable[] {
  const asked = new Set(queries.map(({ query }) => query.table));
  const needed = benchTables
    .filter(({ name }) => asked.has(name))
    .map((table) => (without.length === 0 ? table : withoutColumns(table, without)));
  return queries.length === benchQueries.length ? [...needed, oneSensor] : needed;
}
