import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TableContext } from "../segment/tableContext.js";
import type { Table } from "../table/table.js";
import { createLeafContext } from "../testing/leafContext.js";
import {
  batchOfRows,
  type PlainRow,
  type PlainValue,
  printPlainRows,
  readPlainRows,
  plainRow as row,
} from "../testing/plainRows.js";
import { LeafStore } from "./leafStore.js";
import { StoreUpkeep } from "./storeUpkeep.js";

const minuteMs = 60_000;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-upkeep-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const createContext = () => createLeafContext(384 * 2 ** 20, (text) => expect.fail(text));

interface Opened {
  readonly store: LeafStore;
  readonly context: TableContext;
  readonly upkeep: StoreUpkeep;
  /** Moves the clock on and lets the upkeep go round. */
  passMs(ms: number): Promise<void>;
  rows(): string[];
}

let clockMs = 0;
async function openStore(from = folder): Promise<Opened> {
  const context = createContext();
  const store = await LeafStore.open(from, context);
  const upkeep = new StoreUpkeep(store, {
    nowMs: () => clockMs,
    isBusy: () => false,
    sealAgeMs: 5 * minuteMs,
    rawTextsMs: minuteMs,
    warn: context.warn,
  });
  return {
    store,
    context,
    upkeep,
    passMs: async (ms) => {
      clockMs += ms;
      // A writer that has acknowledged its rows may still be ending: then a round leaves the table
      // to the next one.
      for (let round = 0; round < 5; round++) {
        await upkeep.round();
        await new Promise(setImmediate);
      }
      for (const table of store.tables) await sealed(table);
    },
    rows: () => readPlainRows(store.find("events")?.snapshot() ?? [], context),
  };
}

/** Until the writer is idle and what it sealed is on the disk. */
async function sealed(table: Table): Promise<void> {
  const isWhole = async (): Promise<boolean> =>
    table.openGeneration === null &&
    !(await readdir(table.folder)).some((file) => file.startsWith("log-"));
  while (table.openGeneration === null && !(await isWhole())) await new Promise(setImmediate);
}

let batchNumber = 0;
async function append(store: LeafStore, rows: readonly PlainRow[]): Promise<Table> {
  const table = await store.findOrCreate("events");
  const batchId = `batch-${batchNumber++}`;
  await table.append({ batch: batchOfRows(rows), batchId, contentHash: "hash" });
  return table;
}

/** Appends the rows and seals them as a segment of their own. */
async function appendSealed(store: LeafStore, rows: readonly PlainRow[]): Promise<Table> {
  const table = await append(store, rows);
  table.sealOpen();
  while (table.openGeneration !== null) await new Promise(setImmediate);
  return table;
}

const smallBatch = (index: number, count = 20): PlainRow[] =>
  Array.from({ length: count }, (_, i) =>
    row(index * 100 + ((i * 7) % count), {
      n: BigInt(index * 1_000 + i) * 10n ** BigInt(index % 9),
      service: `service-${(index + i) % 40}`,
      ...(i % 3 === 0 ? { [`column-${index % 5}`]: BigInt(-i) } : {}),
      ...(index % 2 === 0
        ? { tags: new Set([`t${i % 4}`, "all"]), stack: ["a", `f${i}`, "a"] }
        : {}),
    }),
  );

const totalsOf = (table: Table) => ({
  rowCount: table.rowCount,
  minutes: [...table.minutes].sort(([a], [b]) => a - b),
  rawBytes: table.rawSizes.bytes,
});

test("the open segment of a quiet table is sealed some minutes after its first row, and not before", async () => {
  const { store, passMs, rows } = await openStore();
  const table = await append(store, smallBatch(0));
  await passMs(0);
  await passMs(4 * minuteMs);
  expect(table.snapshot().map(({ sorted }) => sorted)).toEqual([false]);
  await append(store, smallBatch(1));
  await passMs(minuteMs);
  expect(table.snapshot().map(({ sorted, rowCount }) => [sorted, rowCount])).toEqual([[true, 40]]);
  // The next one's time begins with its own first row.
  await append(store, smallBatch(2));
  await passMs(minuteMs);
  expect(table.snapshot().map(({ sorted }) => sorted)).toEqual([true, false]);
  expect(rows()).toEqual(printPlainRows([0, 1, 2].flatMap((index) => smallBatch(index))));
  await store.close();
});

