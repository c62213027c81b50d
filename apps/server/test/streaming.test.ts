import { HadalError, type Query, type ServerFrame } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomTable } from "./oracle/table/randomTable.js";
import { openFrameLog } from "./support/frameLog.js";
import { loadTable } from "./support/loadTable.js";
import { processorMs } from "./support/processorTime.js";
import { loadSlowTable, slowQuery } from "./support/slowQuery.js";
import type { Cluster } from "./support/startCluster.js";
import { startCluster } from "./support/startCluster.js";
import { pause, waitUntil } from "./support/waitUntil.js";

/** CPU time that a cancelled query may still use on each leaf; a busy machine does not change it. */
const stopMsMax = 250;
/** How long leaves are watched for whether they scan. */
const watchedMs = 600;
const leafCount = 2;
const rowCount = 30_000;
const table = randomTable({
  name: "streamed",
  rowCount,
  seed: 11,
  times: "in order",
  sampleRates: "absent",
  missing: 0,
});
const query: Query = {
  table: table.name,
  from: "2024-03-01T00:00:00Z",
  to: "2024-05-01T00:00:00Z",
  groupBy: ["few"],
  timeoutMs: 10_000,
};

let cluster: Cluster;
beforeAll(async () => {
  // Nothing is sealed while the tests run: what leaves compute is queries.
  cluster = await startCluster({ leaves: leafCount, environment: { HADAL_SEAL_AFTER: "3600" } });
  await loadTable(cluster, table, 500);
  await loadSlowTable(cluster);
}, 180_000);
afterAll(() => cluster?.stop());

