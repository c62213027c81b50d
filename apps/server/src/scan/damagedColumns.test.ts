import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ResolvedFilter, ResolvedQuery, StateSpec } from "../plan/query/resolvedQuery.js";
import { LeafStore } from "../store/leaf/leafStore.js";
import type { SealedSegment } from "../store/segment/sealedSegment.js";
import type { Table } from "../store/table/table.js";
import { batchOfRows, type PlainRow } from "../store/testing/plainRows.js";
import { damagePart, partsOfFile } from "../store/testing/segmentBytes.js";
import { createScanMemory } from "./testing/scanMemory.js";
import { scanOnMainThread } from "./testing/scanOnMainThread.js";

const context = createScanMemory(512, 200);
const { kernel, leaf } = context;
const minuteMs = 60_000;
const rowsPerSegment = 4_000;

/**
 * Segment 1 has the rows of minute 1, and so on. Values of m are in a histogram beside the column.
 */
const rowsOf = (segment: number): PlainRow[] =>
  Array.from({ length: rowsPerSegment }, (_, i) => ({
    time: segment * minuteMs + i,
    values: new Map<string, bigint | string>([
      ["n", BigInt(segment * 1_000 + (i % 97))],
      ["m", BigInt(i % 2)],
      ["s", `text ${i % 5}`],
    ]),
  }));

let original: string;
let folder: string;
let warnings: string[];
const open = () =>
  LeafStore.open(folder, { memory: leaf, kernel, warn: (text) => warnings.push(text) });

beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), "hadal-damaged-columns-"));
  folder = original;
  warnings = [];
  const store = await open();
  const table = await store.findOrCreate("events");
  for (const segment of [1, 2, 3]) {
    const batch = batchOfRows(rowsOf(segment));
    await table.append({ batch, batchId: `${segment}`, contentHash: "" });
    while (table.openGeneration !== null) {
      table.sealOpen();
      await new Promise(setImmediate);
    }
  }
  await store.close();
  release(table);
  expect(warnings).toEqual([]);
});
afterAll(() => rm(original, { recursive: true }));

beforeEach(() => {
  warnings = [];
});

/** Gives the memory back that all stores of this test share. */
const release = (table: Table): void => table.releaseAll();

/**
 * Opens a copy that was damaged meanwhile, twice: what the first start leaves must do for the
 * second.
 */