test("hundreds of small segments become few; readers keep what they read; a restart finds every row once", async () => {
  const { store, context, upkeep, rows } = await openStore();
  const batches = Array.from({ length: 200 }, (_, index) => smallBatch(index));
  for (const batch of batches) await appendSealed(store, batch);
  const expected = printPlainRows(batches.flat());
  const table = store.find("events")!;
  await sealed(table);
  const before = table.snapshot();
  const totals = totalsOf(table);
  expect(before).toHaveLength(200);
  for (const { pins } of before) pins.pin();

  const merging = upkeep.round();
  let looks = 0;
  for (let done = false; !done; looks++) {
    done = await Promise.race([
      merging.then(() => true),
      new Promise<false>((r) => setImmediate(r, false)),
    ]);
    if (looks % 200 !== 0) continue;
    expect(table.rowCount).toBe(totals.rowCount);
    expect(rows()).toEqual(expected);
  }
  expect(looks).toBeGreaterThan(50);
  const after = table.snapshot();
  expect(after.length).toBeLessThan(6);
  expect(totalsOf(table)).toEqual(totals);
  expect(rows()).toEqual(expected);
  expect(readPlainRows(before, context)).toEqual(expected);
  const used = context.memory.store.usedBytes;
  for (const { pins } of before) pins.unpin();
  expect(context.memory.store.usedBytes).toBeLessThan(used);

  const files = (await readdir(table.folder)).filter((file) => file.endsWith(".hds"));
  expect(files).toHaveLength(after.length);
  const again = await openStore();
  expect(again.rows()).toEqual(expected);
  expect(totalsOf(again.store.find("events")!)).toEqual(totals);
  // A batch that was merged is still known when it comes again.
  const repeated = { batch: batchOfRows(batches[0]!), batchId: "batch-3", contentHash: "hash" };
  expect(await again.store.find("events")!.append(repeated)).toMatchObject({ duplicate: true });
  await store.drop("events", null);
  expect(context.memory.store.usedBytes).toBe(0);
  await Promise.all([store.close(), again.store.close()]);
}, 60_000);

test("killed with files of two merges, one of the other's segment, the next start has every row once", async () => {
  const { store, upkeep, rows } = await openStore();
  const table = () => store.find("events")!;
  const left = `${folder}-left`;
  for (let index = 0; index < 12; index++) {
    await appendSealed(store, smallBatch(index));
    if (index !== 5 && index !== 11) continue;
    await sealed(table());
    // Nothing that is merged here is deleted before the end.
    await cp(folder, left, { recursive: true, force: false, errorOnExist: false });
    await upkeep.round();
    await cp(folder, left, { recursive: true });
  }
  const expected = rows();
  const totals = totalsOf(table());
  const merged = (await readdir(table().folder)).filter((file) => file.endsWith(".hds"));
  expect(merged).toEqual(["segment-12.hds"]);
  await store.close();
  for (const start of ["first", "second"]) {
    const again = await openStore(left);
    expect(again.rows(), start).toEqual(expected);
    expect(totalsOf(again.store.find("events")!)).toEqual(totals);
    await again.store.close();
  }
  await rm(left, { recursive: true, force: true });
}, 60_000);

test("killed between any two steps of a merge, the next start has every row once", async () => {
  const { store, upkeep, rows } = await openStore();
  for (let index = 0; index < 6; index++) await appendSealed(store, smallBatch(index));
  const table = store.find("events")!;
  await sealed(table);
  const expected = rows();
  const totals = totalsOf(table);
  const before = `${folder}-before`;
  await cp(folder, before, { recursive: true });
  await upkeep.round();
  await store.close();
  const inside = (await readdir(folder))[0]!;
  const merged = (await readdir(table.folder)).filter((file) => file.endsWith(".hds"));
  expect(merged).toEqual(["segment-6.hds"]);

  const killedAt = async (steps: (at: string) => Promise<void>): Promise<void> => {
    const copy = `${folder}-killed`;
    await cp(before, copy, { recursive: true });
    await steps(join(copy, inside));
    for (const start of ["first", "second"]) {
      const opened = await openStore(copy);
      expect(opened.rows(), start).toEqual(expected);
      expect(totalsOf(opened.store.find("events")!)).toEqual(totals);
      await opened.store.close();
    }
    // What is left can be merged, and dropped as a whole.
    const last = await openStore(copy);
    await last.upkeep.round();
    expect(last.rows()).toEqual(expected);
    const plan = await last.store.find("events")!.planExpiry({ beforeMs: 1e9, maxBytes: null });
    expect(plan.rows.counts.reduce((sum, count) => sum + count, 0)).toBe(120);
    await last.store.drop("events", plan.generations);
    expect(await readdir(join(copy, inside))).toEqual(["table.json"]);
    await last.store.close();
    await rm(copy, { recursive: true });
  };
  const replace = (at: string) =>
    cp(join(table.folder, "segment-6.hds"), join(at, "segment-6.hds"));
  await killedAt((at) => writeFile(join(at, "segment-6.hds.tmp"), "half of a fi"));
  await killedAt(replace);
  for (let removed = 1; removed <= 5; removed++) {
    await killedAt(async (at) => {
      await replace(at);
      for (let one = 1; one <= removed; one++) await rm(join(at, `segment-${one}.hds`));
    });
  }
  // The removal of a log that was not synced comes undone with a power loss.
  await killedAt(async (at) => {
    await replace(at);
    await rm(join(at, "segment-2.hds"));
    await writeFile(join(at, "log-2.hdl"), "rows that are in segment 6");
  });
  await rm(before, { recursive: true });
}, 60_000);