/** Stops one leaf in its tracks while `during` runs, and lets it go on. */
async function withStoppedLeaf<T>(during: (leafId: string) => Promise<T>): Promise<T> {
  const [[leafId, pid] = ["", 0]] = [...(await cluster.leafPids())];
  process.kill(pid, "SIGSTOP");
  try {
    return await during(leafId);
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

async function expectWholeAgain(): Promise<void> {
  const result = await waitUntil("a whole answer", async () => {
    const answer = await cluster.client.query({ ...query, timeoutMs: 2000 }).catch(() => null);
    return answer?.completeness.fraction === 1 ? answer : null;
  });
  const counted = result.rows.reduce((sum, row) => sum + Number(row[1]), 0);
  expect(counted).toBe(rowCount);
  expect(result.completeness.leaves).toMatchObject({ answered: 2, total: 2, missing: [] });
}

describe("partials", () => {
  test("come while a leaf is awaited; completeness never falls; nothing follows the final", async () => {
    const log = await openFrameLog(cluster.url);
    const fractionOf = (frame: ServerFrame) =>
      "completeness" in frame ? frame.completeness.fraction : Number.NaN;
    const partial = await withStoppedLeaf(async () => {
      log.send({ kind: "query", id: "q1", query });
      return log.first((frame) => frame.id === "q1" && frame.kind === "partial");
    });
    expect(fractionOf(partial)).toBeGreaterThan(0);
    expect(fractionOf(partial)).toBeLessThan(1);
    const final = await log.final("q1");
    expect(final.completeness).toMatchObject({
      fraction: 1,
      rowsExpected: rowCount,
      rowsAnswered: rowCount,
    });
    // A later query's end is the proof that whatever the first still had to say has been said.
    log.send({ kind: "query", id: "q2", query });
    await log.final("q2");
    const frames = log.frames.filter((frame) => frame.id === "q1");
    expect(frames.at(-1)).toBe(final);
    expect(frames.map((frame) => (frame.kind === "problem" ? 0 : frame.seq))).toEqual(
      frames.map((_, index) => index + 1),
    );
    const fractions = frames.map(fractionOf);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(frames.every((frame) => "rows" in frame && frame.final === (frame === final))).toBe(
      true,
    );
    await log.close();
  });

  test("a frame that is none is answered by a problem, and the socket goes on", async () => {
    const log = await openFrameLog(cluster.url);
    log.send({ kind: "query", id: "bad", query: { ...query, table: "streamt" } });
    const problem = await log.first((frame) => frame.id === "bad");
    expect(problem).toMatchObject({ kind: "problem", problem: { code: "unknown-table" } });
    log.send({ kind: "query", id: "good", query });
    await log.final("good");
    await log.close();
  });
});

describe("a leaf that does not answer", () => {
  test("SIGSTOP: answer at the deadline, the leaf named, whole again after SIGCONT", async () => {
    const timeoutMs = 600;
    await withStoppedLeaf(async (leafId) => {
      // A busy machine may keep an answer waiting that was ready in time: then it is asked for again.
      const result = await waitUntil("an answer at the deadline", async () => {
        const startMs = performance.now();
        const answer = await cluster.client.query({ ...query, timeoutMs });
        return performance.now() - startMs < timeoutMs + 150 ? answer : null;
      });
      expect(result.completeness.leaves).toEqual({ answered: 1, total: 2, missing: [leafId] });
      expect(result.completeness.fraction).toBeGreaterThan(0);
      expect(result.completeness.fraction).toBeLessThan(1);
      // The rows of the leaf that did answer, and no others: the fraction says exactly how many.
      const counted = result.rows.reduce((sum, row) => sum + Number(row[1]), 0);
      expect(counted).toBe(result.completeness.rowsAnswered);
      expect(result.completeness.rowsExpected).toBe(rowCount);
    });
    await expectWholeAgain();
  });

  test("exact refuses rather than answer with less", async () => {
    await withStoppedLeaf(async (leafId) => {
      const asked = cluster.client.query({ ...query, timeoutMs: 600, exact: true });
      await expect(asked).rejects.toMatchObject({
        code: "incomplete",
        message: expect.stringContaining(leafId) as string,
      });
    });
    await expectWholeAgain();
  });

  test("all leaves stopped: a problem, never zero rows", async () => {
    const pids = [...(await cluster.leafPids()).values()];
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    try {
      const asked = cluster.client.query({ ...query, timeoutMs: 500 });
      await expect(asked).rejects.toMatchObject({ code: "no-leaves" });
    } finally {
      for (const pid of pids) process.kill(pid, "SIGCONT");
    }
    await expectWholeAgain();
  });

  test("SIGKILL: named until it is back, then every row is there", async () => {
    const [[leafId, pid] = ["", 0]] = [...(await cluster.leafPids())];
    process.kill(pid, "SIGKILL");
    const result = await waitUntil("the other leaf", () =>
      cluster.client.query({ ...query, timeoutMs: 150 }).catch(() => null),
    );
    expect(result.completeness.leaves.missing).toEqual([leafId]);
    expect(result.completeness.fraction).toBeLessThan(1);
    await expectWholeAgain();
    expect((await cluster.leafPids()).get(leafId)).not.toBe(pid);
  });
});

describe("work stops on the leaves", () => {
  const isRunning = async () => (await cluster.client.status()).queries.length > 0 || null;
  const isIdle = async () => (await cluster.client.status()).queries.length === 0 || null;

  /** A leaf that was killed before reads its rows again: whatever leaves do besides queries is over first. */
  beforeAll(async () => {
    await expectRest();
  });

  /** F21: what leaves still do from now on, until they rest. */
  async function expectNoScanning(): Promise<void> {
    const before = await leavesMs();
    await waitUntil("no running query", isIdle);
    const watches = await expectRest();
    const restMs = (watches * watchedMs) / 4;
    expect((await leavesMs()) - before).toBeLessThan(leafCount * stopMsMax + restMs);
  }

  /** Heartbeats cost next to nothing; one scan takes a whole processor. Returns how often the leaves were watched for it. */
  async function expectRest(): Promise<number> {
    let watches = 0;
    await waitUntil("the leaves to rest", async () => {
      watches++;
      return (await computedMs()) < watchedMs / 4 || null;
    });
    return watches;
  }

  async function computedMs(): Promise<number> {
    const before = await leavesMs();
    await pause(watchedMs);
    return (await leavesMs()) - before;
  }

  async function expectScanning(): Promise<void> {
    await waitUntil("the query to run", isRunning);
    const before = await leavesMs();
    await waitUntil("the leaves to scan", async () => (await leavesMs()) - before > 100 || null);
  }

  async function leavesMs(): Promise<number> {
    const pids = [...(await cluster.leafPids()).values()];
    return pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  }

  test("by cancel", async () => {
    const log = await openFrameLog(cluster.url);
    log.send({ kind: "query", id: "slow", query: slowQuery() });
    await expectScanning();
    log.send({ kind: "cancel", id: "slow" });
    const framesBefore = log.frames.length;
    await expectNoScanning();
    // Whoever cancels knows: nothing more is said, and the socket goes on.
    log.send({ kind: "query", id: "next", query });
    await log.final("next");
    const later = log.frames.slice(framesBefore).map((frame) => frame.id);
    expect(new Set(later)).toEqual(new Set(["next"]));
    await log.close();
  });

  test("by closing the socket", async () => {
    const log = await openFrameLog(cluster.url);
    log.send({ kind: "query", id: "slow", query: slowQuery() });
    await expectScanning();
    await log.close();
    await expectNoScanning();
  });

  test("by aborting a request over HTTP", async () => {
    const abort = new AbortController();
    const asked = fetch(`${cluster.url}/api/v1/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: slowQuery() }),
      signal: abort.signal,
    });
    const ended = asked.then(
      () => "answered",
      () => "aborted",
    );
    await expectScanning();
    abort.abort();
    expect(await ended).toBe("aborted");
    await expectNoScanning();
  });

  test("by DELETE of the running query", async () => {
    const asked = cluster.client.query(slowQuery());
    const ended = asked.then(
      () => "answered",
      (error: unknown) => (error instanceof HadalError ? error.code : error),
    );
    await expectScanning();
    const [running] = (await cluster.client.status()).queries;
    const response = await fetch(`${cluster.url}/api/v1/query/${running?.id}`, {
      method: "DELETE",
    });
    expect(response.ok).toBe(true);
    expect(await ended).toBe("cancelled");
    await expectNoScanning();
    const again = await fetch(`${cluster.url}/api/v1/query/${running?.id}`, { method: "DELETE" });
    expect(again.status).toBe(404);
  });
});