async function afterDamage(
  damage: (tableFolder: string) => Promise<void>,
  check: (table: Table) => Promise<void>,
): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "hadal-damaged-columns-"));
  try {
    await cp(original, folder, { recursive: true });
    const [name] = await readdir(folder);
    await damage(join(folder, name!));
    for (let start = 0; start < 2; start++) {
      const store = await open();
      const table = store.find("events")!;
      await check(table);
      await store.close();
      release(table);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const everyRow: ResolvedFilter = { kind: "all", filters: [] };

async function ask(
  table: Table,
  states: readonly StateSpec[],
  columns: readonly string[] | null,
  { fromMs = 0, toMs = 10 * minuteMs, filter = everyRow } = {},
) {
  const bound = columns?.map(
    (name) => ({ name, type: name === "s" ? "string" : "int", decimals: 0 }) as const,
  );
  const query: ResolvedQuery = {
    ...{ table: "events", groupBy: [], sample: null },
    sides: [{ fromMs, toMs, filter, buckets: null }],
    states: [{ kind: "rows" }, { kind: "weight" }, ...states],
    cut: { max: 100, bySeries: false, ranks: [] },
    ...(bound === undefined ? {} : { bound }),
  };
  const { partial, stats } = await scanOnMainThread(context, query, table, 1);
  const [rows, , asked] = partial.sides[0]?.states ?? [];
  return {
    rows: rows?.kind === "count" ? (rows.values[0] ?? 0) : null,
    sum: asked?.kind === "sum" ? asked.hi[0]! * 2 ** 32 + asked.lo[0]! || 0 : null,
    held: stats.rowsHeld,
    unreadable: stats.unreadable ?? null,
  };
}

const sumOf = (...segments: readonly number[]): number =>
  segments.flatMap(rowsOf).reduce((sum, { values }) => sum + Number(values.get("n")), 0);
const sumN: StateSpec = { kind: "sum", column: "n", decimals: 0 };
const segment2 = (tableFolder: string): string => join(tableFolder, "segment-2.hds");

test("a damaged column costs its rows where it is read, and nothing elsewhere", async () => {
  await afterDamage(
    (at) => damagePart(segment2(at), "n"),
    async (table) => {
      const all = 3 * rowsPerSegment;
      expect(await ask(table, [], [])).toEqual({
        ...{ rows: all, sum: null, held: all, unreadable: null },
      });
      const isText: ResolvedFilter = {
        ...{ kind: "strings", column: "s", values: ["text 1"], negated: false },
      };
      expect(await ask(table, [], ["s"], { filter: isText })).toMatchObject({
        ...{ rows: all / 5, held: all, unreadable: null },
      });
      const lacking = {
        held: 2 * rowsPerSegment,
        unreadable: { rows: rowsPerSegment, columns: ["n"] },
      };
      expect(await ask(table, [sumN], ["n"])).toEqual({
        ...{ rows: 2 * rowsPerSegment, sum: sumOf(1, 3), ...lacking },
      });
      // No one says what it reads: then it may be the damaged one.
      expect(await ask(table, [], null)).toMatchObject(lacking);
      // Not a value that is missing: the rows are not there for this question.
      const isMissing: ResolvedFilter = { kind: "present", column: "n", negated: true };
      expect(await ask(table, [], ["n"], { filter: isMissing })).toMatchObject({
        ...{ rows: 0, ...lacking },
      });
      const beside = { fromMs: 3 * minuteMs };
      expect(await ask(table, [sumN], ["n"], beside)).toMatchObject({
        ...{ rows: rowsPerSegment, sum: sumOf(3), held: rowsPerSegment },
        unreadable: { rows: 0 },
      });
    },
  );
});

test("it is reported by the log and by the table, and the rows stay counted", async () => {
  await afterDamage(
    (at) => damagePart(segment2(at), "s"),
    async (table) => {
      expect(warnings.splice(0).join()).toContain("the values of s of its 4000 rows");
      expect(table.lost.columns).toEqual([
        { column: "s", rowCount: 4_000, reason: "segment-2.hds is damaged" },
      ]);
      expect(table.lost.rows.minutes.size).toBe(0);
      expect([...table.minutes.values()]).toEqual([4_000, 4_000, 4_000]);
    },
  );
});

test("a cut-off file loses the columns at its end", async () => {
  await afterDamage(
    async (at) => {
      const bytes = await readFile(segment2(at));
      const [, end] = partsOfFile(bytes).get("n")!;
      await writeFile(segment2(at), bytes.subarray(0, end));
    },
    async (table) => {
      expect(table.lost.columns.map(({ column }) => column)).toEqual(["m", "s"]);
      expect(await ask(table, [sumN], ["n"])).toMatchObject({
        ...{ sum: sumOf(1, 2, 3), unreadable: null },
      });
    },
  );
});

test("a damaged histogram costs no value", async () => {
  await afterDamage(
    (at) => damagePart(segment2(at), "histogram of m"),
    async (table) => {
      expect(warnings.splice(0).join()).toContain("no value is lost");
      expect(table.lost.columns).toEqual([]);
      const [, second] = table.snapshot();
      expect([...second!.columns.keys()]).toEqual(["n", "m", "s"]);
      expect([...second!.histograms.keys()]).toEqual(["n"]);
    },
  );
});

test("a segment with damaged times is lost as a whole: its file is renamed", async () => {
  await afterDamage(
    (at) => damagePart(segment2(at), "times"),
    async (table) => {
      expect([...table.lost.rows.minutes]).toEqual([[2, rowsPerSegment]]);
      expect(await ask(table, [sumN], ["n"])).toMatchObject({
        ...{ sum: sumOf(1, 3), held: 2 * rowsPerSegment },
      });
    },
  );
});

test("such a segment is neither merged nor thinned, and is removed as others are", async () => {
  await afterDamage(
    (at) => damagePart(segment2(at), "n"),
    async (table) => {
      const generations = () =>
        table.snapshot().map((segment) => (segment as SealedSegment).generation);
      while (await table.merge(1e15, async () => {}));
      expect(generations()).toEqual([1, 2, 3]);
      const planned = await table.planThinning({ beforeMs: 1e12, keepOneIn: 10 });
      expect(planned.generations).toEqual([1, 3]);
    },
  );
  await afterDamage(
    (at) => damagePart(segment2(at), "n"),
    async (table) => {
      await table.dropSegments([2]);
      expect(table.lost.columns).toEqual([]);
      expect(await ask(table, [sumN], ["n"])).toMatchObject({
        ...{ sum: sumOf(1, 3), held: 2 * rowsPerSegment, unreadable: null },
      });
    },
  );
});
