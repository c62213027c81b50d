import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { inTurns, neverStops, type Steps } from "../../base/schedule/steps.js";
import { createColumnReader } from "../../column/readColumn.js";
import { TableColumns } from "../columns/tableColumns.js";
import { LeafStore } from "../leaf/leafStore.js";
import { OpenSegment } from "../open/openSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import type { Table } from "../table/table.js";
import { createLeafContext } from "../testing/leafContext.js";
import { readPlainRows } from "../testing/plainRows.js";
import { sealSteps } from "./sealSegment.js";

const columnCount = 1_200;
let folder = "";

beforeEach(async () => {
  // A turn is a quarter as long, so that there are many of them however fast the machine is.
  const nowMs = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => nowMs() * 4);
  folder = await mkdtemp(join(tmpdir(), "hadal-turns-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const createContext = (): TableContext =>
  createLeafContext(768 * 2 ** 20, (text) => expect.fail(text));

async function openTable(): Promise<{ context: TableContext; store: LeafStore; table: Table }> {
  const context = createContext();
  const store = await LeafStore.open(folder, context);
  return { context, store, table: await store.findOrCreate("events") };
}

/** Rows with numbers of their own, and of all other columns two each. */
function wideBatch(first: number, rowCount: number, letter = "c"): RowBatch {
  const ints = (name: string, numberOf: (row: number) => number): BatchColumn => ({
    ...({ name, type: "int", decimals: 0, present: null } as const),
    values: BigInt64Array.from({ length: rowCount }, (_, row) => BigInt(numberOf(row))),
  });
  const cells = (name: string, at: number): BatchColumn => ({
    ...({ name, type: "sparse" } as const),
    rows: Uint32Array.of(at % (rowCount - 1), rowCount - 1),
    cells: {
      ...({ name, type: "int", decimals: 0, present: null } as const),
      values: BigInt64Array.of(BigInt(at), BigInt(first)),
    },
  });
  return {
    rowCount,
    times: Float64Array.from({ length: rowCount }, (_, row) => (row * 7_919) % rowCount),
    columns: [
      ints("number", (row) => first + row),
      ...Array.from({ length: columnCount }, (_, at) => cells(`${letter}${at}`, at)),
    ],
  };
}

/** The numbers of all rows that a query would read now. */
function numbersOf(table: Table, { memory }: TableContext): number[] {
  const reader = createColumnReader(memory.memory);
  return table.snapshot().flatMap(({ columns, rowCount, sorted }) => {
    const column = columns.get("number");
    if (column?.kind !== "int") throw new Error("every row has a number");
    const numbers = Array.from({ length: rowCount }, (_, row) =>
      Number(reader.storedInt(column, row, rowCount)),
    );
    // Each column of the open segment has its place: none lies at 0, where there are no rows.
    for (const one of columns.values())
      if (one.kind === "int" && !sorted) expect(one.values.address).not.toBe(0);
    return numbers;
  });
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const ascending = (a: number, b: number): number => a - b;

describe("an open segment of many columns", () => {
  test.each([true, false])(
    "is sealed in turns: in each of them every row is visible once (durable: %s)",
    async (isDurable) => {
      const { context, store, table } = await openTable();
      let sent = 0;
      let acknowledged = 0;
      const send = async (rowCount: number): Promise<void> => {
        const batch = wideBatch(sent, rowCount);
        sent += rowCount;
        await table.append({ batch, batchId: `b${sent}`, contentHash: "", isDurable });
        acknowledged += rowCount;
      };
      const sends: Promise<void>[] = [];
      let turns = 0;
      for (let round = 0; round < 3; round++) {
        await send(700);
        const generation = table.openGeneration;
        table.sealOpen();
        while (table.openGeneration === generation) {
          // Some come before it is sealed.
          if (turns % 3 === 0 && sends.length < 8) sends.push(send(20));
          const leastRows = acknowledged;
          const numbers = numbersOf(table, context).sort(ascending);
          expect(numbers).toEqual(upTo(numbers.length));
          expect(numbers.length).toBeGreaterThanOrEqual(leastRows);
          turns++;
          await setImmediate();
        }
      }
      await Promise.all(sends);
      expect(turns).toBeGreaterThan(8);
      expect(numbersOf(table, context).sort(ascending)).toEqual(upTo(sent));
      await store.close();
      const again = await openTable();
      expect(numbersOf(again.table, again.context).sort(ascending)).toEqual(upTo(sent));
      await again.store.close();
    },
    120_000,
  );

  test("whose room others take while it is sealed stays as it is, and is sealed later", async () => {
    const { context, store, table } = await openTable();
    await table.append({ batch: wideBatch(0, 900), batchId: "a", contentHash: "" });
    const { store: extents } = context.memory;
    const usedBytes = extents.usedBytes;
    table.sealOpen();
    const taken: number[] = [];
    for (let bytes = extents.largestFreeBytes; bytes >= 64; ) {
      const address = extents.allocate(bytes);
      if (address === null) bytes >>= 1;
      else taken.push(address);
    }
    await table.settled();
    const isRefused = table.append({ batch: wideBatch(900, 5), batchId: "b", contentHash: "" });
    await expect(isRefused).rejects.toMatchObject({ code: "storage-full" });
    for (const address of taken) extents.release(address);
    expect([table.openGeneration, extents.usedBytes]).toEqual([1, usedBytes]);
    expect(numbersOf(table, context)).toEqual(upTo(900));
    table.sealOpen();
    await expect.poll(() => table.openGeneration).toBeNull();
    expect(numbersOf(table, context).sort(ascending)).toEqual(upTo(900));
    await store.close();
  });

  test("gets its room in turns: readers see all earlier rows, until the batch is visible", async () => {
    const { context, store, table } = await openTable();
    await table.append({ batch: wideBatch(0, 1_000), batchId: "a", contentHash: "" });
    const before = readPlainRows(table.snapshot(), context);
    let isThere = false;
    const appended = table
      .append({ batch: wideBatch(1_000, 3_000, "d"), batchId: "b", contentHash: "" })
      .then(() => {
        isThere = true;
      });
    let turns = 0;
    for (; !isThere; turns++) {
      const isBefore = table.rowCount === 1_000;
      if (isBefore) expect(readPlainRows(table.snapshot(), context)).toEqual(before);
      await setImmediate();
    }
    await appended;
    expect(turns).toBeGreaterThan(2);
    expect(numbersOf(table, context)).toEqual(upTo(4_000));
    await store.close();
  });
});

/** As a query's work does, which ends after a few turns. */
function* spin(): Steps<void> {
  const endMs = performance.now() + 16;
  while (performance.now() < endMs) yield;
}

test("is sealed in a turn of each round, however many queries take theirs", async () => {
  const { store, table } = await openTable();
  await table.append({ batch: wideBatch(0, 900), batchId: "a", contentHash: "" });
  let isSealed = false;
  const asking = Array.from({ length: 20 }, async () => {
    while (!isSealed) await inTurns(spin(), neverStops);
  });
  let rounds = 0;
  for (; table.openGeneration !== null && rounds < 1_000; rounds++) {
    // Not while its writer is at work.
    table.sealOpen();
    await setImmediate();
  }
  isSealed = true;
  await Promise.all(asking);
  expect(rounds).toBeGreaterThan(2);
  // Among theirs it would wait for some twenty rounds each time.
  expect(rounds).toBeLessThan(150);
  await store.close();
}, 60_000);

test("strings of a column that gets its room while segments go have one dictionary", async () => {
  const { store, table } = await openTable();
  await table.append({ batch: wideBatch(0, 500), batchId: "a", contentHash: "" });
  while (table.openGeneration !== null) {
    table.sealOpen();
    await setImmediate();
  }
  await table.append({ batch: wideBatch(500, 10), batchId: "b", contentHash: "" });
  const strings: BatchColumn = {
    ...({ name: "s", type: "string", dictionary: ["x"] } as const),
    codes: new Uint32Array(3_000).fill(1),
  };
  const { columns, ...rest } = wideBatch(510, 3_000, "d");
  const batch = { ...rest, columns: [strings, ...columns] };
  const appended = table.append({ batch, batchId: "c", contentHash: "" });
  for (let turn = 0; turn < 4; turn++) await setImmediate();
  expect(table.rowCount).toBe(510);
  await table.dropSegments([1]);
  await appended;
  const used = table.snapshot().flatMap((segment) => {
    const column = segment.columns.get("s");
    return column?.kind === "coded" ? [column.dictionary] : [];
  });
  expect(used).toEqual([table.columns.dictionaryOf("s", "string")]);
  expect(used[0]).toBe(table.columns.dictionaryOf("s", "string"));
  await store.close();
}, 60_000);

test("an abandoned seal gives its memory back at every step", () => {
  const { memory, kernel } = createContext();
  const columns = new TableColumns();
  const open = new OpenSegment(memory, kernel);
  const batch = columns.take(wideBatch(0, 100));
  open.reserve(batch, (name) => columns.layoutOf(name));
  open.append(batch);
  const usedBytes = memory.store.usedBytes;
  for (const stepCount of [1, 2, columnCount / 2, columnCount]) {
    const steps = sealSteps(open.view(), 1, { memory, kernel });
    for (let step = 0; step < stepCount; step++) steps.next();
    expect(memory.store.usedBytes).toBeGreaterThan(usedBytes);
    steps.return(undefined as never);
    expect(memory.store.usedBytes).toBe(usedBytes);
  }
});
