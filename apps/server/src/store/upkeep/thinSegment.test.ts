import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleRateMax } from "@hadal/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LeafStore } from "../leaf/leafStore.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import type { Table } from "../table/table.js";
import { appendSealed } from "../testing/appendSealed.js";
import { createLeafContext } from "../testing/leafContext.js";
import { type PlainRow, readPlainRows, plainRow as row } from "../testing/plainRows.js";
import { thinnedRows } from "./thinSegment.js";

const minuteMs = 60_000;
const farMs = 1_000_000 * minuteMs;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-thin-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Opened {
  readonly store: LeafStore;
  readonly context: TableContext;
  rows(): string[];
}

async function open(): Promise<Opened> {
  const context = createLeafContext(384 * 2 ** 20, (text) => expect.fail(text));
  const store = await LeafStore.open(folder, context);
  const rows = () => readPlainRows(store.find("t")?.snapshot() ?? [], context);
  return { store, context, rows };
}

const noPause = async (): Promise<void> => undefined;

/** As retention does it; returns the rows that were said to go. */
async function thin(table: Table, keepOneIn: number, beforeMs = farMs): Promise<number> {
  const { generations, rows } = await table.planThinning({ beforeMs, keepOneIn });
  await table.reduceSegments(generations, { keepOneIn }, noPause);
  return rows.counts.reduce((sum, count) => sum + count, 0);
}

const someRows = (count: number, first = 0): PlainRow[] =>
  Array.from({ length: count }, (_, i) =>
    row(first + i * 700, {
      id: BigInt(first + i),
      service: `s${i % 7}`,
      ...(i % 3 === 0 ? { tags: new Set([`t${i % 5}`]), stack: ["a", `f${i % 11}`] } : {}),
      ...(i % 4 === 0 ? { sample_rate: BigInt(1 + (i % 3)) } : {}),
    }),
  );

const weightOf = (table: Table) =>
  table.snapshot().reduce((sum, { weightTotal }) => sum + weightTotal, 0);
const thinnedOf = (table: Table) =>
  table.snapshot().map((segment) => (segment as SealedSegment).thinned);

test("one row of ten stays unchanged, at ten times its rate; the planned rows go, and a restart finds the same", async () => {
  const { store, rows } = await open();
  const table = await appendSealed(store, someRows(10_000), "thinned");
  const before = new Map(rows().map((one) => [one.replace(/\|sample_rate=\d+/, ""), one]));
  const minutesBefore = new Map(table.minutes);
  const { generations, rows: going } = await table.planThinning({ beforeMs: farMs, keepOneIn: 10 });
  // Asked again, it says the same.
  expect(await table.planThinning({ beforeMs: farMs, keepOneIn: 10 })).toEqual({
    generations,
    rows: going,
  });
  await table.reduceSegments(generations, { keepOneIn: 10 }, noPause);
  const left = rows();
  expect(left).toHaveLength(1_000);
  for (const one of left) {
    const [, rate] = /\|sample_rate=(\d+)/.exec(one) ?? [];
    const was = before.get(one.replace(/\|sample_rate=\d+/, ""));
    const [, rateBefore = "1"] = /\|sample_rate=(\d+)/.exec(was!) ?? [];
    expect(Number(rate)).toBe(10 * Number(rateBefore));
  }
  for (const [i, minute] of going.minutes.entries()) {
    const count = minutesBefore.get(minute)! - going.counts[i]!;
    expect(table.minutes.get(minute) ?? 0).toBe(count);
  }
  expect(table.rowCount).toBe(1_000);
  // The order may come twice.
  await table.reduceSegments(generations, { keepOneIn: 10 }, noPause);
  expect(rows()).toEqual(left);
  expect(await thin(table, 10)).toBe(0);
  const totals = [table.rawSizes.bytes, weightOf(table), [...table.minutes]];
  await store.close();

  const again = await open();
  const loaded = again.store.find("t")!;
  expect(again.rows()).toEqual(left);
  expect([loaded.rawSizes.bytes, weightOf(loaded), [...loaded.minutes]]).toEqual(totals);
  expect(thinnedOf(loaded)).toEqual([10]);
  expect(await thin(loaded, 10)).toBe(0);
  // A batch that came before is still known.
  expect(loaded.batches.find("thinned")?.[2]).toBe(10_000);
  await again.store.close();
});

test("a later step thins the rows that the one before kept; running queries go on reading; young rows stay", async () => {
  const { store, rows } = await open();
  await appendSealed(store, someRows(4_000));
  const table = await appendSealed(store, someRows(2_500, 100 * minuteMs));
  const [reading] = table.snapshot();
  reading!.pins.pin();
  expect(await thin(table, 10, 60 * minuteMs)).toBe(3_600);
  expect(await thin(table, 15, 60 * minuteMs)).toBe(0);
  expect(await thin(table, 40, 60 * minuteMs)).toBe(300);
  expect(thinnedOf(table)).toEqual([40, 1]);
  expect(table.rowCount).toBe(2_600);
  expect(reading!.rowCount).toBe(4_000);
  reading!.pins.unpin();
  // Segments of different rates stay apart, those of one rate merge; nothing counts twice.
  expect(await table.merge(farMs, noPause)).toBe(false);
  // Of the last 20 rows none is chosen, or one.
  expect([62, 63]).toContain(2_500 - (await thin(table, 40)));
  const left = rows();
  expect(await table.merge(farMs, noPause)).toBe(true);
  expect(thinnedOf(table)).toEqual([40]);
  expect(rows()).toEqual(left);
  await store.close();
});

test("a segment of which no row stays is removed; a weight never exceeds the largest rate", async () => {
  const { store, rows } = await open();
  const heavy = await appendSealed(store, [
    row(5, { id: 1n, sample_rate: BigInt(sampleRateMax) }),
    row(6, { id: 2n }),
  ]);
  expect(await thin(heavy, 2)).toBe(0);
  expect(rows()).toHaveLength(2);
  // Some of a hundred segments of one row each keep it, most do not.
  for (let i = 0; i < 100; i++) await appendSealed(store, [row(10 + i, { id: BigInt(i) })]);
  let gone = 0;
  for (let round = 0; round < 10; round++) gone += await thin(heavy, 4);
  expect(heavy.rowCount).toBe(102 - gone);
  expect(gone).toBeGreaterThan(50);
  expect(gone).toBeLessThan(95);
  await store.close();
  const again = await open();
  expect(again.store.find("t")!.rowCount).toBe(102 - gone);
  await again.store.close();
});

test("every place in a neighbourhood is chosen as often, and no place is bound to a period in the rows", () => {
  const factor = 8;
  const counts = new Array<number>(factor).fill(0);
  const segments = 400;
  const rowCount = 1_000;
  for (let generation = 1; generation <= segments; generation++) {
    const segment = { generation, thinned: 1, rowCount } as SealedSegment;
    const chosen = thinnedRows(segment, factor);
    expect(chosen).toHaveLength(rowCount / factor);
    for (const one of chosen) counts[one % factor]!++;
  }
  const expected = (segments * rowCount) / factor / factor;
  const chi2 = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // 7 degrees of freedom: beyond 24.3 once in a thousand seeds; the choice is the same in every
  // run.
  expect(chi2).toBeLessThan(24.3);
});
