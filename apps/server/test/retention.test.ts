import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Query } from "@hadal/sdk";
import { afterEach, expect, test } from "vitest";
import type { Cluster } from "./support/startCluster.js";
import { startCluster } from "./support/startCluster.js";
import { waitUntil } from "./support/waitUntil.js";

const dayMs = 86_400_000;
/** 20,000 rows of some five bytes take so long. */
const partMs = 300;
const timeoutMs = 120_000;
let folder = "";
let cluster: Cluster | undefined;

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function start(leaves = 1, environment: Record<string, string> = {}): Promise<Cluster> {
  cluster = await startCluster({ leaves, dataDir: folder, environment });
  return cluster;
}

/** Takes four bytes a row however it is stored. */
const scattered = (n: number): number => Math.imul(n, 0x9e3779b1) >>> 0;

async function load(to: Cluster, table: string, firstMs: number, count: number): Promise<void> {
  for (let from = 0; from < count; from += 5_000) {
    const lines = Array.from({ length: 5_000 }, (_, i) =>
      JSON.stringify({ time: firstMs + from + i, n: scattered(from + i), s: `s${i % 9}` }),
    );
    await to.client.ingestBody(table, lines.join("\n"), { contentType: "application/x-ndjson" });
  }
}

const countOf = async (of: Cluster, table: string) => {
  const { rows, completeness } = await of.client.query({
    table,
    from: 0,
    to: Date.now() + dayMs,
    groupBy: ["s"],
    aggregates: [{ fn: "count" }],
  });
  expect(completeness.fraction).toBe(1);
  const counted = rows.reduce((sum, row) => sum + Number(row[1]), 0);
  return { counted, expected: completeness.rowsExpected };
};

test(
  "rows beyond the age go, every answer meanwhile is complete, and a killed leaf brings none back (F24)",
  async () => {
    folder = await mkdtemp(join(tmpdir(), "hadal-retention-"));
    const first = await start();
    const nowMs = Date.now();
    await load(first, "t", nowMs - 2 * dayMs, 140_000);
    await load(first, "t", nowMs - 3_600_000, 60_000);
    expect(await countOf(first, "t")).toEqual({ counted: 200_000, expected: 200_000 });
    // Two full segments of 13 batches each; the third holds new rows too, and stays.
    const kept = 70_000;
    await first.client.setTable("t", { retention: { maxAgeMs: dayMs, maxBytes: null } });
    await waitUntil("old rows to go", async () => {
      const { counted, expected } = await countOf(first, "t");
      // Booked out first, then gone: an answer may have more than is expected, and never less.
      expect(counted).toBeGreaterThanOrEqual(expected!);
      return expected === kept && counted === kept ? true : null;
    });
    const [pid = 0] = (await first.leafPids()).values();
    process.kill(pid, "SIGKILL");
    await waitUntil("the leaf", async () => {
      const [again = pid] = (await first.leafPids()).values();
      return again === pid || again === 0 ? null : again;
    });
    await waitUntil("the same rows", async () => {
      const asked = await countOf(first, "t").catch(() => null);
      return asked?.counted === kept && asked.expected === kept ? true : null;
    });
    await first.stop();
    const second = await start();
    expect(await countOf(second, "t")).toEqual({ counted: kept, expected: kept });
    const { retention, rows } = await second.client.table("t");
    expect({ retention, rows }).toEqual({
      retention: { maxAgeMs: dayMs, maxBytes: null },
      rows: kept,
    });
    // Its generations are not given out again.
    await load(second, "t", nowMs, 5_000);
    expect(await countOf(second, "t")).toEqual({ counted: kept + 5_000, expected: kept + 5_000 });
  },
  timeoutMs,
);

test(
  "bytes stay within the bound while rows come, and within five per cent of it; the newest rows stay",
  async () => {
    folder = await mkdtemp(join(tmpdir(), "hadal-retention-"));
    const running = await start(2);
    const { client } = running;
    const firstMs = Date.now() - 3_600_000;
    const maxBytes = 5_000_000;
    await load(running, "t", firstMs, 5_000);
    await client.setTable("t", { retention: { maxAgeMs: null, maxBytes } });
    let most = 0;
    for (let part = 1; part <= 60; part++) {
      // Half a second's rows, from one look to the next, are to be a few per cent of so small a bound.
      const pace = sleep(partMs);
      await load(running, "t", firstMs + part * 20_000, 20_000);
      await pace;
      const { bytes, rows } = await client.table("t");
      most = Math.max(most, bytes!);
      expect(rows).toBeGreaterThan(0);
    }
    // Five per cent on a machine of its own: where looks come late, rows come in between.
    expect(most).toBeLessThan(maxBytes * 1.1);
    const { counted, expected } = await countOf(running, "t");
    expect(counted).toBeGreaterThanOrEqual(expected!);
    const table = await waitUntil("rows to be sealed", async () => {
      const now = await client.table("t");
      return now.bytes! < maxBytes ? now : null;
    });
    expect(table.bytes).toBeGreaterThan(maxBytes * 0.95);
    expect(table.toMs).toBe(firstMs + 60 * 20_000 + 19_999);
  },
  timeoutMs,
);

