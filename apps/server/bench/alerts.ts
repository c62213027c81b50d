import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { HadalClient, Query } from "@hadal/sdk";
import { Waits } from "../test/support/load/waits.js";
import { saveRules } from "./alert/benchRules.js";
import { feedDemo } from "./board/fillDemo.js";
import { type OwnServer, startOwnServer } from "./fault/ownServer.js";
import { say } from "./report/say.js";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "3000000" },
    rules: { type: "string", default: "5000" },
    seconds: { type: "string", default: "120" },
  },
});
const rules = Number(values.rules);
const seconds = Number(values.seconds);
/** Every rule is due once before anything counts. */
const warmUpMs = 75_000;
const askEveryMs = 100;
const ticks = 100;

/** What a person asks: of the last ten minutes, and never twice the same. */
const lightQuery = (i: number): Query => {
  const to = Date.now() - (i % 1_000);
  return {
    ...{ table: "requests", from: to - 600_000, to, groupBy: ["service"], limit: 10 },
    aggregates: [{ fn: "count" }, { fn: "avg", column: "latency_us" }],
    timeoutMs: 10_000,
  };
};

async function askFor(client: HadalClient, ms: number): Promise<Waits> {
  const waits = new Waits();
  const endMs = performance.now() + ms;
  const asked: Promise<unknown>[] = [];
  for (let i = 0; performance.now() < endMs; i++) {
    asked.push(waits.measure(() => client.query(lightQuery(i))));
    await sleep(askEveryMs);
  }
  await Promise.all(asked);
  return waits;
}

/** The sum of a metric over its labels, or one of them. */
async function metric({ url }: OwnServer, name: string, label = ""): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(name) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** Seconds of processor time so far: of the gateway, and of all leaves. */
async function processorOf(server: OwnServer): Promise<{ gateway: number; leaves: number }> {
  const spent = { gateway: 0, leaves: 0 };
  for (const [id, pid] of await server.pids()) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const [user = 0, system = 0] = stat.split(") ")[1]!.split(" ").slice(11, 13).map(Number);
    spent[id === "gateway" ? "gateway" : "leaves"] += (user + system) / ticks;
  }
  return spent;
}

const dataDir = await mkdtemp(join(tmpdir(), "hadal-bench-"));
const server = await startOwnServer({ dataDir });
say(`alerts: sending ${values.rows} rows of the demo`);
const demo = await feedDemo(server.url, Number(values.rows));
await askFor(server.client, 10_000);
const quiet = await askFor(server.client, (seconds / 2) * 1_000);
say(`quiet: light queries ${quiet.print()}`);
await saveRules(dataDir, rules);
say(`alerts: ${rules} rules, each due once a minute; ${warmUpMs / 1_000} s until it counts`);
await askFor(server.client, warmUpMs);

const evaluations = await metric(server, "hadal_alert_evaluations_total");
const scanned = await metric(server, "hadal_rows_scanned_total");
const processor = await processorOf(server);
const startedMs = performance.now();
const beside = await askFor(server.client, seconds * 1_000);
const minutes = (performance.now() - startedMs) / 60_000;
const done = (await metric(server, "hadal_alert_evaluations_total")) - evaluations;
const rows = (await metric(server, "hadal_rows_scanned_total")) - scanned;
const spent = await processorOf(server);
const share = (ms: number): string => `${((ms / (minutes * 60)) * 100).toFixed(0)} %`;
const lag = async (quantile: string): Promise<string> =>
  `${(await metric(server, "hadal_alert_lag_seconds", `"${quantile}"`)).toFixed(2)} s`;

say(`alerts: ${(done / minutes).toFixed(0)} evaluations a minute of ${rules} rules`);
say(`alerts: lag p50 ${await lag("0.5")}, p99 ${await lag("0.99")}`);
say(`alerts: ${await metric(server, "hadal_alert_rules_behind")} rules are behind`);
say(`alerts: ${(rows / done).toFixed(0)} rows scanned for an evaluation, light queries included`);
say(
  `alerts: gateway ${share(spent.gateway - processor.gateway)} of a core, leaves ${share(spent.leaves - processor.leaves)}`,
);
say(`beside: light queries ${beside.print()}`);
const times = beside.quantile(0.99) / quiet.quantile(0.99);
say(`light queries' p99: ${times.toFixed(2)} times the quiet one`);
const states = new Map<string, number>();
for (const { state, reason } of await server.client.alerts.list()) {
  const text = reason === null ? state : `${state} (${reason.slice(0, 100)})`;
  states.set(text, (states.get(text) ?? 0) + 1);
}
say(`states: ${[...states].map(([state, count]) => `${count} ${state}`).join(", ")}`);

demo.kill();
await server.stop();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);