test("columns that differ between segments keep every value: missing, widened, text beside codes, lists", async () => {
  const { store, upkeep, rows } = await openStore();
  const line = (index: number): PlainRow[] =>
    Array.from({ length: 9_000 }, (_, i) => row(index, { line: `line ${index}-${i} é` }));
  const batches: PlainRow[][] = [
    [row(1, { a: 1n }), row(2, {})],
    [row(3, { b: 2n ** 63n - 1n }), row(4, { b: -(2n ** 63n), a: 5n })],
    [row(5, { a: "five" })],
    [row(6, { a: "6", c: ["x", "x"] })],
    [row(7, { a: ["seven", "7"], c: [] })],
    [row(8, { c: new Set(["y"]) })],
    // The first segment of these has codes, the next has text.
    line(10),
    line(11),
    [row(12, { line: "" }), row(13, {})],
  ];
  for (const batch of batches) await appendSealed(store, batch);
  const table = store.find("events")!;
  await sealed(table);
  const expected = rows();
  expect(table.snapshot()).toHaveLength(batches.length);
  await upkeep.round();
  expect(rows()).toEqual(expected);
  expect(table.snapshot().length).toBeLessThan(batches.length - 3);
  await store.close();
  const again = await openStore();
  expect(again.rows()).toEqual(expected);
  await again.store.close();
}, 60_000);

test("segments reported as expired are not merged, also after a restart, and rows of far times stay apart", async () => {
  const first = await openStore();
  for (let index = 0; index < 4; index++) await appendSealed(first.store, smallBatch(index));
  const table = first.store.find("events")!;
  await sealed(table);
  const plan = await table.planExpiry({ beforeMs: 150, maxBytes: null });
  expect(plan.generations).toEqual([1, 2]);
  await first.store.close();
  const second = await openStore();
  const again = second.store.find("events")!;
  await appendSealed(second.store, [row(40 * 86_400_000, {})]);
  await sealed(again);
  clockMs = 40 * 86_400_000;
  await second.upkeep.round();
  expect(again.snapshot().map(({ rowCount }) => rowCount)).toEqual([20, 20, 40, 1]);
  await again.dropSegments(plan.generations);
  expect(second.rows()).toEqual(
    printPlainRows([...smallBatch(2), ...smallBatch(3), row(40 * 86_400_000, {})]),
  );
  // The order may come again; it must not hit what was merged.
  await again.dropSegments(plan.generations);
  expect(again.rowCount).toBe(41);
  await second.store.close();
  const third = await openStore();
  expect(third.store.find("events")!.rowCount).toBe(41);
  await third.store.close();
});

test("any segments, merged, have the rows they had", async () => {
  const anyValue: Readonly<Record<string, fc.Arbitrary<PlainValue>>> = {
    whole: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    small: fc.bigInt({ min: 0n, max: 9n }),
    text: fc.string({ unit: "grapheme" }),
    stack: fc.array(fc.string({ unit: "binary", maxLength: 5 })),
  };
  const anyRow = fc
    .record({
      time: fc.integer({ min: 0, max: 3_000_000 }),
      values: fc.record(anyValue, { requiredKeys: [] }),
    })
    .map(({ time, values }) => row(time, values as Record<string, PlainValue>));
  // About as many rows in each: a merge has to be worth it.
  const anyBatches = fc.array(fc.array(anyRow, { minLength: 10, maxLength: 12 }), {
    minLength: 2,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(anyBatches, async (batches) => {
      await rm(folder, { recursive: true, force: true });
      const { store, upkeep, rows } = await openStore();
      for (const batch of batches) await appendSealed(store, batch);
      await sealed(store.find("events")!);
      const expected = rows();
      await upkeep.round();
      expect(store.find("events")!.snapshot().length).toBeLessThan(batches.length);
      expect(rows()).toEqual(expected);
      await store.close();
    }),
    { numRuns: 10 },
  );
}, 60_000);

test("rows that are many and get no company are sealed after some seconds, few are not", async () => {
  const { store, context, passMs, rows } = await openStore();
  const table = await append(store, smallBatch(0, 4_095));
  await passMs(0);
  await passMs(60_000);
  expect(table.openRowCount).toBe(4_095);
  await append(store, smallBatch(1, 1));
  // Each round that finds new rows begins again.
  await passMs(2_000);
  await passMs(9_000);
  await append(store, smallBatch(2, 1));
  await passMs(2_000);
  await passMs(9_999);
  expect(table.openRowCount).toBe(4_097);
  const openBytes = context.memory.store.usedBytes;
  await passMs(1);
  expect(table.snapshot().map(({ sorted, rowCount }) => [sorted, rowCount])).toEqual([
    [true, 4_097],
  ]);
  expect(context.memory.store.usedBytes).toBeLessThan(openBytes / 2);
  const written = [smallBatch(0, 4_095), smallBatch(1, 1), smallBatch(2, 1)].flat();
  expect(rows()).toEqual(printPlainRows(written));
  await store.close();
});
