import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type HadalClient, HadalError } from "@hadal/sdk";
import { type BenchOptions, parseBenchOptions } from "./benchOptions.js";
import { type BenchCluster, startBenchCluster } from "./cluster/benchCluster.js";
import { curveShares, measureCurve } from "./cluster/curve.js";
import { type LoadOptions, TableLoader } from "./cluster/loadTables.js";
import { QueryMeasurement } from "./cluster/measureQueries.js";
import { measureThreadScaling } from "./cluster/threadScaling.js";
import { benchBatches } from "./part/batchBench.js";
import { benchIngest } from "./part/ingestBench.js";
import { benchLeafToRoot } from "./part/leafToRoot.js";
import { benchParse, benchParseNested } from "./part/parseBench.js";
import { benchPlanning } from "./part/planBench.js";
import { benchRestart } from "./part/restartBench.js";
import { measureSealNs } from "./part/sealBench.js";
import { openPeer, peersFor } from "./peer/openPeer.js";
import type { PeerName, TableFile } from "./peer/peer.js";
import { benchQueries, lacksColumn, tablesOf } from "./query/benchQueries.js";
import {
  type Bandwidth,
  type BenchReport,
  type BenchResult,
  type CurvePoint,
  machineFacts,
  printReport,
  type TableMemory,
} from "./report/benchReport.js";
import { say } from "./report/say.js";
import type { BenchTable } from "./table/benchTable.js";
import { events } from "./table/eventTables.js";
import { logLines } from "./table/logTable.js";

/** Seen from the bundle, and from the source. */
const bandwidthProgram = fileURLToPath(
  new URL("../../../packages/kernel-wasm/bench/bandwidth.mjs", import.meta.url),
);

/** What text queries are timed on is in their name: raw pages, or (afterRestart) what files hold. */
const leafFlags = ["--raw-texts", "86400"];

