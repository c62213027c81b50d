import type { Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/demo/demoClock.js";
import { startDemo } from "../../src/demo/startDemo.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const minuteMs = 60_000;
const startMs = Date.UTC(2025, 2, 1, 10);
const minutes = 60;
const rowsPerMinute = 1_000;
const endMs = startMs + minutes * minuteMs;
const perMinute: Query = {
  table: "dealt",
  from: startMs,
  to: endMs,
  groupBy: [{ time: "1m" }],
  aggregates: [{ fn: "count" }],
  timeoutMs: 5_000,
};

/** Rows in order of time, as a collector sends them: none of the bodies covers more than ten minutes. */
async function fill({ client }: Cluster): Promise<void> {
  const bodyRows = 10_000;
  for (let first = 0; first < minutes * rowsPerMinute; first += bodyRows) {
    const lines = Array.from({ length: bodyRows }, (_, k) => {
      const i = first + k;
      // What repeats every 60 rows must not lie on one leaf.
      const time = startMs + Math.floor((i * minuteMs) / rowsPerMinute);
      return JSON.stringify({ time, kind: i % 60 === 0 ? "summary" : "row", x: i % 977 });
    });
    await client.ingestBody("dealt", lines.join("\n"), { contentType: "application/x-ndjson" });
  }
}

const counts = (result: Result): ReadonlyMap<number, number> =>
  new Map(result.rows.map(([time, count]) => [Number(time), Number(count)]));

/** What the others answer while one leaf stands still. */
async function without(cluster: Cluster, leafId: string, query: Query): Promise<Result> {
  const pid = (await cluster.leafPids()).get(leafId) ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    return await waitUntil(`an answer without ${leafId}`, async () => {
      const answer = await cluster.client.query({ ...query, timeoutMs: 700 });
      const { missing } = answer.completeness.leaves;
      return missing.length === 1 && missing[0] === leafId ? answer : null;
    });
  } finally {
    process.kill(pid, "SIGCONT");
    await waitUntil("a whole answer", async () => {
      const answer = await cluster.client.query(query).catch(() => null);
      return answer?.completeness.fraction === 1 ? answer : null;
    });
  }
}

function expectNear(truth: number, [low, high]: readonly [number, number]): void {
  const width = high - low;
  expect(width).toBeGreaterThan(0);
  expect(low - width / 2).toBeLessThanOrEqual(truth);
  expect(high + width / 2).toBeGreaterThanOrEqual(truth);
}

describe("rows of large bodies on three leaves", () => {
  const leafCount = 3;
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ leaves: leafCount });
    await fill(cluster);
  }, 120_000);
  afterAll(() => cluster?.stop());

  test("every leaf is a fair sample of every minute, and estimates hold without it", async () => {
    const full = await cluster.client.query(perMinute);
    expect(full.rows).toHaveLength(minutes);
    for (const leafId of (await cluster.leafPids()).keys()) {
      const part = await without(cluster, leafId, perMinute);
      expect(part.completeness.fraction).toBeCloseTo(1 - 1 / leafCount, 1);
      const answered = counts(part);
      const p = 1 / leafCount;
      const fourDeviations = 4 * Math.sqrt(rowsPerMinute * p * (1 - p));
      for (const [minute, count] of counts(full)) {
        const missing = count - (answered.get(minute) ?? 0);
        expect(Math.abs(missing - count * p), String(minute)).toBeLessThan(fourDeviations);
      }
      const summaries = { column: "kind", op: "=", value: "summary" } as const;
      const asked: Query = { ...perMinute, groupBy: [], filter: [summaries] };
      const some = await without(cluster, leafId, asked);
      // 1,000 rows of one in 60: each leaf has its part of them, give or take.
      expect(Math.abs(Number(some.rows[0]?.[0]) - 1_000 * (1 - p))).toBeLessThan(
        4 * Math.sqrt(1_000 * p * (1 - p)),
      );
      const bar = some.intervals.count?.[0];
      // A bar holds the truth in 95 of 100 cases; one of twice its width in more than 9,999 of 10,000.
      expectNear(1_000, bar!);
    }
  }, 120_000);

  test("small bodies go to any leaf, not all of a stretch to one", async () => {
    const bodies = 240;
    for (let i = 0; i < bodies; i++) {
      const lines = Array.from({ length: 10 }, (_, k) => `{"time":${startMs + i * 1_000 + k}}`);
      const options = { contentType: "application/x-ndjson" } as const;
      await cluster.client.ingestBody("trickle", lines.join("\n"), options);
    }
    const held = await waitUntil("what leaves hold", async () => {
      const { members } = await cluster.client.status();
      const rows = members
        .filter(({ role }) => role === "leaf")
        .map(({ tables }) => tables.find(({ name }) => name === "trickle")?.rows ?? 0);
      return rows.reduce((sum, own) => sum + own, 0) === bodies * 10 ? rows : null;
    });
    const p = 1 / leafCount;
    for (const rows of held)
      expect(Math.abs(rows / 10 - bodies * p)).toBeLessThan(5 * Math.sqrt(bodies * p * (1 - p)));
  }, 60_000);
});

test("a minute of the demo's history lies on all leaves", async () => {
  const cluster = await startCluster({ leaves: 2 });
  try {
    // Live rows wait for the next second all along: a sleep that takes no time would keep everything else from its turn.
    const clock = { ...systemClock, now: () => Date.UTC(2025, 5, 1, 12) };
    // More than a body's 1,024 in every hour: smaller bodies go to one leaf whole.
    const demo = startDemo({ client: cluster.client, clock, historyRows: 800_000 });
    await demo.ready;
    await demo.stop();
    const query: Query = {
      ...{ table: "requests", from: clock.now() - 10 * 24 * 60 * minuteMs, to: clock.now() },
      groupBy: [{ time: "1h" }],
      aggregates: [{ fn: "count.raw", as: "rows" }],
      timeoutMs: 10_000,
    };
    const minuteQuery: Query = {
      ...query,
      from: clock.now() - 60 * minuteMs,
      groupBy: [{ time: "1m" }],
    };
    for (const asked of [query, minuteQuery]) {
      const full = counts(await cluster.client.query(asked));
      const part = counts(await without(cluster, "leaf-1", asked));
      expect(full.size).toBeGreaterThanOrEqual(60);
      for (const [bucket, rows] of full) {
        const half = part.get(bucket) ?? 0;
        expect(Math.abs(half - rows / 2), `${bucket}: ${half} of ${rows}`).toBeLessThan(
          5 * Math.sqrt(rows / 4),
        );
      }
    }
  } finally {
    await cluster.stop();
  }
}, 120_000);
