import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limitMax, type Result } from "@hadal/sdk";
import { afterEach, expect, test } from "vitest";
import { allFiles } from "../support/damagedFolder.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { pause, waitUntil } from "../support/waitUntil.js";

const table = "received";
const startMs = Date.UTC(2026, 6, 1, 12);
const bodyRows = 20;
const senders = 8;
const kills = 4;
/** Rows acknowledged within this time before the kill may be lost. */
const lossMsMax = 1_000;

let cluster: Cluster | undefined;
let dataDir = "";

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Cluster> {
  dataDir ||= await mkdtemp(join(tmpdir(), "hadal-received-"));
  cluster = await startCluster({ leaves: 2, dataDir });
  return cluster;
}

/** When each body was acknowledged, by its number. */
type Journal = Map<number, number>;

/** Sends small bodies until it is stopped; the answers that did not come are not in the journal. */
async function sendAll(running: Cluster, journal: Journal, isDone: () => boolean): Promise<void> {
  let next = 0;
  const sendOn = async (): Promise<void> => {
    while (!isDone()) {
      const body = next++;
      const lines = Array.from({ length: bodyRows }, (_, i) =>
        JSON.stringify({ time: startMs + body * bodyRows + i, id: body * bodyRows + i }),
      );
      const options = { contentType: "application/x-ndjson", ack: "received" } as const;
      const reply = await running.client
        .ingestBody(table, lines.join("\n"), options)
        .catch(() => null);
      if (reply === null) continue;
      expect(reply).toMatchObject({ accepted: bodyRows, ack: "received" });
      journal.set(body, performance.now());
    }
  };
  await Promise.all(Array.from({ length: senders }, sendOn));
}

const askIds = ({ client }: Cluster): Promise<Result> =>
  client.query({
    ...{ table, from: startMs, to: startMs + limitMax, limit: limitMax, timeoutMs: 30_000 },
    sampleView: { columns: ["id"] },
  });

/** Bodies by how many of their rows are there; no row twice. */
function bodiesOf(result: Result): ReadonlyMap<number, number> {
  const idAt = result.columns.findIndex(({ name }) => name === "id");
  const ids = result.rows.map((row) => Number(row[idAt]));
  expect(new Set(ids).size).toBe(ids.length);
  const bodies = new Map<number, number>();
  for (const id of ids) {
    const body = Math.floor(id / bodyRows);
    bodies.set(body, (bodies.get(body) ?? 0) + 1);
  }
  return bodies;
}

test("a leaf that is killed loses what was acknowledged in its last second at most, and completeness shows it", {
  timeout: 180_000,
}, async () => {
  const running = await start();
  const journal: Journal = new Map();
  const killsMs: number[] = [];
  let isDone = false;
  const sending = sendAll(running, journal, () => isDone);
  for (let kill = 0; kill < kills; kill++) {
    await pause(400 + Math.random() * 400);
    const [id, pid] = [...(await running.leafPids())][kill % 2] ?? ["", 0];
    expect(pid).toBeGreaterThan(1);
    killsMs.push(performance.now());
    process.kill(pid, "SIGKILL");
    await waitUntil(
      `${id} to come back`,
      async () => {
        const { members } = await running.client.status();
        const member = members.find((one) => one.id === id);
        return member?.state === "alive" && member.pid !== pid ? member : null;
      },
      30_000,
    );
  }
  isDone = true;
  await sending;
  // What was on its way to a killed leaf waits in a file of the other.
  await waitUntil("no hints", async () => {
    const files = await allFiles(dataDir);
    return files.some((path) => path.endsWith(".hda")) ? null : true;
  });
  const result = await waitUntil("both leaves", async () => {
    const answer = await askIds(running);
    return answer.completeness.leaves.missing.length === 0 ? answer : null;
  });
  const stored = bodiesOf(result);
  // Wholly or not at all.
  for (const rows of stored.values()) expect(rows).toBe(bodyRows);
  const lost = [...journal].filter(([body]) => !stored.has(body));
  for (const [body, ackMs] of lost) {
    const lostBefore = killsMs.map((killMs) => killMs - ackMs).filter((ms) => ms > -lossMsMax);
    expect(Math.min(...lostBefore), `body ${body}`).toBeLessThan(lossMsMax);
  }
  // What is lost stays expected: the share is not too high.
  expect(journal.size).toBeGreaterThan(100);
  const most = stored.size / (stored.size + lost.length);
  expect(result.completeness.fraction).toBeLessThanOrEqual(most);
  expect(result.completeness.fraction).toBeGreaterThan(0.5);
});

test("a server that is stopped loses nothing", { timeout: 120_000 }, async () => {
  const running = await start();
  const journal: Journal = new Map();
  let isDone = false;
  const sending = sendAll(running, journal, () => isDone);
  await waitUntil("rows", () => (journal.size > 200 ? true : null), 30_000);
  const stopping = running.stop();
  await stopping;
  isDone = true;
  await sending;
  const stored = bodiesOf(await askIds(await start()));
  expect([...journal.keys()].filter((body) => stored.get(body) !== bodyRows)).toEqual([]);
});