const folder = await mkdtemp(join(tmpdir(), "hadal-bench-"));
try {
  await runBench(parseBenchOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runBench(options: BenchOptions): Promise<void> {
  const isWanted = (name: string) => options.only.length === 0 || options.only.includes(name);
  const queries = benchQueries.filter(
    (query) => isWanted(query.name) && !lacksColumn(query, options.without),
  );
  const tables = tablesOf(queries, options.without);
  const peers = peersFor(options.peers);
  // First: what hours of other work left on the heap would count.
  const parts = await benchParts(isWanted);
  const sealing = options.only.length === 0 ? { sealNsPerRow: await measureSealNs() } : {};
  let cluster = await startBenchCluster(options.threads, join(folder, "hadal"), leafFlags);
  try {
    const loading = { total: options.rows, cluster, folder: peers.length === 0 ? null : folder };
    const curve = options.curve ? await loadWithCurve(loading) : null;
    const files: TableFile[] = [...(curve?.files ?? [])];
    for (const table of tables) {
      if (curve === null || table !== events) files.push(...(await load(table, loading)));
    }
    const measurements = queries.map((query) => new QueryMeasurement(query, options.threads));
    const comparing = { measurements, peers, files, options };
    const versions = await compareAll(cluster, comparing, "fresh");
    const { memory, ingest } = await cluster.serve(async (client, url) => ({
      memory: await measureMemory(client, tables, "fresh"),
      ingest: await benchIngests(client, url, isWanted),
    }));
    if (queries.some(({ afterRestart }) => afterRestart)) {
      await cluster.stop();
      cluster = await startBenchCluster(options.threads, join(folder, "hadal"), leafFlags);
      await compareAll(cluster, comparing, "restarted");
      memory.push(
        ...(await cluster.serve((client) => measureMemory(client, [logLines], "restarted"))),
      );
    }
    const { rows, threads, json } = options;
    const results: BenchResult[] = [
      ...measurements.map((each) => each.result()),
      ...ingest,
      ...parts,
    ];
    const machine = { ...machineFacts(), ...versions };
    const limits = options.only.length === 0 ? await measureLimits(rows) : {};
    const report: BenchReport = {
      ...{ machine, rows, threads, results, memory },
      ...(curve === null ? {} : { curve: curve.points }),
      ...limits,
      ...sealing,
    };
    console.log(printReport(report));
    if (json !== null) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await cluster.stop();
  }
}

/** What the machine and the kernel can do at all, while nothing else runs. */
async function measureLimits(
  rows: number,
): Promise<Pick<BenchReport, "bandwidth" | "threadScans">> {
  say("limits …");
  const { stdout } = await promisify(execFile)(process.execPath, [bandwidthProgram]);
  return {
    bandwidth: JSON.parse(stdout) as Bandwidth,
    threadScans: await measureThreadScaling(folder, rows),
  };
}

async function load(table: BenchTable, options: LoadOptions): Promise<TableFile[]> {
  const loader = new TableLoader(table, options);
  await loader.loadTo(1);
  const file = loader.finish();
  return file === null ? [] : [file];
}

/** Loads the events in parts, and asks in between. */
async function loadWithCurve(
  options: LoadOptions,
): Promise<{ points: CurvePoint[]; files: TableFile[] }> {
  const loader = new TableLoader(events, options);
  const points: CurvePoint[] = [];
  for (const share of curveShares) {
    await loader.loadTo(share);
    const point = (client: HadalClient) => measureCurve(client, share, options.total);
    points.push(await options.cluster.serve(point));
  }
  const file = loader.finish();
  return { points, files: file === null ? [] : [file] };
}

/** Leaves as they were filled, or started again over their files. */
type Stage = "fresh" | "restarted";

interface Comparing {
  readonly measurements: readonly QueryMeasurement[];
  readonly peers: readonly PeerName[];
  readonly files: readonly TableFile[];
  readonly options: BenchOptions;
}

/** One peer after the other, so that memory holds one copy of the rows beside Hadal's. Returns their versions. */
async function compareAll(
  cluster: BenchCluster,
  { measurements, peers, files, options }: Comparing,
  stage: Stage,
): Promise<Record<string, string>> {
  const compressed = stage === "restarted";
  const asked = measurements.filter(({ query }) => (query.afterRestart ?? false) === compressed);
  const names = new Set(asked.map(({ query }) => query.query.table));
  const versions: Record<string, string> = {};
  if (asked.length === 0) return versions;
  for (const name of peers.length === 0 ? [null] : peers) {
    const peer = name === null ? null : await openPeer(name, options.threads);
    try {
      for (const file of peer === null ? [] : files) {
        if (!names.has(file.table.name)) continue;
        say(`${peer?.name} loads ${file.table.name}`);
        await peer?.load(file, { compressed });
      }
      if (peer !== null) versions[peer.name] = peer.version;
      await cluster.serve(async (client) => {
        for (const measurement of asked) {
          try {
            await measurement.compare(client, cluster, peer, options.runs);
          } catch (error) {
            // An hour of other measurements is not lost for it.
            if (!(error instanceof HadalError)) throw error;
            measurement.refuse(error);
          }
        }
      });
    } finally {
      await peer?.close();
    }
  }
  return versions;
}

async function measureMemory(
  client: HadalClient,
  tables: readonly BenchTable[],
  stage: Stage,
): Promise<TableMemory[]> {
  const details = await Promise.all(tables.map(({ name }) => client.table(name)));
  return details.map(({ name, rows, bytesPerRow, compressionRatio }) => ({
    ...{ table: stage === "fresh" ? name : `${name} after a restart`, rows: rows! },
    ...{ bytesPerRow: bytesPerRow!, ratio: compressionRatio! },
  }));
}

/** What is before and between the scans: reading rows, planning, and the way of many groups to the root. */
async function benchParts(isWanted: (name: string) => boolean): Promise<readonly BenchResult[]> {
  const parts = [
    ["parse-ndjson", benchParse],
    ["parse-ndjson-nested", benchParseNested],
    ["columnar-batch", benchBatches],
    ["parse-resolve", (name: string) => benchPlanning(name, benchQueries, tablesOf(benchQueries))],
    ["groups-100k", (name: string) => benchLeafToRoot(name, "int")],
    ["groups-100k-strings", (name: string) => benchLeafToRoot(name, "string")],
    ["restart", benchRestart],
  ] as const;
  const results: BenchResult[] = [];
  for (const [name, measure] of parts) {
    if (!isWanted(name)) continue;
    say(`${name} …`);
    results.push(...[await measure(name)].flat());
  }
  return results;
}

async function benchIngests(
  client: HadalClient,
  url: string,
  isWanted: (name: string) => boolean,
): Promise<readonly BenchResult[]> {
  const results: BenchResult[] = [];
  for (const format of ["ndjson", "columnar"] as const) {
    if (isWanted(`ingest-${format}`)) results.push(await benchIngest(client, url, format));
  }
  return results;
}
