import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median } from "../src/base/number/median.js";
import { startOwnServer } from "./fault/ownServer.js";
import { type LoadingPeer, openLoadingPeers } from "./ingest/ingestPeers.js";
import type { SendOrder } from "./ingest/ingestSender.js";
import { type Load, RowSender } from "./ingest/rowSender.js";
import { writeLines } from "./ingest/sentBodies.js";
import { type SentTable, sentTables } from "./ingest/sentTable.js";
import { say } from "./report/say.js";

const threads = 2;

const { values: options } = parseArgs({
  options: {
    tables: { type: "string", default: sentTables.map(({ name }) => name).join(",") },
    formats: { type: "string", default: "ndjson,arrow" },
    rows: { type: "string" },
    rounds: { type: "string", default: "5" },
    connections: { type: "string", default: "4" },
    "no-peers": { type: "boolean", default: false },
  },
});

const formats = options.formats.split(",") as SendOrder["format"][];
const folder = await mkdtemp(join(tmpdir(), "hadal-bench-"));
try {
  for (const table of sentTables)
    if (options.tables.split(",").includes(table.name))
      await benchTable({ ...table, rowCount: Number(options.rows ?? table.rowCount) });
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Loads the same rows in turns: as lines of JSON, as Arrow batches, and by each peer. */
async function benchTable(table: SentTable): Promise<void> {
  say(`${table.name}: writes the file`);
  const file = join(folder, `${table.name}.ndjson`);
  const cuts = await writeLines(file, table);
  const peers = options["no-peers"] ? [] : await openLoadingPeers(folder, threads);
  const server = await startOwnServer({ dataDir: join(folder, "hadal") });
  const loads = new Map<string, Load[]>();
  try {
    const { url, client } = server;
    const pids = await server.pids();
    const connections = Number(options.connections);
    const sender = new RowSender({ url, file, cuts, pids, client, table, connections });
    // The first bodies run in the baseline compiler, and touch memory for the first time.
    for (const format of formats) for (let i = 0; i < 2; i++) await sender.load(format);
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const format of formats) add(loads, format, await sender.load(format));
      for (const peer of peers) add(loads, peer.name, await loadInto(peer, table, file));
    }
    sender.close();
  } finally {
    await server.stop();
    for (const peer of peers) await peer.close();
    await rm(file);
  }
  print(table, cuts.at(-1)?.to ?? 0, loads);
}

async function loadInto(peer: LoadingPeer, table: SentTable, path: string): Promise<Load> {
  const { rowCount } = table;
  const { ms, cpuMs } = await peer.load({ path, rowCount, columns: table.columns(0, 1) });
  return { ms, cpuMs: { [peer.name]: cpuMs } };
}

function add(loads: Map<string, Load[]>, name: string, load: Load): void {
  loads.set(name, [...(loads.get(name) ?? []), load]);
}

function print(
  { name, rowCount }: SentTable,
  bytes: number,
  loads: ReadonlyMap<string, Load[]>,
): void {
  console.log(`${name}: ${rowCount} rows of ${Math.round(bytes / rowCount)} bytes`);
  for (const [who, all] of loads) {
    const ms = median(all.map((load) => load.ms));
    const parts = Object.keys(all[0]?.cpuMs ?? {}).map((part) => {
      const cpuMs = median(all.map((load) => load.cpuMs[part] ?? 0));
      return [part, cpuMs] as const;
    });
    const total = parts.reduce((sum, [, cpuMs]) => sum + cpuMs, 0);
    const perMillion = (cpuMs: number) => (cpuMs / 1000 / (rowCount / 1e6)).toFixed(2);
    console.log(
      `  ${who.padEnd(10)} ${(rowCount / ms).toFixed(0).padStart(6)} k rows/s, ${perMillion(total)} processor s a million rows (${parts.map(([part, cpuMs]) => `${part} ${perMillion(cpuMs)}`).join(", ")})`,
    );
  }
}
