import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LeafStore } from "../leaf/leafStore.js";
import type { TableContext } from "../segment/tableContext.js";
import type { Table } from "../table/table.js";
import { appendSealed } from "../testing/appendSealed.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows, type PlainRow, readPlainRows } from "../testing/plainRows.js";

const minuteMs = 60_000;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-cut-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function open(): Promise<{ store: LeafStore; context: TableContext; rows(): string[] }> {
  const context = createLeafContext(384 * 2 ** 20, (text) => expect.fail(text));
  const store = await LeafStore.open(folder, context);
  return { store, context, rows: () => readPlainRows(store.find("t")?.snapshot() ?? [], context) };
}

const scattered = (n: number): bigint => BigInt(Math.imul(n, 0x9e3779b1) >>> 0);

/** Latest first: the order in which rows come is not that of their times. */
const someRows = (count: number, first: number): PlainRow[] =>
  Array.from({ length: count }, (_, i) => ({
    time: (first + count - i) * 100,
    values: new Map<string, bigint | string | Set<string>>([
      ["id", scattered(first + i)],
      ["other", scattered(first - i)],
      ["service", `s${i % 7}`],
      ...(i % 3 === 0 ? ([["sample_rate", 4n]] as const) : []),
      ...(i % 5 === 0 ? ([["tags", new Set([`t${i % 4}`])]] as const) : []),
    ]),
  }));

const noPause = async (): Promise<void> => undefined;
const timeOf = (row: string): number => Number(/^(\d+)/.exec(row)?.[1]);

test("the newest rows stay unchanged; the planned rows go, once, and a restart finds the same", async () => {
  const { store, rows } = await open();
  await appendSealed(store, someRows(16_000, 40_000), "b0");
  const table = await appendSealed(store, someRows(12_000, 0), "b1");
  const before = rows();
  const minutesBefore = new Map(table.minutes);
  const maxBytes = Math.floor(table.bytes * 0.8);
  expect((await table.planExpiry({ beforeMs: null, maxBytes })).generations).toEqual([]);
  const plan = await table.planCut(maxBytes);
  expect(plan).toEqual(await table.planCut(maxBytes));
  // The segment that came last holds the oldest rows.
  expect(plan.generations).toEqual([2]);
  const { keepNewest } = plan;
  if (keepNewest === undefined) return expect.fail("a cut says how many rows stay");
  await table.reduceSegments(plan.generations, { keepNewest }, noPause);
  await table.reduceSegments(plan.generations, { keepNewest }, noPause);
  expect(table.bytes).toBeLessThanOrEqual(maxBytes);
  expect(table.bytes).toBeGreaterThan(maxBytes * 0.95);
  const left = rows();
  expect(left).toHaveLength(16_000 + keepNewest);
  const oldestLeft = Math.min(...left.map(timeOf));
  expect(left).toEqual(before.filter((row) => timeOf(row) >= oldestLeft));
  for (const [i, minute] of plan.rows.minutes.entries())
    expect(table.minutes.get(minute) ?? 0).toBe(minutesBefore.get(minute)! - plan.rows.counts[i]!);
  expect(await table.planCut(maxBytes)).toEqual({
    generations: [],
    rows: { minutes: [], counts: [] },
  });
  const weight = (of: Table) =>
    of.snapshot().reduce((sum, { weightTotal }) => sum + weightTotal, 0);
  const totals = [table.rawSizes.bytes, weight(table), [...table.minutes]];
  await store.close();

  const again = await open();
  const loaded = again.store.find("t")!;
  expect(again.rows()).toEqual(left);
  expect([loaded.rawSizes.bytes, weight(loaded), [...loaded.minutes]]).toEqual(totals);
  expect(loaded.batches.find("b1")?.[2]).toBe(12_000);
  await again.store.close();
});

test("an open segment that takes much of the bound is sealed, and no row is removed", async () => {
  const { store, rows } = await open();
  const table = await store.findOrCreate("t");
  const bounds = { beforeMs: null, maxBytes: 2 * minuteMs * 10 };
  for (let i = 0; i < 8; i++) {
    const batch = batchOfRows(someRows(5_000, i * 5_000));
    await table.append({ batch, batchId: `b${i}`, contentHash: "hash" });
    expect((await table.planExpiry(bounds)).generations).toEqual([]);
  }
  expect(table.snapshot().length).toBeGreaterThan(2);
  expect(table.openRowCount).toBeLessThanOrEqual(5_000);
  expect(rows()).toHaveLength(40_000);
  await store.close();
});
