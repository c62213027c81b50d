import { writeFile } from "node:fs/promises";
import type { HadalClient, Result } from "@hadal/sdk";
import { disagreement } from "./agree.js";
import { type BenchCluster, startBenchCluster } from "./benchCluster.js";
import { type BenchOptions, parseBenchOptions } from "./benchOptions.js";
import { type BenchQuery, benchQueries } from "./benchQueries.js";
import {
  type BenchReport,
  type BenchResult,
  machineFacts,
  median,
  printReport,
  type TableMemory,
} from "./benchReport.js";
import { generateRows, rowsAsBatch, tableNames } from "./benchRows.js";
import { DuckDBPeer } from "./duckdbPeer.js";
import { benchIngest } from "./ingestBench.js";

const batchRows = 16_384;
/** Batches on their way at one time: enough to keep two leaves busy, few enough to stay small. */
const batchesInFlight = 6;
const warmUpRuns = 3;
/** About how long the hot runs of one query may take. */
const runsMs = 1_000;

try {
  await runBench(parseBenchOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function runBench(options: BenchOptions): Promise<void> {
  const isWanted = (name: string) => options.only.length === 0 || options.only.includes(name);
  const queries = benchQueries.filter(({ name }) => isWanted(name));
  const cluster = await startBenchCluster(options.threads);
  const peer = options.peers.includes("duckdb") ? await DuckDBPeer.open(options.threads) : null;
  try {
    if (queries.length > 0) await load(options.rows, cluster, peer);
    const client = await cluster.serve();
    const results: BenchResult[] = [];
    for (const query of queries) {
      say(`${query.name} …`);
      results.push(await compare(client, peer, query, options.runs));
    }
    const memory = queries.length > 0 ? await measureMemory(client) : [];
    if (isWanted("ingest-ndjson")) {
      say("ingest-ndjson …");
      results.push(await benchIngest(client));
    }
    const { rows, threads } = options;
    const report: BenchReport = { machine: machineFacts(), rows, threads, results, memory };
    console.log(printReport(report));
    if (options.json !== null)
      await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    peer?.close();
    await cluster.stop();
  }
}

/** The same rows to both, batch by batch. */
async function load(total: number, cluster: BenchCluster, peer: DuckDBPeer | null): Promise<void> {
  const startedMs = performance.now();
  const pending = new Set<Promise<void>>();
  let failure: unknown = null;
  let told = 0;
  for (let first = 0; first < total; first += batchRows) {
    const rows = generateRows(first, Math.min(batchRows, total - first), total);
    for (const kind of ["plain", "weighted"] as const) {
      const placed = cluster
        .append(tableNames[kind], rowsAsBatch(rows, kind))
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => pending.delete(placed));
      pending.add(placed);
    }
    peer?.append(rows);
    while (pending.size >= batchesInFlight) await Promise.race(pending);
    if (failure !== null) throw failure;
    const tenth = Math.floor((10 * (first + rows.count)) / total);
    if (tenth > told) say(`${tenth * 10} % of ${total.toLocaleString("en")} rows loaded`);
    told = tenth;
  }
  await Promise.all(pending);
  if (failure !== null) throw failure;
  await peer?.finish();
  say(`loaded in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
}

/** Answers first; then hot runs of both in turn, so that what disturbs one disturbs the other. */
async function compare(
  client: HadalClient,
  peer: DuckDBPeer | null,
  { name, query, sql, columns }: BenchQuery,
  runs: number,
): Promise<BenchResult> {
  const result = await client.query(query);
  const peerRows = peer === null ? null : (await peer.query(sql)).rows();
  const difference = peerRows === null ? null : disagreement(result, peerRows, columns);
  for (let run = 0; run < warmUpRuns; run++) await client.query(query);
  const startedMs = performance.now();
  await client.query(query);
  // Short queries are run more often: their medians would tell of the machine's interruptions else.
  const times = Math.max(
    runs,
    Math.min(runs * 6, Math.round(runsMs / (performance.now() - startedMs))),
  );
  const ours: number[] = [];
  const theirs: number[] = [];
  const firsts: number[] = [];
  for (let run = 0; run < times; run++) {
    const timed = await time(client, query);
    ours.push(timed.finalMs);
    firsts.push(timed.firstMs);
    if (peer !== null) theirs.push((await peer.query(sql)).ms);
  }
  const hadalMs = median(ours);
  const peers: Record<string, number> = peer === null ? {} : { duckdb: median(theirs) };
  const fastest = Math.min(...Object.values(peers));
  return {
    ...{ query: name, hadalMs, peers },
    ratio: Number.isFinite(fastest) ? fastest / hadalMs : null,
    bytesScanned: result.stats.bytesScanned,
    checked: peerRows !== null && difference === null,
    firstPartialMs: median(firsts),
    ...(difference === null ? {} : { note: difference }),
  };
}

async function time(
  client: HadalClient,
  query: BenchQuery["query"],
): Promise<{ firstMs: number; finalMs: number; result: Result }> {
  const startedMs = performance.now();
  let firstMs: number | null = null;
  const result = await client.query(query, {
    onPartial: () => {
      firstMs ??= performance.now() - startedMs;
    },
  });
  const finalMs = performance.now() - startedMs;
  return { firstMs: firstMs ?? finalMs, finalMs, result };
}

async function measureMemory(client: HadalClient): Promise<TableMemory[]> {
  const tables = await Promise.all(Object.values(tableNames).map((name) => client.table(name)));
  return tables.map(({ name, rows, bytes }) => ({ table: name, rows, bytesPerRow: bytes / rows }));
}

/** Progress is for people who watch; the report alone goes to standard output. */
function say(text: string): void {
  console.error(text);
}
