import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRaw, isTemplated } from "../../column/pageTable.js";
import { LeafStore } from "../leaf/leafStore.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { SegmentView } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows, type PlainRow, printPlainRows, readPlainRows } from "../testing/plainRows.js";
import { rawTextBytesOf } from "../text/compressText.js";
import { pagesOf } from "../text/storedPages.js";
import { TextAging } from "./textAging.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-aging-"));
});
afterEach(() => rm(folder, { recursive: true }));

const createContext = () => createLeafContext(512 * 2 ** 20, (text) => expect.fail(text));

/** Log lines; every value is another, so that the column becomes text. */
const linesOf = (batch: number): PlainRow[] =>
  Array.from({ length: 13_000 }, (_, i) => ({
    time: 1_000_000 + batch * 20_000 + ((i * 7919) % 13_000),
    values: new Map([
      [
        "line",
        `request ${batch * 13_000 + i} of client ${i % 97} took ${(i * 31) % 977} ms – done`,
      ],
    ]),
  }));

async function append(store: LeafStore, batches: readonly (readonly PlainRow[])[]) {
  const table = await store.findOrCreate("logs");
  for (const [i, rows] of batches.entries()) {
    const contentHash = "hash";
    await table.append({ batch: batchOfRows(rows), batchId: `${rows[0]!.time}-${i}`, contentHash });
  }
  return table;
}

/** Per segment: raw, compressed (made from templates or LZ4), open, or no text at all. */
function formsOf(views: readonly SegmentView[], context: TableContext): string[] {
  return views.map((view) => {
    const column = view.columns.get("line")!;
    if (column.kind !== "text") return column.kind;
    const compressed = pagesOf(column, context.memory).filter((page) => !isRaw(page));
    if (compressed.length === 0) return view.sorted ? "raw" : "open";
    if (compressed.length < column.pageCount) return "mixed";
    return compressed.every(isTemplated) ? "templates" : "LZ4";
  });
}

test("older texts are compressed, readers keep their memory, and every row stays unchanged (C12)", async () => {
  const context = createContext();
  const aging = new TextAging(context, 7_000_000);
  const store = await LeafStore.open(folder, context, { textAging: aging });
  const batches = Array.from({ length: 16 }, (_, i) => linesOf(i));
  const table = await append(store, batches.slice(0, 11));
  const before = table.snapshot();
  // The segment that showed how many values there are is text as well, and no one needs the
  // dictionary any more.
  expect(formsOf(before, context)).toEqual(["raw", "raw", "open"]);
  expect(table.columns.dictionaryBytes).toBe(0);
  const [oldest] = before;
  oldest!.pins.pin();
  const readBefore = readPlainRows([oldest!], context);

  await append(store, batches.slice(11));
  await aging.settled();
  const after = table.snapshot();
  expect(formsOf(after, context)).toEqual(["templates", "raw", "raw", "open"]);
  // The old form is there for who pinned it, and gone after.
  expect(readPlainRows([oldest!], context)).toEqual(readBefore);
  const used = context.memory.store.usedBytes;
  oldest!.pins.unpin();
  expect(used - context.memory.store.usedBytes).toBeGreaterThan(3_000_000);
  expect(readPlainRows(after, context)).toEqual(printPlainRows(batches.flat()));
  const [packed, raw] = after;
  const bytesOf = (view: SegmentView) => view.columnBytes.get("line")!;
  expect(bytesOf(raw!) / bytesOf(packed!)).toBeGreaterThan(5);
  await store.close();

  // Files hold them compressed: what fitted before fits again.
  const restarted = createContext();
  const again = await LeafStore.open(folder, restarted);
  const views = again.find("logs")!.snapshot();
  expect(formsOf(views, restarted)).toEqual(["templates", "templates", "templates", "open"]);
  expect(readPlainRows(views, restarted)).toEqual(printPlainRows(batches.flat()));
  await again.close();
});

