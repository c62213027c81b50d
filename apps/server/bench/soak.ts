import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HadalClient, Query } from "@hadal/sdk";
import { memoryOf } from "../test/support/load/memoryOf.js";
import { Waits } from "../test/support/load/waits.js";
import { hostileClients } from "./fault/hostileClients.js";
import { startOwnServer } from "./fault/ownServer.js";
import { steadySoak } from "./fault/steadySoak.js";

const minutes = Number(process.argv[2] ?? 10);
/** Kinds of hostile clients by the beginnings of their names; all when none is given. */
const wanted = process.argv.slice(3);
if (wanted[0] === "steady") {
  await steadySoak(minutes, (line) => void process.stdout.write(`${line}\n`));
  process.exit(0);
}
const quietMinutes = Math.min(1, minutes / 4);
const table = "normal";
const fromMs = Date.UTC(2026, 0, 1);
const rowCount = 300_000;
const bodyRows = 1_000;

function linesFrom(first: number): string {
  return Array.from({ length: bodyRows }, (_, i) => {
    const n = first + i;
    return `{"time":${fromMs + n},"n":${(n * 7_919) % 1_000_003},"s":"u${(n * 31) % 200_000}","service":"s${n % 20}","ms":${n % 997}}`;
  }).join("\n");
}

/** What a board asks for, one tile after the other. */
const tiles: readonly Partial<Query>[] = [
  { groupBy: ["service"], aggregates: [{ fn: "count" }, { fn: "avg", column: "ms" }] },
  { groupBy: [{ time: "10s" }], aggregates: [{ fn: "percentile", p: 95, column: "ms" }] },
  { aggregates: [{ fn: "count" }], filter: [{ column: "service", op: "=", value: "s3" }] },
  { sampleView: {}, limit: 100 },
];

interface Load {
  readonly queries: Waits;
  readonly sends: Waits;
}

/** Five queries a second, and five sends of a thousand rows. */
async function normalLoad(client: HadalClient, untilMs: number, first: number): Promise<Load> {
  const load: Load = { queries: new Waits(), sends: new Waits() };
  const under: Promise<unknown>[] = [];
  for (let i = 0; performance.now() < untilMs; i++) {
    const tile = tiles[i % tiles.length]!;
    const query = { table, from: fromMs, to: fromMs + rowCount, timeoutMs: 20_000, ...tile };
    under.push(load.queries.measure(() => client.query(query)));
    const body = linesFrom(rowCount + (first + i) * bodyRows);
    const form = { contentType: "application/x-ndjson" } as const;
    under.push(load.sends.measure(() => client.ingestBody(table, body, form)));
    await sleep(200);
  }
  await Promise.all(under);
  return load;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const server = await startOwnServer();
const { client, port } = server;
for (let n = 0; n < rowCount; n += bodyRows)
  await client.ingestBody(table, linesFrom(n), { contentType: "application/x-ndjson" });
const pids = await server.pids();

await normalLoad(client, performance.now() + 3_000, 0);
const quiet = await normalLoad(client, performance.now() + quietMinutes * 60_000, 1_000);
say(`quiet: queries ${quiet.queries.print()}`);
say(`quiet: sends   ${quiet.sends.print()}`);
const field = { port, table, fromMs, toMs: fromMs + rowCount };
const chosen = Object.keys(hostileClients).filter(
  (name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
);
say(`beside: ${chosen.join(", ")}`);
const hostile = spawn(
  process.execPath,
  [join(import.meta.dirname, "hostileProcess.js"), JSON.stringify(field), JSON.stringify(chosen)],
  { stdio: "inherit" },
);
const beside = await normalLoad(client, performance.now() + minutes * 60_000, 10_000);
if (hostile.exitCode !== null) throw new Error("the hostile clients ended too early");
hostile.kill();
say(`beside: queries ${beside.queries.print()}`);
say(`beside: sends   ${beside.sends.print()}`);
const ratio = beside.queries.quantile(0.99) / quiet.queries.quantile(0.99);
say(`queries' p99: ${ratio.toFixed(1)} times the quiet one`);

const after = await server.pids();
const same = [...pids].every(([id, pid]) => after.get(id) === pid);
say(`processes: ${same ? "the same" : "NOT THE SAME"}`);
for (const [id, pid] of pids)
  say(`${id}: at most ${Math.round((await memoryOf(pid, "VmHWM")) / 2 ** 20)} MiB`);
const { rows, completeness } = await client.query({
  ...{ table, from: fromMs, to: fromMs + 1e12, aggregates: [{ fn: "count" }], timeoutMs: 60_000 },
});
say(`rows of the normal table: ${rows[0]?.[0]}, completeness ${completeness.fraction}`);
await server.stop();
process.exit(same ? 0 : 1);
