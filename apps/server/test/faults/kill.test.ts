import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HadalClient, Query, Result } from "@hadal/sdk";
import { HadalError, limitMax } from "@hadal/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { expectEachRowOnce, pushRows, rowOf, rowsFromMs } from "../support/journalRows.js";
import type { Cluster } from "../support/startCluster.js";
import { startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const table = "journal";
const kills = 4;
const leaves = 2;
/** Rows acknowledged between two kills: several batches on each leaf. */
const rowsBetweenKills = 4_000;
/** Rows of a batch that is sent by itself. */
const bodyRows = 100;
const timeoutMs = 180_000;

let cluster: Cluster | undefined;

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

async function killLeaf(running: Cluster, kill: number): Promise<void> {
  const pids = [...(await running.leafPids())];
  const [id, pid] = pids[kill % pids.length] ?? ["", 0];
  expect(pid).toBeGreaterThan(1);
  process.kill(pid, "SIGKILL");
  await waitUntil(
    `leaf ${id} to come back`,
    async () => {
      const { members } = await running.client.status();
      const member = members.find((found) => found.id === id);
      return member?.state === "alive" && member.pid !== pid ? member : null;
    },
    30_000,
  );
}

/** Ends every process of the cluster at once, as a power cut would. */
async function killAll(running: Cluster): Promise<void> {
  const { members } = await running.client.status();
  const pids = members.flatMap(({ pid }) => (pid === null ? [] : [pid]));
  expect(pids).toHaveLength(leaves + 1);
  // The supervisor first: it would start the others again.
  for (const pid of [running.pid, ...pids]) process.kill(pid, "SIGKILL");
  await running.killed();
  cluster = undefined;
}

describe("a cluster that is killed during ingest", () => {
  it("has every acknowledged row once after its next start", { timeout: timeoutMs }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "hadal-faults-"));
    try {
      const first = await startCluster({ leaves, dataDir });
      cluster = first;
      const acknowledged = await ingestUntilDead(first);
      cluster = await startCluster({ leaves, dataDir });
      const { client } = cluster;
      const result = await askExactly(client, {
        table,
        from: rowsFromMs,
        to: rowsFromMs + limitMax,
        sampleView: { columns: ["id"] },
        limit: limitMax,
        timeoutMs: 60_000,
      });
      const idAt = result.columns.findIndex(({ name }) => name === "id");
      const stored = result.rows.map((row) => Number(row[idAt]));
      expect(new Set(stored).size).toBe(stored.length);
      const found = new Set(stored);
      expect(acknowledged.length).toBeGreaterThan(rowsBetweenKills);
      expect(acknowledged.filter((id) => !found.has(id)).length).toBe(0);
      // A batch without an answer is stored wholly or not at all.
      const answered = new Set(acknowledged.map((id) => Math.floor(id / bodyRows)));
      const batches = new Set(stored.map((id) => Math.floor(id / bodyRows)));
      expect(stored.length).toBe(batches.size * bodyRows);
      expect(batches.size - answered.size).toBeLessThanOrEqual(1);
    } finally {
      await cluster?.stop();
      cluster = undefined;
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

/** The exact answer, once every leaf has said what it holds of what was on its way when the server ended. */
function askExactly(client: HadalClient, query: Query): Promise<Result> {
  return waitUntil("every leaf to say what it holds", async () => {
    try {
      return await client.query({ ...query, exact: true });
    } catch (error) {
      if (error instanceof HadalError && error.code === "incomplete") return null;
      throw error;
    }
  });
}

/** Sends batches one after the other; kills everything while one is on its way. Returns the acknowledged ids. */
async function ingestUntilDead(running: Cluster): Promise<number[]> {
  const acknowledged: number[] = [];
  let killing: Promise<void> | undefined;
  for (let first = 0; ; first += bodyRows) {
    const ids = Array.from({ length: bodyRows }, (_, index) => first + index);
    const body = ids.map((id) => `${JSON.stringify(rowOf(id))}\n`).join("");
    const sending = running.client.ingestBody(table, body, { contentType: "application/x-ndjson" });
    const answered = sending.then(
      (reply) => reply.accepted === bodyRows,
      () => false,
    );
    if (acknowledged.length > 3 * rowsBetweenKills) killing ??= killAll(running);
    if (!(await answered)) break;
    acknowledged.push(...ids);
  }
  await killing;
  return acknowledged;
}

describe("a leaf that is killed during ingest", () => {
  it("loses no acknowledged row and doubles none", { timeout: timeoutMs }, async () => {
    const running = await startCluster({ leaves });
    cluster = running;
    let accepted = 0;
    const ingest = running.client.ingest(table, {
      batchRows: 200,
      batchMs: 20,
      pendingRowsMax: 2_000,
      onBatch: (reply) => {
        accepted += reply.accepted;
      },
    });
    let isDone = false;
    const pushing = pushRows(ingest, () => isDone);
    try {
      for (let kill = 0; kill < kills; kill++) {
        const enough = accepted + rowsBetweenKills;
        await waitUntil("rows to be accepted", () => (accepted >= enough ? true : null), 30_000);
        await killLeaf(running, kill);
      }
    } finally {
      isDone = true;
    }
    const { pushed, summary } = await pushing;
    expect(summary).toEqual({ accepted: pushed, rejected: 0, lost: 0 });
    await expectEachRowOnce(running.client, table, pushed);
  });
});