test(
  "the least bound leaves rows, the newest; a bad setting is refused with everything wrong",
  async () => {
    folder = await mkdtemp(join(tmpdir(), "hadal-retention-"));
    const running = await start(2);
    const { client } = running;
    const firstMs = Date.now() - 3_600_000;
    await load(running, "t", firstMs, 400_000);
    const maxBytes = 1_048_576;
    await client.setTable("t", { retention: { maxAgeMs: null, maxBytes } });
    const table = await waitUntil("bytes to go", async () => {
      const { counted, expected } = await countOf(running, "t");
      expect(counted).toBeGreaterThanOrEqual(expected!);
      const now = await client.table("t");
      return now.bytes! <= maxBytes && now.rows === expected ? now : null;
    });
    expect(table.bytes).toBeGreaterThan(maxBytes * 0.9);
    expect(table.rows).toBeGreaterThan(100_000);
    expect(table.toMs).toBe(firstMs + 399_999);
    const wrong = { retention: { maxAgeMs: 5, maxBytes: "x" } } as never;
    await expect(client.setTable("t", wrong)).rejects.toMatchObject({ code: "invalid-query" });
  },
  timeoutMs,
);

test(
  "a deleted table is gone with its rows, also after a restart, and may come again",
  async () => {
    folder = await mkdtemp(join(tmpdir(), "hadal-retention-"));
    const running = await start(2);
    await load(running, "t", Date.now(), 150_000);
    await load(running, "u", Date.now(), 5_000);
    await running.client.deleteTable("t");
    await expect(running.client.table("t")).rejects.toMatchObject({ code: "unknown-table" });
    expect((await running.client.tables()).map(({ name }) => name)).toEqual(["u"]);
    await load(running, "t", Date.now(), 5_000);
    expect(await countOf(running, "t")).toEqual({ counted: 5_000, expected: 5_000 });
    await running.stop();
    const again = await start(2);
    expect(await countOf(again, "t")).toEqual({ counted: 5_000, expected: 5_000 });
    expect(await countOf(again, "u")).toEqual({ counted: 5_000, expected: 5_000 });
  },
  timeoutMs,
);

test(
  "a leaf that is full lets its oldest rows go, of the table with most: none is refused, every answer is complete",
  async () => {
    folder = await mkdtemp(join(tmpdir(), "hadal-budget-"));
    const full = await start(1, { HADAL_LEAF_MEMORY: "128", HADAL_MEMORY_BUDGET: "20" });
    const startMs = Date.now() - dayMs;
    await load(full, "small", startMs, 20_000);
    // About 30 MiB have room for rows, of which these take twice the budget.
    for (let from = 0; from < 2_500_000; from += 250_000) {
      await load(full, "large", startMs + from, 250_000);
      const { counted, expected } = await countOf(full, "large");
      expect(counted).toBe(expected);
    }
    const { counted } = await countOf(full, "large");
    expect(counted).toBeLessThan(2_000_000);
    expect(counted).toBeGreaterThan(500_000);
    expect((await countOf(full, "small")).counted).toBe(20_000);
    const { rows } = await full.client.query({
      ...{ table: "large", from: 0, to: Date.now() + dayMs },
      aggregates: [
        { fn: "min", column: "time" },
        { fn: "max", column: "time" },
      ],
    });
    const [min, max] = rows[0]!.slice(-2).map(Number);
    expect(max).toBe(startMs + 2_499_999);
    expect(min).toBeGreaterThan(startMs + 500_000);
  },
  timeoutMs,
);

test(
  "numbers of rows that were thinned by a key have no error bar, on every way to an answer",
  async () => {
    folder = await mkdtemp(join(tmpdir(), "hadal-thinned-"));
    const { client } = await start(2, { HADAL_SEAL_AFTER: "1" });
    const count = 10_000;
    await load(cluster!, "t", Date.now() - 3_600_000, count);
    await client.setTable("t", { thinning: [{ afterMs: 60_000, keepOneIn: 4, key: "n" }] });
    await waitUntil("rows to be thinned", async () => {
      const { rows } = await client.table("t");
      return rows! < count / 3 ? true : null;
    });
    const query: Query = {
      ...{ table: "t", from: "-2h", to: "now" },
      aggregates: [{ fn: "count" }, { fn: "max", column: "n" }],
    };
    const { intervals, notes, rows } = await client.query(query);
    expect(Number(rows[0]?.[0])).toBeGreaterThan(count / 2);
    expect(intervals).toEqual({ count: [null] });
    expect(notes).toContainEqual({
      ...{ column: "count", text: expect.stringContaining("thinned by a key") },
    });
    const grouped = await client.query({ ...query, groupBy: ["s"] });
    expect(grouped.intervals).toEqual({ count: new Array(9).fill(null) });
    const compared = await client.query({ ...query, compare: { offset: "1d" } });
    expect(compared.intervals["count.delta"]).toEqual([null]);
    const differing = await client.whatChanged({
      ...{ table: "t", from: "-2h", to: "now" },
      selection: { filter: [{ column: "n", op: "<", value: count / 2 }] },
    });
    expect(differing).toMatchObject({
      ...{ chance: 1, sampledByKey: [expect.any(Number), expect.any(Number)] },
      notes: [{ text: expect.stringContaining("How sure the differences are is not known") }],
    });
  },
  timeoutMs,
);
