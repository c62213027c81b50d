import { readlinkSync } from "node:fs";
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { columnForms } from "../columns/columnForms.js";
import { SegmentFacts } from "../columns/segmentFacts.js";
import { createLeafContext } from "../testing/leafContext.js";
import {
  batchOfRows,
  type PlainRow,
  type PlainValue,
  printPlainRows,
  readPlainRows,
  plainRow as row,
} from "../testing/plainRows.js";
import { damageHead } from "../testing/segmentBytes.js";
import { LeafStore } from "./leafStore.js";

let folder = "";
let warnings: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-store-"));
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true }));

const createContext = () => createLeafContext(512 * 2 ** 20, (text) => warnings.push(text));

/** Opens the folder as a fresh process would. */
async function openStore(): Promise<{ store: LeafStore; rows: (table: string) => string[] }> {
  const context = createContext();
  const store = await LeafStore.open(folder, context);
  return {
    store,
    rows: (table) => readPlainRows(store.find(table)?.snapshot() ?? [], context),
  };
}

let batchNumber = 0;
async function append(store: LeafStore, rows: readonly PlainRow[], batchId?: string) {
  const table = await store.findOrCreate("events");
  return table.append({
    batch: batchOfRows(rows),
    batchId: batchId ?? `batch-${batchNumber++}`,
    contentHash: "hash",
  });
}

const manyRows = (count: number, firstTime: number, stepMs: number): PlainRow[] =>
  Array.from({ length: count }, (_, i) =>
    row(firstTime + ((i * 7919) % count) * stepMs, {
      n: BigInt(i) * 3n - 1000n,
      service: `service-${i % 7}`,
      ...(i % 3 === 0 ? { rare: BigInt(i) } : {}),
    }),
  );

const anyValue: Readonly<Record<string, fc.Arbitrary<PlainValue>>> = {
  whole: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  small: fc.bigInt({ min: 0n, max: 9n }),
  text: fc.string({ unit: "grapheme" }),
  // The empty list is a value too.
  stack: fc.array(fc.string({ unit: "binary", maxLength: 5 })),
};
const anyRow = fc
  .record({
    time: fc.integer({ min: 0, max: 10_000_000 }),
    values: fc.record(anyValue, { requiredKeys: [] }),
  })
  .map(({ time, values }) =>
    row(
      time,
      Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined)) as Record<
        string,
        PlainValue
      >,
    ),
  );

