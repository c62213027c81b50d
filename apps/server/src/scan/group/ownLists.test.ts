import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FilterOperator } from "@hadal/sdk";
import { expect, test } from "vitest";
import { testList } from "../../../test/oracle/naive/naiveListFilter.js";
import type { ListOperator } from "../../base/text/listOperator.js";
import type { ListDictionary } from "../../column/listDictionary.js";
import { conditionOnList } from "../../plan/filter/listCondition.js";
import type { ResolvedFilter, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { LeafStore } from "../../store/leaf/leafStore.js";
import type { StoredSegment } from "../../store/segment/segmentView.js";
import type { TableContext } from "../../store/segment/tableContext.js";
import { createLeafContext } from "../../store/testing/leafContext.js";
import {
  batchOfRows,
  type PlainRow,
  printPlainRows,
  readPlainRows,
} from "../../store/testing/plainRows.js";
import { decodeSide } from "../answer/decodeAnswer.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { allocateScratch, type Scratch } from "../memory/scratch.js";
import { ScanRun } from "../run/scanRun.js";
import { lowerNow } from "../testing/lowerNow.js";

const createContext = () =>
  createLeafContext(1024 * 2 ** 20, (text) => expect.fail(text), 256 * 2 ** 20);

const column = { name: "path", type: "vector", decimals: 0 } as const;
const batchRows = 12_000;

/** Lists that hardly repeat, of steps that do; some rows have an empty one, or none. */
function listOf(i: number): string[] | undefined {
  if (i % 41 === 0) return undefined;
  if (i % 37 === 0) return [];
  const list = Array.from({ length: 2 + (i % 4) }, (_, k) => `step ${(i * (k + 3)) % 500}`);
  // What makes it one of its own is made of few elements, too.
  return [...list, `at ${Math.floor(i / 250)}`, `from ${i % 250}`];
}
const rowsOf = (batch: number): PlainRow[] =>
  Array.from({ length: batchRows }, (_, k) => {
    const i = batch * batchRows + k;
    const list = listOf(i);
    return {
      time: 1_000_000 + batch * 20_000 + ((i * 7919) % batchRows),
      values: new Map(list === undefined ? [] : [["path", list]]),
    };
  });
const batches = Array.from({ length: 14 }, (_, batch) => rowsOf(batch));
const rows = batches.flat();
const lists = rows.map(({ values }) => values.get("path") as string[] | undefined);

function dictionariesOf(views: readonly StoredSegment[]): ListDictionary[] {
  return views.map(({ columns }) => {
    const stored = columns.get("path");
    if (stored?.kind !== "coded" || stored.type !== "vector") throw new Error("lists are coded");
    return stored.dictionary;
  });
}

interface AskContext extends TableContext {
  readonly scratch: Scratch;
}

function ask(
  views: readonly StoredSegment[],
  { memory, kernel, scratch }: AskContext,
  filter: ResolvedFilter,
  groupBy: ResolvedQuery["groupBy"],
) {
  const query: ResolvedQuery = {
    table: "t",
    sides: [{ fromMs: 0, toMs: 10_000_000, filter, buckets: null }],
    groupBy,
    states: [{ kind: "rows" }],
    sample: null,
    cut: { max: 1_000_000, bySeries: false, ranks: [] },
  };
  const queryMemory = new QueryMemory(memory);
  const lowered = lowerNow(1, query, [views], queryMemory);
  const run = new ScanRun({ memory: memory.memory, kernel, scratch }, lowered.task);
  while (!run.done) run.step();
  const side = decodeSide(run.answer().sides[0]!, lowered.components[0]!);
  queryMemory.release();
  const [counts] = side.states;
  const [key] = side.keys;
  if (counts?.kind !== "count") throw new Error("rows are counted");
  if (key !== undefined && key.kind !== "string") throw new Error("keys are strings");
  return new Map(
    Array.from(counts.values, (count, i) => {
      const code = key?.codes[i] ?? -1;
      return [code < 0 ? null : key!.dictionary[code]!, count] as const;
    }),
  );
}

const every: ResolvedFilter = { kind: "all", filters: [] };

function countBy(keysOf: (list: string[] | undefined) => readonly (string | null)[]) {
  const counts = new Map<string | null, number>();
  for (const list of lists) {
    for (const key of keysOf(list)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function checkAnswers(views: readonly StoredSegment[], leaf: TableContext): void {
  const context = { ...leaf, scratch: allocateScratch(leaf.memory.queries) };
  const conditions: readonly [ListOperator, readonly string[]][] = [
    ["includes any", ["step 3", "from 77", "nowhere"]],
    ["includes all", ["from 77", "at 9"]],
    ["includes none", ["step 3", "step 4"]],
    ["is empty", []],
    ["starts with", ["step 9"]],
    ["ends with", ["at 12", "from 5"]],
    ["contains sequence", ["step 30", "step 40"]],
  ];
  for (const [op, terms] of conditions) {
    const expected = lists.filter((list) => list && testList(op as FilterOperator, list, terms));
    const found = ask(
      views,
      context,
      conditionOnList(column, op, [...terms], { negated: false }),
      [],
    );
    expect([op, found.get(null) ?? 0]).toEqual([op, expected.length]);
  }
  const byList = countBy((list) => [list === undefined ? null : JSON.stringify(list)]);
  const whole = { kind: "column" as const, column: "path", type: "vector" as const, decimals: 0 };
  expect(ask(views, context, every, [whole])).toEqual(byList);
  const byElement = countBy((list) => (list === undefined ? [null] : [...new Set(list)]));
  expect(ask(views, context, every, [{ kind: "element", column: "path" }])).toEqual(byElement);
}

test("lists that never repeat: each segment has its own dictionary, answers and files are right, memory is released with segments (S4 S5 S23 S24)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-lists-"));
  const context = createContext();
  const store = await LeafStore.open(folder, context);
  const table = await store.findOrCreate("paths");
  for (const [i, batch] of batches.entries()) {
    await table.append({ batch: batchOfRows(batch), batchId: `${i}`, contentHash: "" });
  }
  const views = table.snapshot();
  const dictionaries = dictionariesOf(views);
  expect(dictionaries.map(({ isFrozen }) => isFrozen)).toEqual([true, true, false]);
  expect(new Set(dictionaries).size).toBe(3);
  expect(new Set(dictionaries.map(({ elements }) => elements)).size).toBe(1);
  // Codes in the order of arrival take less than their three bytes, and every list is booked.
  const bytes = views[0]!.columnBytes.get("path")!;
  const { listBytes } = dictionaries[0]!;
  expect(bytes).toBeGreaterThan(listBytes);
  expect(bytes).toBeLessThan(listBytes + 2.5 * views[0]!.rowCount);
  expect(readPlainRows(views, context)).toEqual(printPlainRows(rows));
  checkAnswers(views, context);
  await store.close();

  const restarted = createContext();
  const again = await LeafStore.open(folder, restarted);
  const reread = again.find("paths")!;
  const found = dictionariesOf(reread.snapshot());
  expect(found.map(({ isFrozen }) => isFrozen)).toEqual([true, true, false]);
  expect(readPlainRows(reread.snapshot(), restarted)).toEqual(printPlainRows(rows));
  checkAnswers(reread.snapshot(), restarted);
  const before = reread.bytes;
  await reread.dropSegments([1]);
  expect(before - reread.bytes).toBeGreaterThan(listBytes);
  await again.close();
  await rm(folder, { recursive: true });
}, 120_000);

test("lists that begin to repeat go to a dictionary that stays, and merged segments keep their own", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-lists-"));
  const context = createContext();
  const store = await LeafStore.open(folder, context);
  const table = await store.findOrCreate("paths");
  const stored: PlainRow[] = [];
  const append = async (part: readonly PlainRow[], isSealed: boolean) => {
    await table.append({ batch: batchOfRows(part), batchId: `${stored.length}`, contentHash: "" });
    stored.push(...part);
    while (isSealed && table.openGeneration !== null) {
      table.sealOpen();
      await new Promise(setImmediate);
    }
  };
  for (const batch of batches.slice(0, 3)) await append(batch, true);
  const isFrozen = () => dictionariesOf(table.snapshot()).map((dictionary) => dictionary.isFrozen);
  expect(isFrozen()).toEqual([true, true, true]);
  const few = Array.from({ length: 4 }, (_, i) => ({
    ...batches[0]![i + 1]!,
    time: 5_000_000 + i,
  }));
  for (let i = 0; i < 2; i++) {
    const part = Array.from({ length: 3_000 }, (_, k) => ({ ...few[k % 4]!, time: 5_000_000 + k }));
    await append(part, true);
  }
  expect(isFrozen()).toEqual([true, true, true, false, false]);
  expect(new Set(dictionariesOf(table.snapshot()).slice(3)).size).toBe(1);
  while (await table.merge(Date.now() + 1e12, async () => {}));
  expect(table.snapshot().length).toBeLessThan(5);
  expect(isFrozen()[0]).toBe(true);
  expect(readPlainRows(table.snapshot(), context)).toEqual(printPlainRows(stored));
  await store.close();
  const restarted = createContext();
  const again = await LeafStore.open(folder, restarted);
  const views = again.find("paths")!.snapshot();
  expect(readPlainRows(views, restarted)).toEqual(printPlainRows(stored));
  await again.close();
  await rm(folder, { recursive: true });
}, 120_000);
