import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LeafStore } from "../store/leafStore.js";
import type { Table } from "../store/table.js";
import { createLeafContext } from "../store/testing/leafContext.js";
import { batchOfRows } from "../store/testing/plainRows.js";
import { damageHead, damagePart } from "../store/testing/segmentBytes.js";
import { describeTable } from "./describeTable.js";

const createContext = () => createLeafContext(256 * 2 ** 20, (text) => expect.fail(text));

/** 8 bytes each for time and n, 9 for `service-3`, and 8 for a third of the rows. */
const rowsOf = (from: number) =>
  Array.from({ length: 16_000 }, (_, i) => ({
    time: from + i,
    values: new Map<string, bigint | string>([
      ["n", BigInt(i)],
      ["service", `service-${i % 7}`],
      ...(i % 3 === 0 ? [["rare", 5n] as const] : []),
    ]),
  }));

test("books every byte of the store on a column, and tells the same after a restart (S26)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-describe-"));
  const context = createContext();
  const store = await LeafStore.open(folder, context);
  const table = await store.findOrCreate("events");
  for (let i = 0; i < 6; i++) {
    await table.append({ batch: batchOfRows(rowsOf(i * 1e6)), batchId: `${i}`, contentHash: "" });
  }
  const told = (one: Table) => {
    const { rows, columns, rawBytes } = describeTable(one);
    return { rows, rawBytes, columns: columns.map(({ name, rows }) => `${name} ${rows}`).sort() };
  };
  const { bytes, columns, rawBytes } = describeTable(table);
  const positive = () =>
    describeTable(table).columns.flatMap(({ name, neverNegative }) =>
      neverNegative === true ? [name] : [],
    );
  expect(positive()).toEqual(["n", "rare"]);
  expect(columns.reduce((sum, column) => sum + column.bytes, 0)).toBe(bytes);
  expect(bytes - table.columns.dictionaryBytes).toBe(context.memory.store.usedBytes);
  expect(columns.reduce((sum, column) => sum + column.rawBytes, 0)).toBe(rawBytes);
  expect(rawBytes).toBe(96_000 * (8 + 8 + 9) + 32_004 * 8);
  const below = [{ time: 7e6, values: new Map([["rare", -1n]]) }];
  await table.append({ batch: batchOfRows(below), batchId: "below", contentHash: "" });
  expect(positive()).toEqual(["n"]);
  await store.close();
  const restarted = await LeafStore.open(folder, createContext());
  expect(told(restarted.find("events")!)).toEqual(told(table));
  await restarted.close();
  await rm(folder, { recursive: true });
});

test.each<[string, (path: string) => Promise<void>]>([
  ["a column", (path) => damagePart(path, "n")],
  ["a whole segment", damageHead],
])("says that values are lost where %s is damaged", async (_what, damage) => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-describe-"));
  const store = await LeafStore.open(folder, createContext());
  const table = await store.findOrCreate("events");
  await table.append({ batch: batchOfRows(rowsOf(0)), batchId: "a", contentHash: "" });
  while (table.openGeneration !== null) {
    table.sealOpen();
    await new Promise(setImmediate);
  }
  expect(describeTable(table).hasLost).toBeUndefined();
  await store.close();
  const [tableFolder] = await readdir(folder);
  await damage(join(folder, tableFolder!, "segment-1.hds"));
  const context = createLeafContext(256 * 2 ** 20, () => undefined);
  const restarted = await LeafStore.open(folder, context);
  expect(describeTable(restarted.find("events")!).hasLost).toBe(true);
  await restarted.close();
  await rm(folder, { recursive: true });
});
