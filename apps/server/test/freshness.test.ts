import { createClient, type Query, type Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { sendLines } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const rowCount = 300;
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2, environment: { HADAL_CACHE_BYTES: "100000000" } });
  const lines = Array.from({ length: rowCount }, (_, i) => JSON.stringify({ time: i, a: i }));
  for (let i = 0; i < rowCount; i += 20) await sendLines(cluster, "t", lines.slice(i, i + 20));
}, 120_000);
afterAll(() => cluster?.stop());

test("an answer is given again while it is no older than asked for, and says so", async () => {
  const query: Query = { table: "t", from: 0, to: 1e9, aggregates: [{ fn: "count" }] };
  const old = await cluster.client.query({ ...query, freshnessMs: 3_600_000 });
  expect([old.rows[0]?.[0], old.stats.cache]).toEqual([rowCount, "miss"]);
  await sendLines(cluster, "t", ['{"time":5,"a":0}']);
  const again = await cluster.client.query({ ...query, freshnessMs: 3_600_000 });
  expect([again.rows, again.asOf, again.stats.cache]).toEqual([old.rows, old.asOf, "stale"]);
  expect(again.stats.cacheAgeMs).toBeGreaterThanOrEqual(0);
  expect(again.stats.rowsScanned).toBe(0);
  // Who does not say so, or asks something else, hears of what there is now.
  for (const [freshnessMs, cache] of [
    [null, "miss"],
    [0, "hit"],
  ] as const) {
    const fresh = await cluster.client.query({ ...query, freshnessMs });
    expect([fresh.rows[0]?.[0], fresh.stats.cache]).toEqual([rowCount + 1, cache]);
    expect(fresh.asOf).toBeGreaterThan(old.asOf);
  }
  // The newer answer is the one to be given again, however it is asked for.
  const reply = await fetch(new URL("/api/v1/query", cluster.url), {
    method: "POST",
    body: JSON.stringify({
      sql: "SELECT count(*) FROM t WHERE time >= 0 AND time < 1000000000 WITH (freshness = '1h')",
    }),
  });
  expect(await reply.json()).toMatchObject({
    stats: { cache: "hit" },
    rows: [[rowCount + 1, rowCount + 1]],
  });
});

describe("a session", () => {
  const query: Query = { table: "t", from: 0, to: 1e9, aggregates: [{ fn: "count" }] };
  const freshly = { ...query, freshnessMs: 3_600_000 };
  const other: Query = { ...query, groupBy: ["a"], limit: 1 };

  async function post(asked: object, session?: string): Promise<Result> {
    const reply = await fetch(new URL("/api/v1/query", cluster.url), {
      method: "POST",
      headers: session === undefined ? {} : { "x-hadal-session": session },
      body: JSON.stringify(asked),
    });
    expect(reply.status).toBe(200);
    return (await reply.json()) as Result;
  }

  /** An answer that may be given again; then a row, and time that shows in it. */
  async function keepOld(): Promise<Result> {
    await post({ query: { ...query, freshnessMs: 0 } });
    const old = await post({ query: freshly });
    await sendLines(cluster, "t", ['{"time":6,"a":0}']);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return old;
  }

  test("is given no older answer than it was given before, whatever it asked", async () => {
    const old = await keepOld();
    const now = await post({ query: other }, "s1");
    expect(now.asOf).toBeGreaterThan(old.asOf);
    // Other sessions were given no answer of then.
    const elsewhere = await post({ query: freshly }, "s2");
    expect([elsewhere.asOf, elsewhere.stats.cache]).toEqual([old.asOf, "stale"]);
    const mine = await post({ query: freshly }, "s1");
    expect(mine.asOf).toBeGreaterThanOrEqual(now.asOf);
    expect(mine.stats.cache).toBe("miss");
    expect(Number(mine.rows[0]?.[0])).toBe(Number(old.rows[0]?.[0]) + 1);
    // What it was given itself it may be given again.
    const again = await post({ query: freshly }, "s1");
    expect([again.asOf, again.stats.cache]).toEqual([mine.asOf, "hit"]);
  });

  test("is an SDK client, over HTTP and its socket, and the socket after that", async () => {
    const old = await keepOld();
    const client = createClient({ url: cluster.url, webSocket: WebSocket });
    try {
      // Over HTTP: answers as Arrow have no socket.
      await client.queryArrow(other);
      const mine = await client.query(freshly);
      expect(mine.asOf).toBeGreaterThan(old.asOf);
      expect(mine.stats.cache).toBe("miss");
    } finally {
      client.close();
    }
    const plain = createClient({ url: cluster.url, webSocket: WebSocket });
    const facets = await plain.facets({ table: "t", from: 0, to: 1e9, columns: ["a"] });
    const next = await plain.query(freshly);
    plain.close();
    expect(next.asOf).toBeGreaterThanOrEqual(facets.asOf);
  });

  test("goes on over sockets that name it, and has a name that can be written", async () => {
    const old = await keepOld();
    const now = await post({ query: other }, "s3");
    const url = `${cluster.url.replace(/^http/, "ws")}/api/v1/live`;
    for (const [address, isOld] of [
      [url, true],
      [`${url}?session=s3`, false],
    ] as const) {
      const answer = await askSocket(address, freshly);
      expect(answer.asOf === old.asOf, address).toBe(isOld);
      if (!isOld) expect(answer.asOf).toBeGreaterThanOrEqual(now.asOf);
    }
    const reply = await fetch(new URL("/api/v1/query", cluster.url), {
      method: "POST",
      headers: { "x-hadal-session": "a b" },
      body: JSON.stringify({ query }),
    });
    expect([reply.status, await reply.json()]).toMatchObject([400, { code: "bad-request" }]);
  });

  function askSocket(address: string, asked: Query): Promise<Result> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(address);
      socket.on("error", reject);
      socket.on("open", () =>
        socket.send(JSON.stringify({ kind: "query", id: "q", query: asked })),
      );
      socket.on("message", (bytes) => {
        const frame = JSON.parse(String(bytes)) as Result & { kind: string };
        if (frame.kind !== "final") return;
        socket.close();
        resolve(frame);
      });
    });
  }
});
