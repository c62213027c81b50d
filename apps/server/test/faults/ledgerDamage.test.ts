import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Query, Result, StatusInfo } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { damageHead } from "../../src/store/testing/segmentBytes.js";
import { type Cluster, spawnHadal, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const table = "guarded";
const startMs = Date.UTC(2025, 2, 1, 10);
const minuteMs = 60_000;
const bodyRows = 9_300;
const bodies = 20;
/** On two leaves, 93,000 each or about so. */
const rowCount = bodyRows * bodies;
const all: Query = {
  ...{ table, from: startMs, to: startMs + bodies * minuteMs },
  aggregates: [{ fn: "count" }],
  timeoutMs: 10_000,
};
/** So that segments are sealed, written and not merged away while the test looks. */
const environment = { HADAL_SEAL_AFTER: "1" };

/** The rows of one minute; the same request every time. */
async function sendBody({ client }: Cluster, i: number): Promise<void> {
  const firstMs = startMs + i * minuteMs;
  const lines = Array.from(
    { length: bodyRows },
    (_, k) => `{"time":${firstMs + (k % minuteMs)},"x":${k}}`,
  );
  const reply = await client.ingestBody(table, lines.join("\n"), {
    ...{ contentType: "application/x-ndjson", idempotencyKey: `body-${i}` },
  });
  expect(reply).toMatchObject({ accepted: bodyRows, batchId: `body-${i}` });
}

let original: string;
beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), "hadal-test-"));
  // Two starts with rows: two snapshots of the ledger, and journals between them.
  for (let start = 0; start < 2; start++) {
    const cluster = await startCluster({ leaves: 2, dataDir: original, environment });
    for (let i = start * (bodies / 2); i < (start + 1) * (bodies / 2); i++) {
      await sendBody(cluster, i);
    }
    await waitUntil("sealed segments on the disk", async () => {
      const files = await Promise.all([1, 2].map((leaf) => segmentsOf(original, `leaf-${leaf}`)));
      return files.every((paths) => paths.length > 0) ? true : null;
    });
    await cluster.stop();
  }
}, 180_000);
afterAll(() => rm(original, { recursive: true, force: true }));

async function filesOf(dataDir: string, leaf: string): Promise<readonly string[]> {
  const tables = join(dataDir, leaf, "tables");
  const [folder = ""] = await readdir(tables).catch(() => []);
  const names = await readdir(join(tables, folder)).catch(() => []);
  return names.map((name) => join(tables, folder, name));
}

const segmentsOf = async (dataDir: string, leaf: string) =>
  (await filesOf(dataDir, leaf)).filter((path) => path.endsWith(".hds"));

async function flipBit(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 4;
  await writeFile(path, bytes);
}

const ledgerFiles = async (dataDir: string, prefix: string) =>
  (await readdir(join(dataDir, "ledger")))
    .filter((name) => name.startsWith(prefix) && !name.endsWith(".damaged"))
    .sort((a, b) => Number(/\d+/.exec(a)?.[0]) - Number(/\d+/.exec(b)?.[0]))
    .map((name) => join(dataDir, "ledger", name));

