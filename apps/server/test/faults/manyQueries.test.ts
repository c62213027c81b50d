import type { Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const minuteMs = 60_000;
const startMs = Date.UTC(2025, 4, 5, 12);
const minutes = 60;
const rowCount = 120_000;
const services = ["checkout", "search", "cart", "login", "feed"];

/** A board's tile: each service's count and p95 by the minute, against the hour before. */
const tile = (i: number): Query => ({
  ...{ table: "requests", from: startMs + 30 * minuteMs, to: startMs + minutes * minuteMs },
  groupBy: [{ time: "1m" }, "service"],
  aggregates: [{ fn: "count" }, { fn: "percentile", p: 95, column: "ms" }],
  compare: { offset: "30m" },
  filter: [{ column: "ms", op: ">=", value: i }],
  ...{ limit: 10_000, timeoutMs: 60_000 },
});

/** By HTTP: each request is one of its own. */
async function post(
  { url }: Cluster,
  query: Query,
): Promise<{ status: number; retryAfter: string | null; body: Result & { code?: string } }> {
  const response = await fetch(`${url}/api/v1/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, retryAfter, body: (await response.json()) as Result };
}

async function fill({ client }: Cluster): Promise<void> {
  const lines = Array.from({ length: rowCount }, (_, i) => {
    const time = startMs + ((i * 7_919) % (minutes * minuteMs));
    return `{"time":${time},"service":"${services[i % services.length]}","ms":${(i * 31) % 1_000}}`;
  });
  await client.ingestBody("requests", lines.join("\n"), { contentType: "application/x-ndjson" });
}

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  await fill(cluster);
}, 120_000);
afterAll(() => cluster?.stop());

test("thirty tiles at once are all whole, and say what each says alone", async () => {
  const alone: Result["rows"][] = [];
  for (let i = 0; i < 3; i++) alone.push((await post(cluster, tile(i))).body.rows);
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => post(cluster, tile(i))));
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  expect(answers.map(({ body }) => body.completeness.fraction)).toEqual(Array(30).fill(1));
  expect(answers.slice(0, 3).map(({ body }) => body.rows)).toEqual(alone);
}, 120_000);

test("a hundred identical queries are all answered, and few of them are run", async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(cluster, tile(0))));
  const [first] = answers;
  for (const { status, body } of answers)
    expect([status, body.rows]).toEqual([200, first!.body.rows]);
  const run = answers.filter(({ body }) => body.stats.cache === "miss");
  // They arrive one after the other: who comes when a run is over starts another.
  expect(run.length).toBeLessThan(60);
}, 120_000);

test("rows that were acknowledged before a query are in its answer, whoever else asks the same", async () => {
  const counts: Query = {
    ...{ table: "growing", from: startMs, to: startMs + minuteMs },
    ...{ aggregates: [{ fn: "count" }], timeoutMs: 60_000 },
  };
  const options = { contentType: "application/x-ndjson" } as const;
  await cluster.client.ingestBody("growing", `{"time":${startMs}}`, options);
  const asked: Promise<void>[] = [];
  for (let sent = 1; sent <= 40; sent++) {
    if (sent > 1) await cluster.client.ingestBody("growing", `{"time":${startMs}}`, options);
    for (let i = 0; i < 5; i++) {
      const answer = post(cluster, counts).then(({ body }) => {
        expect(Number(body.rows[0]?.[0])).toBeGreaterThanOrEqual(sent);
      });
      asked.push(answer);
    }
  }
  await Promise.all(asked);
}, 120_000);

test("a leaf that hangs keeps no places: all others answer every query", async () => {
  const pid = (await cluster.leafPids()).get("leaf-2") ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    const queries = Array.from({ length: 30 }, (_, i) => ({ ...tile(i), timeoutMs: 6_000 }));
    const answers = await Promise.all(queries.map((query) => post(cluster, query)));
    for (const { status, body } of answers) {
      expect([status, body.completeness?.leaves.missing]).toEqual([200, ["leaf-2"]]);
      expect(body.completeness.fraction).toBeLessThan(1);
    }
  } finally {
    process.kill(pid, "SIGCONT");
  }
}, 60_000);

test("beyond what may wait queries are refused at once, with when to come again; status counts them", async () => {
  const small = await startCluster({
    leaves: 1,
    environment: { HADAL_QUERIES_RUNNING: "1", HADAL_QUERIES_WAITING: "2" },
  });
  try {
    await fill(small);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => post(small, tile(i))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, retryAfter } of refused)
      expect([body.code, retryAfter]).toEqual(["overloaded", "1"]);
    const others = answers.filter(({ status }) => status !== 429);
    expect(others.length).toBeGreaterThan(0);
    for (const { status, body } of others)
      expect([status, body.completeness.fraction]).toEqual([200, 1]);
    await waitUntil("no query", async () => {
      const { admission } = await small.client.status();
      expect(admission.refused).toBe(refused.length);
      return admission.running + admission.waiting === 0 ? true : null;
    });
  } finally {
    await small.stop();
  }
}, 120_000);
