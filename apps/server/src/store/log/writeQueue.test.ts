import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { LeafStore } from "../leaf/leafStore.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows } from "../testing/plainRows.js";
import { WriteQueue } from "./writeQueue.js";

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, time) => ({ time, values: new Map() }));

test("small batches pass large ones by, until these have waited for a second", () => {
  let nowMs = 0;
  const queue = new WriteQueue<{ name: string; batch: RowBatch }>(() => nowMs);
  const push = (name: string, rows: number): void => {
    queue.push({ name, batch: batchOfRows(rowsOf(rows)) });
  };
  push("old", 2_000);
  nowMs = 600;
  push("large", 2_000);
  push("small", 1);
  nowMs = 1_100;
  push("late", 1);
  push("later", 1);
  const order: (string | undefined)[] = [];
  while (!queue.isEmpty) order.push(queue.shift()?.name);
  expect(order).toEqual(["small", "old", "late", "later", "large"]);
});

test("a small batch that comes while a segment is sealed is stored, and loses no other", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-queue-"));
  const context = createLeafContext(256 * 2 ** 20, (text) => expect.fail(text));
  const store = await LeafStore.open(folder, context);
  const table = await store.findOrCreate("events");
  const large = batchOfRows(rowsOf(16_384));
  const appends = Array.from({ length: 12 }, (_, i) =>
    table.append({ batch: large, batchId: `large-${i}`, contentHash: "" }),
  );
  const small: Promise<unknown>[] = [];
  let isDone = false;
  const sendSmall = async (): Promise<void> => {
    for (let i = 0; !isDone; i++) {
      small.push(
        table.append({ batch: batchOfRows(rowsOf(1)), batchId: `small-${i}`, contentHash: "" }),
      );
      await small.at(-1);
      for (let turn = 0; turn < i % 50; turn++)
        await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const sending = sendSmall();
  await Promise.all(appends);
  isDone = true;
  await sending;
  await Promise.all(small);
  expect(table.rowCount).toBe(12 * 16_384 + small.length);
  await store.close();
  await rm(folder, { recursive: true });
});