/** Starts over a copy of the data folder that was damaged meanwhile. */
async function afterDamage(
  damage: (dataDir: string) => Promise<void>,
  test: (cluster: Cluster, dataDir: string) => Promise<void>,
  leaves = 2,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-test-"));
  try {
    await cp(original, dataDir, { recursive: true });
    await damage(dataDir);
    const cluster = await startCluster({ leaves, dataDir, environment });
    await test(cluster, dataDir).finally(() => cluster.stop());
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const countOf = (result: Result): number => Number(result.rows[0]?.[0]);

async function withoutLeaf2(cluster: Cluster): Promise<Result> {
  const pid = (await cluster.leafPids()).get("leaf-2") ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    return await waitUntil("an answer of leaf-1", async () => {
      const answer = await cluster.client.query({ ...all, timeoutMs: 1_000 });
      return answer.completeness.leaves.missing.length === 1 ? answer : null;
    });
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

/** Every row is there, and is known to be missing where it is. */
async function expectExact(cluster: Cluster): Promise<void> {
  const full = await cluster.client.query(all);
  expect([countOf(full), full.completeness]).toMatchObject([
    rowCount,
    { fraction: 1, rowsExpected: rowCount, rowsAnswered: rowCount },
  ]);
  const part = await withoutLeaf2(cluster);
  expect(part.completeness.rowsExpected).toBe(rowCount);
  expect(part.completeness.fraction).toBe(countOf(part) / rowCount);
  expect(part.completeness.known).toBeUndefined();
}

const status = async (cluster: Cluster): Promise<StatusInfo["ledger"]> =>
  (await cluster.client.status()).ledger;

describe("with the ledger damaged while the server was down", () => {
  test(
    "one flipped bit in the newest snapshot changes nothing",
    () =>
      afterDamage(
        async (dataDir) => flipBit((await ledgerFiles(dataDir, "snapshot")).at(-1)!),
        async (cluster, dataDir) => {
          await expectExact(cluster);
          const names = await readdir(join(dataDir, "ledger"));
          expect(names.filter((name) => name.endsWith(".damaged"))).toHaveLength(1);
          expect(await status(cluster)).toMatchObject({ state: "whole", lostRows: [], doubts: [] });
        },
      ),
    60_000,
  );

  test.each(["the newest snapshot", "both snapshots", "snapshots and journals", "its folder"])(
    "%s deleted changes nothing while leaves are whole",
    (what) =>
      afterDamage(
        async (dataDir) => {
          const snapshots = await ledgerFiles(dataDir, "snapshot");
          const journals = await ledgerFiles(dataDir, "journal");
          if (what === "the newest snapshot") await rm(snapshots.at(-1)!);
          else if (what === "its folder") await rm(join(dataDir, "ledger"), { recursive: true });
          else for (const path of snapshots) await rm(path);
          if (what === "snapshots and journals") for (const path of journals) await rm(path);
        },
        async (cluster) => {
          await expectExact(cluster);
          const compared = await waitUntil("a comparison", async () => {
            const ledger = await status(cluster);
            return ledger.comparedMs === null ? null : ledger;
          });
          expect(compared).toMatchObject({ state: "whole", lostRows: [], doubts: [] });
          // Requests that come again are found on the leaves where the ledger has lost their keys.
          for (const i of [0, bodies - 1]) await sendBody(cluster, i);
          expect(countOf(await cluster.client.query(all))).toBe(rowCount);
        },
      ),
    60_000,
  );

  test(
    "a damaged segment beside it: its rows are missing, and it is said how many",
    () =>
      afterDamage(
        async (dataDir) => {
          await rm(join(dataDir, "ledger"), { recursive: true });
          const [segment] = await segmentsOf(dataDir, "leaf-1");
          await damageHead(segment!);
        },
        async (cluster) => {
          const answer = await cluster.client.query(all);
          const lost = rowCount - countOf(answer);
          expect(lost).toBeGreaterThan(1_000);
          expect(answer.completeness).toMatchObject({
            fraction: (rowCount - lost) / rowCount,
            rowsExpected: rowCount,
            rowsAnswered: rowCount - lost,
          });
          const { lostRows, doubts, state } = await status(cluster);
          expect([state, doubts]).toEqual(["whole", []]);
          expect(lostRows).toEqual([
            { leaf: "leaf-1", table, rows: lost, reason: expect.stringContaining("segment-") },
          ]);
        },
      ),
    60_000,
  );

  test.each(["a damaged segment without its manifest", "a table's own file"])(
    "%s beside it: the share is unknown, and it is said why",
    (what) =>
      afterDamage(
        async (dataDir) => {
          await rm(join(dataDir, "ledger"), { recursive: true });
          const files = await filesOf(dataDir, "leaf-1");
          const [segment] = await segmentsOf(dataDir, "leaf-1");
          if (what === "a table's own file") {
            await writeFile(files.find((path) => path.endsWith("table.json"))!, "{");
            return;
          }
          await damageHead(segment!);
          const generation = /segment-(\d+)/.exec(segment!)![1];
          await rm(files.find((path) => path.endsWith(`rows-${generation}.json`))!);
        },
        async (cluster) => {
          const answer = await cluster.client.query(all);
          expect(countOf(answer)).toBeLessThan(rowCount);
          expect(answer.completeness).toMatchObject({ fraction: 0, known: false });
          expect(answer.completeness.reason).toMatch(/leaf-1 .*an unknown number of rows/);
          expect(answer.intervals).toEqual({});
          expect(answer.notes?.map(({ text }) => text).join()).toMatch(
            /The number of expected rows is unknown/,
          );
          await expect(cluster.client.query({ ...all, exact: true })).rejects.toMatchObject({
            code: "incomplete",
            message: expect.stringContaining("an unknown number of rows"),
          });
          const { doubts } = await status(cluster);
          expect(doubts).toEqual([{ table, reason: answer.completeness.reason }]);
          // What arrives from now on is counted.
          const future = Date.now() + 3_600_000;
          const late = await cluster.client.query({ ...all, from: future, to: future + minuteMs });
          expect(late.completeness).toMatchObject({ fraction: 1 });
        },
      ),
    60_000,
  );

  test(
    "a leaf that is no longer started: the share is unknown",
    () =>
      afterDamage(
        (dataDir) => rm(join(dataDir, "ledger"), { recursive: true }),
        async (cluster) => {
          const { completeness } = await cluster.client.query(all);
          expect(completeness).toMatchObject({ fraction: 0, known: false });
          expect(await status(cluster)).toMatchObject({
            state: "rebuilding",
            reason: expect.stringContaining("waiting for leaf-2"),
          });
        },
        1,
      ),
    60_000,
  );

  test(
    "rows that are in no file any more are missing while the ledger is whole",
    () =>
      afterDamage(
        async (dataDir) => {
          const table = (await filesOf(dataDir, "leaf-2"))[0]!;
          await rename(join(table, ".."), join(dataDir, "away"));
        },
        async (cluster) => {
          const answer = await cluster.client.query(all);
          expect(answer.completeness).toMatchObject({
            fraction: countOf(answer) / rowCount,
            rowsExpected: rowCount,
          });
          const { lostRows } = await waitUntil("a comparison", async () => {
            const ledger = await status(cluster);
            return ledger.comparedMs === null ? null : ledger;
          });
          expect(lostRows).toMatchObject([{ leaf: "leaf-2", rows: rowCount - countOf(answer) }]);
        },
      ),
    60_000,
  );
});

test("a server that is killed while it makes a snapshot counts every row afterwards", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-test-"));
  try {
    await cp(original, dataDir, { recursive: true });
    for (let kill = 0; kill < 4; kill++) {
      const { child, exited } = spawnHadal([
        ...["serve", "--port", "0", "--data-dir", dataDir, "--no-demo", "--leaves", "2"],
      ]);
      // A start with a journal makes a snapshot at once.
      const before = await ledgerFiles(dataDir, "journal");
      await waitUntil("a new journal", async () => {
        const files = await ledgerFiles(dataDir, "journal");
        return files.at(-1) === before.at(-1) ? null : true;
      });
      await new Promise((resolve) => setTimeout(resolve, kill * 4));
      child.kill("SIGKILL");
      await exited;
    }
    const cluster = await startCluster({ leaves: 2, dataDir });
    await expectExact(cluster).finally(() => cluster.stop());
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}, 120_000);
