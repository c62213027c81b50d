import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rawTextBytesOf } from "./compressText.js";
import { LeafStore } from "./leafStore.js";
import type { SealedSegment } from "./sealSegment.js";
import type { SegmentView } from "./segmentView.js";
import type { TableContext } from "./tableContext.js";
import { createLeafContext } from "./testing/leafContext.js";
import { batchOfRows, type PlainRow, printPlainRows, readPlainRows } from "./testing/plainRows.js";
import { TextAging } from "./textAging.js";
import { pagesOf } from "./textCodec.js";

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

/** Per segment: raw, LZ4, open, or no text at all. */
function formsOf(views: readonly SegmentView[], context: TableContext): string[] {
  return views.map((view) => {
    const column = view.columns.get("line")!;
    if (column.kind !== "text") return column.kind;
    const compressed = pagesOf(column, context.memory).filter((page) => page.compressedBytes > 0);
    if (compressed.length === 0) return view.sorted ? "raw" : "open";
    return compressed.length === column.pageCount ? "LZ4" : "mixed";
  });
}

test("older texts become LZ4, readers keep what they read, and every row stays as it was (C12)", async () => {
  const context = createContext();
  const aging = new TextAging(context.memory, context.warn, 7_000_000);
  const store = await LeafStore.open(folder, context, aging);
  const batches = Array.from({ length: 16 }, (_, i) => linesOf(i));
  const table = await append(store, batches.slice(0, 11));
  const before = table.snapshot();
  // The segment that showed how many values there are is text as well, and nobody needs the dictionary any more.
  expect(formsOf(before, context)).toEqual(["raw", "raw", "open"]);
  expect(table.columns.dictionaryBytes).toBe(0);
  const [oldest] = before;
  oldest!.pins.pin();
  const readBefore = readPlainRows([oldest!], context);

  await append(store, batches.slice(11));
  await aging.settled();
  const after = table.snapshot();
  expect(formsOf(after, context)).toEqual(["LZ4", "raw", "raw", "open"]);
  // The old form is there for who pinned it, and gone after.
  expect(readPlainRows([oldest!], context)).toEqual(readBefore);
  const used = context.memory.store.usedBytes;
  oldest!.pins.unpin();
  expect(used - context.memory.store.usedBytes).toBeGreaterThan(3_000_000);
  expect(readPlainRows(after, context)).toEqual(printPlainRows(batches.flat()));
  const [lz4, raw] = after;
  const bytesOf = (view: SegmentView) => view.columnBytes.get("line")!;
  expect(bytesOf(raw!) / bytesOf(lz4!)).toBeGreaterThan(3);
  await store.close();

  // Files hold LZ4: what fitted before fits again.
  const restarted = createContext();
  const again = await LeafStore.open(folder, restarted);
  const views = again.find("logs")!.snapshot();
  expect(formsOf(views, restarted)).toEqual(["LZ4", "LZ4", "LZ4", "open"]);
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
  const aging = new TextAging(context.memory, context.warn);
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