describe("a leaf's store", () => {
  test("gives every row back exactly, also after a restart without a clean end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyRow, { minLength: 1, maxLength: 30 }), {
          minLength: 1,
          maxLength: 6,
        }),
        async (batches) => {
          await rm(folder, { recursive: true, force: true });
          const first = await openStore();
          await Promise.all(batches.map((rows) => append(first.store, rows)));
          const expected = printPlainRows(batches.flat());
          expect(first.rows("events")).toEqual(expected);
          const second = await openStore();
          expect(second.rows("events")).toEqual(expected);
          await first.store.close();
          await second.store.close();
        },
      ),
      { numRuns: 15 },
    );
  });

  test("syncs the names of what a killed process has made, before it is used", async () => {
    const { store } = await openStore();
    await append(store, [row(1, { n: 1n })]);
    await store.close();
    const table = store.find("events")!.folder;
    const stray = await open(join(folder, "stray"), "w");
    await stray.close();
    const synced: string[] = [];
    const methods = Object.getPrototypeOf(stray) as FileHandle;
    const { sync } = methods;
    const spy = vi.spyOn(methods, "sync").mockImplementation(function (this: FileHandle) {
      synced.push(readlinkSync(`/proc/self/fd/${this.fd}`));
      return sync.call(this);
    });
    const again = await openStore();
    spy.mockRestore();
    expect(synced).toEqual(expect.arrayContaining([folder, table, join(table, "log-1.hdl")]));
    expect(again.rows("events")).toHaveLength(1);
    await again.store.close();
  });

  test("seals full segments sorted and narrowed, and reads them back from their files", async () => {
    const first = await openStore();
    const batches = Array.from({ length: 9 }, (_, i) => manyRows(16_000, i * 1_000_000, 50));
    for (const rows of batches) await append(first.store, rows);
    const expected = printPlainRows(batches.flat());
    expect(first.rows("events")).toEqual(expected);
    const sealed = first.store
      .find("events")!
      .snapshot()
      .filter((view) => view.sorted);
    expect(sealed.map((view) => view.rowCount)).toEqual([64_000, 64_000]);
    expect(sealed[0]!.columns.get("service")).toMatchObject({ values: { width: 1 } });
    expect(sealed[0]!.columns.get("n")).toMatchObject({ values: { width: 2 }, present: 0 });
    expect(sealed[0]!.sums!.get("n")).toMatchObject({ presentRows: 64_000, presentWeight: 64_000 });
    await first.store.close();
    const files = await readdir(join(folder, (await readdir(folder))[0]!));
    expect(files.filter((file) => !file.startsWith("rows-")).sort()).toEqual([
      "log-3.hdl",
      "segment-1.hds",
      "segment-2.hds",
      "table.json",
    ]);
    const second = await openStore();
    expect(second.rows("events")).toEqual(expected);
    expect(second.store.find("events")!.minutes).toEqual(first.store.find("events")!.minutes);
    await second.store.close();
  });

  test("answers a repeated batch instead of storing it, also after a restart", async () => {
    const first = await openStore();
    expect(await append(first.store, [row(1, { n: 1n })], "a")).toEqual({
      rowCount: 1,
      duplicate: false,
    });
    expect(await append(first.store, [row(1, { n: 1n })], "a")).toEqual({
      rowCount: 1,
      duplicate: true,
    });
    const second = await openStore();
    expect(await append(second.store, [row(1, { n: 1n })], "a")).toEqual({
      rowCount: 1,
      duplicate: true,
    });
    expect(second.rows("events")).toHaveLength(1);
    const table = second.store.find("events")!;
    const other = { batch: batchOfRows([row(1, { n: 2n })]), batchId: "a", contentHash: "other" };
    await expect(table.append(other)).rejects.toMatchObject({ code: "idempotency-conflict" });
    await first.store.close();
    await second.store.close();
  });

  test("drops a torn tail, wherever it is torn, and appends after it", async () => {
    const first = await openStore();
    await append(first.store, [row(1, { n: 1n })]);
    const table = first.store.find("events")!;
    const log = join(table.folder, "log-1.hdl");
    const whole = (await readFile(log)).length;
    await append(first.store, [row(2, { n: 2n, s: "two" })]);
    await first.store.close();
    const bytes = await readFile(log);
    for (let length = whole; length < bytes.length; length++) {
      await writeFile(log, bytes.subarray(0, length));
      const { store, rows } = await openStore();
      expect(rows("events")).toEqual(["1|n=1"]);
      if (length % 40 === 0) {
        await append(store, [row(3, { n: 3n })]);
        await store.close();
        const again = await openStore();
        expect(again.rows("events")).toEqual(["1|n=1", "3|n=3"]);
        await again.store.close();
      } else {
        await store.close();
      }
    }
    expect(warnings).toEqual([]);
  });

  test("seals early when long strings fill a dictionary", async () => {
    const { store } = await openStore();
    const long = "x".repeat(2 ** 20);
    // 240 MB, and then 288: the batch after that begins a new segment.
    for (let batch = 0; batch < 6; batch++) {
      const rows = Array.from({ length: 48 }, (_, i) =>
        row(batch, { log: `${batch} ${i} ${long}` }),
      );
      await append(store, rows);
      expect(store.find("events")?.openRowCount).toBe((batch + 1) * 48);
    }
    await append(store, [row(7, { log: "short" })]);
    expect(store.find("events")?.openRowCount).toBe(1);
    await append(store, [row(8, { log: "short again" })]);
    expect(store.find("events")?.openRowCount).toBe(2);
    await store.close();
  });

  test("seals rows before a batch whose many columns would have room for each of them", async () => {
    const { store, rows } = await openStore();
    const few = manyRows(30_000, 0, 1);
    for (let first = 0; first < few.length; first += 15_000)
      await append(store, few.slice(first, first + 15_000));
    // 3,000 columns × 32,768 rows would take 400 MB, four fifths of the leaf.
    const wide = Array.from({ length: 300 }, (_, i) =>
      row(i, Object.fromEntries(Array.from({ length: 10 }, (__, k) => [`c${i * 10 + k}`, 1n]))),
    );
    await append(store, wide);
    expect(store.find("events")?.openRowCount).toBe(300);
    expect(store.find("events")?.bytes).toBeLessThan(30_000_000);
    expect(rows("events")).toEqual(printPlainRows([...few, ...wide]));
    await store.close();
  });

  test("skips a damaged record, keeps its neighbours and reports it", async () => {
    const first = await openStore();
    for (const n of [1n, 2n, 3n]) await append(first.store, [row(Number(n), { n })]);
    const log = join(first.store.find("events")!.folder, "log-1.hdl");
    await first.store.close();
    const bytes = await readFile(log);
    const second = bytes.indexOf("HDR1", 4);
    bytes[second + 20]! ^= 0x40;
    await writeFile(log, bytes);
    const { store, rows } = await openStore();
    expect(rows("events")).toEqual(["1|n=1", "3|n=3"]);
    expect(warnings.splice(0).join()).toContain("damaged");
    // What comes next follows the last good record.
    await append(store, [row(4, { n: 4n })]);
    await store.close();
    const again = await openStore();
    expect(again.rows("events")).toEqual(["1|n=1", "3|n=3", "4|n=4"]);
    expect(warnings).toEqual([]);
    await again.store.close();
  });

  test("keeps a copy where the last record has all of its bytes and not the right ones", async () => {
    const first = await openStore();
    for (const n of [1n, 2n]) await append(first.store, [row(Number(n), { n })]);
    const log = join(first.store.find("events")!.folder, "log-1.hdl");
    await first.store.close();
    const bytes = await readFile(log);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(log, bytes);
    const { store, rows } = await openStore();
    expect(rows("events")).toEqual(["1|n=1"]);
    expect(warnings.join()).toContain("damaged");
    expect(await readFile(`${log}.damaged`)).toEqual(bytes);
    // The same log is written on, and damaged once more.
    await append(store, [row(3, { n: 3n })]);
    await store.close();
    const damagedAgain = await readFile(log);
    damagedAgain[damagedAgain.length - 1]! ^= 1;
    await writeFile(log, damagedAgain);
    const again = await openStore();
    expect(again.rows("events")).toEqual(["1|n=1"]);
    expect(await readFile(`${log}.damaged`)).toEqual(bytes);
    expect(await readFile(`${log}.damaged-2`)).toEqual(damagedAgain);
    expect(again.store.find("events")!.lost.unknown).toHaveLength(2);
    await again.store.close();
  });

  test("starts without a segment whose file is damaged, and reports it", async () => {
    const first = await openStore();
    for (let i = 0; i < 5; i++) await append(first.store, manyRows(16_000, i * 1_000_000, 50));
    await first.store.close();
    const path = join(first.store.find("events")!.folder, "segment-1.hds");
    await damageHead(path);
    const { store, rows } = await openStore();
    expect(rows("events")).toHaveLength(16_000);
    expect(warnings.join()).toContain("checksum");
    await store.close();
  });

  test("a column may change its type: rows of both times stay readable (S11)", async () => {
    const { store, rows } = await openStore();
    await append(store, [row(1, { c: 7n })]);
    await append(store, [row(2, { c: "seven" })]);
    await append(store, [row(3, { c: 8n })]);
    await append(store, [row(4, { c: ["a", "a"] })]);
    await append(store, [row(5, { c: "b" })]);
    expect(rows("events")).toEqual(["1|c=7", "2|c=seven", "3|c=8", '4|c=["a","a"]', "5|c=b"]);
    const table = store.find("events")!;
    expect(columnForms(table.columns, "c", new SegmentFacts(table.snapshot()))).toMatchObject({
      types: ["int", "string", "vector"],
      decimals: 0,
    });
    const restarted = await openStore();
    expect(restarted.rows("events")).toEqual(rows("events"));
    await store.close();
    await restarted.store.close();
  });

  test("strings that hardly repeat leave the dictionary (S22)", async () => {
    const { store, rows } = await openStore();
    const batch = (i: number): PlainRow[] =>
      Array.from({ length: 11_000 }, (_, k) => row(i, { line: `line ${i}-${k} é` }));
    const batches = Array.from({ length: 13 }, (_, i) => batch(i));
    for (const part of batches) await append(store, part);
    const kinds = store
      .find("events")!
      .snapshot()
      .map((view) => view.columns.get("line")!.kind);
    expect(kinds).toEqual(["text", "text", "text"]);
    expect(store.find("events")!.columns.dictionaryBytes).toBe(0);
    expect(rows("events")).toEqual(printPlainRows(batches.flat()));
    await store.close();
    const restarted = await openStore();
    expect(restarted.rows("events")).toEqual(printPlainRows(batches.flat()));
    await restarted.store.close();
  });

  test("a segment that brings in too many values becomes text, those before keep their dictionary until they expire (S22)", async () => {
    const { store, rows } = await openStore();
    const few = Array.from({ length: 5 }, (_, i) => manyRows(11_000, i * 11_000, 1));
    // Some rows have no value, some the empty string, some one that other rows have too.
    const valuesOf = (i: number): Record<string, PlainValue> =>
      i % 11 === 0 ? {} : { service: i % 5 === 0 ? "" : i % 7 === 0 ? "service-3" : `é ${i}` };
    const many = Array.from({ length: 5 }, (_, k) =>
      Array.from({ length: 11_000 }, (_, i) => row(200_000 - i, valuesOf(k * 11_000 + i))),
    );
    for (const part of [...few, ...many]) await append(store, part);
    const table = store.find("events")!;
    table.sealOpen();
    while (table.openGeneration !== null) await new Promise(setImmediate);
    await append(store, [row(200_001, { service: "one more", late: "a" })]);
    const kinds = table.snapshot().map((view) => view.columns.get("service")!.kind);
    expect(kinds).toEqual(["coded", "text", "text"]);
    const rest = [...many.flat(), row(200_001, { service: "one more", late: "a" })];
    expect(rows("events")).toEqual(printPlainRows([...few.flat(), ...rest]));
    expect(table.columns.dictionaryBytesOf("service")).toBeGreaterThan(1_000_000);

    const { generations } = await table.planExpiry({ beforeMs: 100_000, maxBytes: null });
    expect(generations).toEqual([1]);
    await table.dropSegments(generations);
    expect(table.columns.dictionaryBytesOf("service")).toBe(0);
    expect(table.columns.dictionaryBytesOf("late")).toBeGreaterThan(0);
    await append(store, [row(200_002, { service: "last", late: "b" })]);
    const last = [...rest, row(200_002, { service: "last", late: "b" })];
    expect(rows("events")).toEqual(printPlainRows(last));
    await store.close();
    const restarted = await openStore();
    expect(restarted.rows("events")).toEqual(printPlainRows(last));
    await restarted.store.close();
  });

  test("queued batches are settled when the slowest is stored, not when the last is answered", async () => {
    const { store } = await openStore();
    await append(store, [row(1, { x: 1n })], "first");
    const table = store.find("events")!;
    const stored: string[] = [];
    const slow = append(store, [row(2, { x: 2n })], "slow").then(() => stored.push("slow"));
    const again = append(store, [row(1, { x: 1n })], "first").then(() => stored.push("again"));
    await new Promise(setImmediate);
    await table.settled();
    expect(stored.sort()).toEqual(["again", "slow"]);
    await Promise.all([slow, again]);
    await store.close();
  });

  test("S11: a log is read again unchanged, where the rows that made a column wider are gone", async () => {
    const { store, rows } = await openStore();
    await append(store, [row(1, { x: "wide" })]);
    const table = store.find("events")!;
    table.sealOpen();
    while (table.openGeneration !== null) await new Promise(setImmediate);
    const { generations } = await table.planExpiry({ beforeMs: 100, maxBytes: null });
    await table.dropSegments(generations);
    const left = [row(1_000, { x: 5n }), row(1_001, { x: "abc" })];
    for (const one of left) await append(store, [one]);
    expect(rows("events")).toEqual(printPlainRows(left));
    await store.close();
    const restarted = await openStore();
    expect(restarted.rows("events")).toEqual(printPlainRows(left));
    await restarted.store.close();
  });

  test("texts that begin to repeat go back to the dictionary, and both spans are read (S22)", async () => {
    const { store, rows } = await openStore();
    const lines = Array.from({ length: 11 }, (_, k) =>
      Array.from({ length: 11_000 }, (_, i) =>
        row(k, { line: k < 5 ? `line ${k}-${i}` : `one of ${(i * 7) % 90}` }),
      ),
    );
    for (const part of lines) await append(store, part);
    const more = Array.from({ length: 900 }, (_, i) => row(20, { line: `line ${i % 50}` }));
    const table = store.find("events")!;
    table.sealOpen();
    while (table.openGeneration !== null) await new Promise(setImmediate);
    await append(store, more);
    const kinds = (): string[] => table.snapshot().map((view) => view.columns.get("line")!.kind);
    expect(kinds()).toEqual(["text", "text", "coded", "coded"]);
    const expected = printPlainRows([...lines.flat(), ...more]);
    expect(rows("events")).toEqual(expected);
    await store.close();
    const restarted = await openStore();
    expect(restarted.rows("events")).toEqual(expected);
    await restarted.store.close();
  });

  test("gives the open segment's memory back once its last reader is done", async () => {
    const context = createContext();
    const store = await LeafStore.open(folder, context);
    await append(store, manyRows(16_000, 0, 50));
    const view = store.find("events")!.snapshot()[0]!;
    view.pins.pin();
    const before = readPlainRows([view], context);
    for (let i = 1; i < 6; i++) await append(store, manyRows(16_000, i * 1000, 50));
    const used = context.memory.store.usedBytes;
    expect(readPlainRows([view], context)).toEqual(before);
    view.pins.unpin();
    expect(context.memory.store.usedBytes).toBeLessThan(used);
    await store.close();
  });
});