test("raw texts take a quarter of the store while half of it is free, else an eighth", async () => {
  const context = createContext();
  const { store: extents } = context.memory;
  const store = await LeafStore.open(folder, context);
  const table = await append(
    store,
    Array.from({ length: 6 }, (_, i) => linesOf(i)),
  );
  const segment = table.snapshot()[0] as SealedSegment;
  const bytes = rawTextBytesOf(segment, context.memory);
  expect(bytes).toBeGreaterThan(2_000_000);
  let tried = 0;
  // What is no longer there is not compressed, only counted.
  const holder = {
    replaceSegment: () => {
      tried++;
      return false;
    },
  };
  const aging = new TextAging(context);
  const quarter = Math.floor(extents.totalBytes / 4 / bytes);
  for (let i = 0; i < quarter; i++) aging.add(holder, segment);
  await aging.settled();
  expect(tried).toBe(0);
  aging.add(holder, segment);
  await aging.settled();
  expect(tried).toBe(1);
  const taken = extents.allocate(extents.totalBytes / 2)!;
  // Also a segment without texts makes room.
  aging.add(holder, { ...segment, columns: new Map() });
  await aging.settled();
  expect(tried).toBe(1 + quarter - Math.floor(extents.totalBytes / 8 / bytes));
  extents.release(taken);
  await store.close();
});

/**
 * Words that hardly repeat have no templates, and random letters are not even worth an LZ4 block.
 */
const proseOf = (batch: number): PlainRow[] =>
  linesOf(batch).map(({ time }, i) => {
    const words = Array.from({ length: 9 }, (_, k) => wordOf(batch * 13_000 + i * 31 + k * 977));
    return { time, values: new Map([["line", words.join(" ")]]) };
  });
const letters = "etaoinshrdlu";
const wordOf = (n: number): string =>
  Array.from({ length: 3 + (n % 5) }, (_, k) => letters[Math.floor(n / 7 ** k) % 12]).join("");

test("texts that are not made of templates become LZ4, in memory and on the disk", async () => {
  const context = createContext();
  const aging = new TextAging(context, 0);
  const store = await LeafStore.open(folder, context, { textAging: aging });
  const batches = Array.from({ length: 6 }, (_, i) => proseOf(i));
  const table = await append(store, batches);
  await aging.settled();
  expect(formsOf(table.snapshot(), context)).toEqual(["LZ4", "open"]);
  expect(readPlainRows(table.snapshot(), context)).toEqual(printPlainRows(batches.flat()));
  await store.close();
  const restarted = createContext();
  const again = await LeafStore.open(folder, restarted);
  const views = again.find("logs")!.snapshot();
  expect(formsOf(views, restarted)).toEqual(["LZ4", "open"]);
  expect(readPlainRows(views, restarted)).toEqual(printPlainRows(batches.flat()));
  await again.close();
});

test("texts are compressed once they are old, in the caller's turns, and memory is given back", async () => {
  const context = createContext();
  const store = await LeafStore.open(folder, context);
  const batches = Array.from({ length: 11 }, (_, i) => linesOf(i));
  const table = await append(store, batches);
  const used = context.memory.queries.usedBytes;
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses++;
  };
  await store.ageTexts(5_000, 60_000, pause);
  await store.ageTexts(64_999, 60_000, pause);
  expect(formsOf(table.snapshot(), context)).toEqual(["raw", "raw", "open"]);
  expect(pauses).toBe(0);
  const [oldest] = table.snapshot();
  await store.ageTexts(65_000, 60_000, pause);
  expect(formsOf(table.snapshot(), context)).toEqual(["templates", "templates", "open"]);
  // Twice for every page.
  expect(pauses).toBeGreaterThan(100);
  expect(table.snapshot()[0]).not.toBe(oldest);
  expect(context.memory.queries.usedBytes).toBe(used);
  expect(readPlainRows(table.snapshot(), context)).toEqual(printPlainRows(batches.flat()));
  await store.drop("logs", null);
  expect(context.memory.store.usedBytes).toBe(0);
  await store.close();
});
