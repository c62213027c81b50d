import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { askAll } from "../support/allTime.js";
import { allFiles } from "../support/damagedFolder.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const table = "orphans";
const bodyRows = 20;
const startMs = Date.UTC(2026, 6, 3, 12);

let cluster: Cluster | undefined;
let dataDir = "";

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Cluster> {
  cluster = await startCluster({ leaves: 2, dataDir });
  return cluster;
}

async function send({ client }: Cluster, body: number): Promise<number> {
  const lines = Array.from({ length: bodyRows }, (_, i) =>
    JSON.stringify({ time: startMs + body * bodyRows + i, id: body * bodyRows + i }),
  );
  const reply = await client.ingestBody(table, lines.join("\n"), {
    contentType: "application/x-ndjson",
  });
  return reply.accepted;
}

const hintFiles = async (): Promise<readonly string[]> =>
  (await allFiles(dataDir)).filter((path) => path.endsWith(".hda"));

test("acknowledged rows in hinted batches outlive a kill of everything and the loss of the ledger", {
  timeout: 120_000,
}, async () => {
  dataDir = await mkdtemp(join(tmpdir(), "hadal-orphans-"));
  const running = await start();
  let bodies = 0;
  while (bodies < 10) expect(await send(running, bodies++)).toBe(bodyRows);
  const pids = await running.leafPids();
  const silent = pids.get("leaf-1") ?? 0;
  const { members } = await running.client.status();
  const gateway = members.find(({ role }) => role === "gateway")?.pid ?? 0;
  expect(Math.min(silent, gateway)).toBeGreaterThan(1);
  process.kill(silent, "SIGSTOP");
  // Enough at once that some go to the leaf that is silent.
  const first = bodies;
  bodies += 16;
  const sending = Array.from({ length: 16 }, (_, i) => send(running, first + i));
  expect(await Promise.all(sending)).toEqual(sending.map(() => bodyRows));
  expect((await hintFiles()).length).toBeGreaterThan(0);
  // What its socket holds of them is lost with it.
  for (const pid of [running.pid, gateway, ...pids.values()]) process.kill(pid, "SIGKILL");
  await running.killed();
  expect((await hintFiles()).length).toBeGreaterThan(0);
  await rm(join(dataDir, "ledger"), { recursive: true });
  const again = await start();
  const sent = bodies * bodyRows;
  await waitUntil("every row", async () => {
    const { completeness, rows } = await askAll(again, table, {
      ...{ exact: false },
      aggregates: [{ fn: "count" }, { fn: "distinct", column: "id" }],
    });
    const [count, ids] = (rows[0] ?? []).map(Number);
    expect(count).toBeLessThanOrEqual(sent);
    const isWhole = completeness.fraction === 1 && completeness.known !== false;
    if (isWhole) expect([count, ids]).toEqual([sent, sent]);
    return isWhole ? true : null;
  });
  await waitUntil("no hints", async () => ((await hintFiles()).length === 0 ? true : null));
});
