import type { Query } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clusterDifference } from "./oracle/compare/clusterDifference.js";
import { answerDifference, sampleDifference } from "./oracle/compare/compareAnswers.js";
import { answerByDuckDB, sampleByDuckDB } from "./oracle/duckdb/duckdbEngine.js";
import { loadDuckDB } from "./oracle/duckdb/duckdbTable.js";
import { answerNaively } from "./oracle/naive/naiveEngine.js";
import { type SampleAnswer, sampleNaively } from "./oracle/naive/naiveSample.js";
import { generatedTables } from "./real/generatedTables.js";
import type { RealTable } from "./real/realTable.js";
import { hasRealFiles, realTables } from "./real/realTables.js";
import type { Cluster } from "./support/startCluster.js";
import { startCluster } from "./support/startCluster.js";

const count = { fn: "count" } as const;
const year = (first: number, last = first + 1) => ({
  from: `${first}-01-01T00:00:00Z`,
  to: `${last}-01-01T00:00:00Z`,
});

/** What someone would ask of these rows. */
const queries: readonly Query[] = [
  {
    ...{ table: "flights", ...year(2001), groupBy: ["origin"], limit: 10 },
    aggregates: [{ fn: "avg", column: "delay" }, count],
    orderBy: [{ by: "avg_delay", desc: true }],
  },
  {
    ...{ table: "flights", ...year(2001), groupBy: [{ time: "1d" }] },
    timeZone: "America/New_York",
    aggregates: [{ fn: "percentile", column: "delay", p: 95 }],
  },
  {
    ...{ table: "flights", ...year(2001), groupBy: ["origin", "destination"] },
    filter: [
      {
        any: [
          { column: "delay", op: ">", value: 60 },
          { column: "distance", op: "<", value: 200 },
        ],
      },
    ],
    aggregates: [count, { fn: "min", column: "delay" }, { fn: "max", column: "distance" }],
  },
  {
    ...{ table: "flights", from: "2001-01-15T00:00:00Z", to: "2001-02-01T00:00:00Z" },
    ...{ groupBy: ["destination"], compare: { offset: "1w" } },
    aggregates: [count, { fn: "sum", column: "distance" }],
  },
  {
    ...{ table: "access_log", ...year(2015), groupBy: [{ time: "1h" }, "status"], series: 3 },
    aggregates: [{ fn: "count", per: "minute" }],
  },
  {
    ...{ table: "access_log", ...year(2015), groupBy: ["path"], limit: 20 },
    filter: [
      { column: "path", op: "~", value: "^/(presentations|blog|files)/" },
      { not: { column: "status", op: "in", value: [404, 500] } },
    ],
    aggregates: [{ fn: "sum", column: "bytes" }, count, { fn: "count", column: "bytes" }],
  },
  {
    ...{ table: "access_log", ...year(2015), groupBy: ["referrer"] },
    filter: [{ column: "bytes", op: "is missing" }],
  },
  {
    ...{ table: "access_log", ...year(2015), groupBy: ["method", "protocol"] },
    compare: { filter: [{ column: "agent", op: "contains", value: "Agent 1" }] },
    aggregates: [{ fn: "avg", column: "bytes" }, count],
  },
  {
    ...{ table: "github", ...year(2021), groupBy: ["type", "org.login"] },
    aggregates: [count, { fn: "max", column: "payload.size" }],
  },
  {
    ...{ table: "github", ...year(2021), groupBy: [{ time: "15m" }, "type"] },
    filter: [{ column: "actor.login", op: "contains", value: "[bot]" }],
  },
  {
    ...{ table: "github", ...year(2021), limit: 50 },
    sampleView: { columns: ["id", "repo.name", "payload.action", "public"] },
  },
  {
    ...{ table: "stacks", ...year(2024), groupBy: ["top"] },
    aggregates: [
      count,
      { fn: "avg", column: "depth" },
      { fn: "percentile", column: "depth", p: 50 },
    ],
  },
  { ...{ table: "stacks", ...year(2024), limit: 500 }, sampleView: {} },
  { ...{ table: "stacks", ...year(2024) }, aggregates: [count, { fn: "count", column: "stack" }] },
];

const sources: [string, () => readonly RealTable[]][] = [
  ["rows generated in the shapes of real files", () => generatedTables(7)],
];
if (hasRealFiles()) sources.push(["the real files", realTables]);

describe.each(sources)("%s", (_, makeTables) => {
  const tables = new Map(makeTables().map((table) => [table.oracle.name, table]));
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ leaves: 2 });
    for (const table of tables.values()) await ingest(cluster, table);
  });
  afterAll(() => cluster?.stop());

  test.each(queries.map((query) => [JSON.stringify(query), query] as const))(
    "%s",
    async (_name, query) => {
      const table = tables.get(query.table)?.oracle;
      if (table === undefined) throw new Error(`no table ${query.table}`);
      const duckdb = await loadDuckDB(table);
      if (query.sampleView !== undefined) {
        const [expected] = sampleNaively(table, query) as [SampleAnswer];
        const rows = await sampleByDuckDB(duckdb, query, 0);
        const sorted = rows.sort((a, b) => b.timeMs - a.timeMs).slice(0, expected.limit);
        expect(sampleDifference(expected, sorted)).toBeNull();
        expect(rows.length).toBeGreaterThan(0);
      } else {
        const expected = answerNaively(table, query);
        const rows = await answerByDuckDB(duckdb, query);
        expect(answerDifference(expected, rows.slice(0, expected.limit))).toBeNull();
        expect(rows.length).toBeGreaterThan(0);
      }
      duckdb.close();
      expect(await clusterDifference(cluster, 2, table, query)).toBeNull();
    },
  );
});

/** Through the SDK's writer, one row at a time, as a program would. */
async function ingest(cluster: Cluster, table: RealTable): Promise<void> {
  const writer = cluster.client.ingest(table.oracle.name, { time: table.time, batchRows: 1000 });
  for (const line of table.lines) await writer.push(JSON.parse(line) as Record<string, unknown>);
  const summary = await writer.close();
  expect(summary).toEqual({ accepted: table.lines.length, rejected: 0, lost: 0 });
}
