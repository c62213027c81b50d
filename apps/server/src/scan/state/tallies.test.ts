import { expect, test } from "vitest";
import { printAskedKeys } from "../../aggregate/cut/askedKeys.js";
import type { KeyColumn, PartialSide } from "../../aggregate/partial/partialResult.js";
import { atOnce } from "../../base/schedule/steps.js";
import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader } from "../../column/textReader.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { PlainRow, PlainValue } from "../../store/testing/plainRows.js";
import { decodeSide } from "../answer/decodeAnswer.js";
import { answerFollowUp } from "../answer/followUpAnswer.js";
import { FilterLowering } from "../filter/lowerFilter.js";
import { lowerLanes } from "../lower/lowerLanes.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { ScanRun } from "../run/scanRun.js";
import type { SideTask } from "../task/scanTask.js";
import { lowerNow } from "../testing/lowerNow.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { storeRows } from "../testing/storeRows.js";
import { createStringReader } from "../value/stringReader.js";

const { memory, kernel, leaf, scratch } = createScanMemory(512, 200);

const segmentRows = 40_000;
const distinct = 70_000;
/** An eighth of all rows is of this group: its tally is full again and again. */
const frequent = 5;

/**
 * Dense ids, once complete and once with missing ones; sizes whose sums carry, and some that may be
 * below 0.
 */
function createRows(): PlainRow[][] {
  let state = 7;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: 4 }, (_, segment) =>
    Array.from({ length: segmentRows }, (_, i): PlainRow => {
      const id = BigInt(i % 8 === 0 ? frequent : Math.floor(distinct * next()));
      const values: [string, PlainValue][] = [
        ["complete", i === 0 ? BigInt(distinct) : id],
        // Narrow in the first two segments, with a base of its own; of all 32 bits in the third.
        [
          "size",
          BigInt(
            Math.floor(next() * [60_000, 2 ** 24 - 9, 2 ** 32 - 9][Math.min(segment, 2)]!) + 7,
          ),
        ],
        ["change", BigInt(Math.floor(next() * 1000) - 500)],
      ];
      if (i % 40 !== 1) values.push(["partly", id]);
      return {
        time: segment * segmentRows + Math.floor(next() * segmentRows),
        values: new Map(values),
      };
    }),
  );
}

const parts = createRows();
const views = storeRows(parts, { leaf, kernel });

const fromMs = 20_000;
const filters = {
  every: { kind: "all", filters: [] },
  most: { kind: "range", column: "change", decimals: 0, low: "-450", high: "499", negated: false },
  few: { kind: "range", column: "change", decimals: 0, low: "480", high: "499", negated: false },
} as const;
const leastOf = { every: -500n, most: -450n, few: 480n } as const;

function queryOf(column: string, filter: keyof typeof filters, max = 1_000_000): ResolvedQuery {
  const sumOf = (name: string) => ({ kind: "sum" as const, column: name, decimals: 0 });
  return {
    table: "t",
    sides: [{ fromMs, toMs: 10_000_000, filter: filters[filter], buckets: null }],
    groupBy: [{ kind: "column", column, type: "int", decimals: 0 }],
    states: [{ kind: "rows" }, { kind: "weight" }, sumOf("size"), sumOf("change")],
    sample: null,
    cut: {
      ...{ max, bySeries: false },
      ranks: [{ by: { kind: "state", stateIndex: 0 }, desc: true }],
    },
  };
}

/** What other queries left in the memory of the next one. */
function dirtyPool(): void {
  const bytes = 32 << 20;
  const address = leaf.queries.allocate(bytes)!;
  leaf.bytes.fill(0x5a, address, address + bytes);
  leaf.queries.release(address);
}

/** Whether there are tallies, and low sums of each column. */
function roomsOf({ table, states }: SideTask): boolean[] {
  const lows = states.flatMap((state) => (state.kind === "sum" ? [state.lows !== 0] : []));
  return [table.kind === "direct" && table.tallies !== 0, ...lows];
}

/** Rows and sums by id. */
function totalsOf(
  column: string,
  least: bigint,
  added: readonly string[] = ["size", "change"],
): Map<string, string> {
  const totals = new Map<string, bigint[]>();
  for (const { time, values } of parts.flat()) {
    if (time < fromMs || (values.get("change") as bigint) < least) continue;
    const key = String(values.get(column) ?? null);
    const total = totals.get(key) ?? [0n, ...added.map(() => 0n)];
    totals.set(key, total);
    for (const [i, by] of [1n, ...added.map((name) => values.get(name) ?? 0n)].entries()) {
      total[i]! += by as bigint;
    }
  }
  return new Map([...totals].map(([key, total]) => [key, total.join(" ")]));
}

function groupsOf({ keys: [key], states: [rows, , ...sums], groupCount }: PartialSide) {
  if (key?.kind !== "int" || rows?.kind !== "count") throw new Error("integers and rows");
  const found = new Map<string, string>();
  for (let i = 0; i < groupCount; i++) {
    const added = sums.map((sum) => {
      if (sum.kind !== "sum") throw new Error("what is added up");
      return BigInt(sum.hi[i]!) * 2n ** 32n + BigInt(sum.lo[i]!);
    });
    const name = key.present[i] === 1 ? String(key.values[i]) : "null";
    found.set(name, [rows.values[i]!, ...added].join(" "));
  }
  return found;
}

/**
 * The first few ids of which both say something else: to print all that differs would take minutes.
 */
function differences(found: Map<string, string>, expected: Map<string, string>): string[] {
  const names = new Set([...found.keys(), ...expected.keys()]);
  return [...names]
    .filter((name) => found.get(name) !== expected.get(name))
    .slice(0, 5)
    .map((name) => `${name}: ${found.get(name)}, not ${expected.get(name)}`);
}

function rowsOf({ states: [rows] }: PartialSide): number {
  if (rows?.kind !== "count") throw new Error("rows");
  return rows.values.reduce((sum, count) => sum + count, 0);
}

test.each([
  ["complete", "every"],
  ["complete", "most"],
  ["complete", "few"],
  ["partly", "every"],
  ["partly", "most"],
] as const)(
  "many groups have their rows and sums, read on the way or not: %s ids, %s row",
  (column, filter) => {
    const expected = totalsOf(column, leastOf[filter]);
    for (const hasPartials of [false, true]) {
      dirtyPool();
      const queryMemory = new QueryMemory(leaf);
      const lowered = lowerNow(1, queryOf(column, filter), [views], queryMemory);
      expect(roomsOf(lowered.task.sides[0]!)).toEqual([true, true, false]);
      const run = new ScanRun({ memory, kernel, scratch }, lowered.task);
      const answerSide = () => decodeSide(run.answer().sides[0]!, lowered.components[0]!);
      while (!run.done) {
        run.step();
        if (hasPartials) expect(rowsOf(answerSide())).toBe(run.answer().rowsMatched);
      }
      expect(differences(groupsOf(answerSide()), expected)).toEqual([]);
      queryMemory.release();
    }
  },
);

test("groups that were cut are found with their rows and sums by a follow-up", () => {
  const expected = totalsOf("partly", leastOf.every);
  const query = queryOf("partly", "every", 30);
  const queryMemory = new QueryMemory(leaf);
  const lowered = lowerNow(1, query, [views], queryMemory);
  const run = new ScanRun({ memory, kernel, scratch }, lowered.task);
  while (!run.done) run.step();
  const answer = run.answer();
  const cut = groupsOf(decodeSide(answer.sides[0]!, lowered.components[0]!));
  expect(cut.size).toBeLessThan(1000);
  expect(cut.size + answer.sides[0]!.groupsCut).toBe(expected.size);
  const names = [...expected.keys()].slice(0, 500).concat("null", "69999999");
  const key: KeyColumn = {
    kind: "int",
    values: BigInt64Array.from(names, (name) => (name === "null" ? 0n : BigInt(name))),
    present: Uint8Array.from(names, (name) => (name === "null" ? 0 : 1)),
  };
  const only = { groupCount: names.length, keys: [printAskedKeys(key, names.length)] };
  const kept = { query, lowered, answer, stats: {} as never, memory: queryMemory };
  const texts = createTextReader(memory, kernel, scratch.pages);
  const strings = createStringReader(createColumnReader(memory), texts);
  const { sides } = atOnce(answerFollowUp(kept, only, { memory, kernel, scratch, strings }));
  const wanted = new Map([...expected].filter(([name]) => names.includes(name)));
  expect(differences(groupsOf(sides[0]!), wanted)).toEqual([]);
  queryMemory.release();
});

test("a query that has memory only for what it needs is answered without them", () => {
  const query = queryOf("complete", "every");
  const bytesOf = (isShort: boolean): number => {
    const queryMemory = new QueryMemory(leaf);
    if (isShort) queryMemory.startAgain("short");
    const before = leaf.queries.usedBytes;
    lowerNow(1, query, [views], queryMemory);
    const bytes = leaf.queries.usedBytes - before;
    queryMemory.release();
    return bytes;
  };
  const [all, needed] = [bytesOf(false), bytesOf(true)];
  expect(all).toBeGreaterThan(needed + distinct * 5);
  // A query may take half of what is free.
  const filled = leaf.queries.allocate(leaf.queries.freeBytes - 2 * needed)!;
  const queryMemory = new QueryMemory(leaf);
  const filters = new FilterLowering(queryMemory);
  const steps = lowerLanes({ id: 1, query, segments: [views], memory: queryMemory, filters });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const { task, components } = step.value;
  expect(roomsOf(task.sides[0]!)).toEqual([false, false, false]);
  const run = new ScanRun({ memory, kernel, scratch }, task);
  while (!run.done) run.step();
  const found = groupsOf(decodeSide(run.answer().sides[0]!, components[0]!));
  expect(differences(found, totalsOf("complete", leastOf.every))).toEqual([]);
  queryMemory.release();
  leaf.queries.release(filled);
});

test("sums use low sums beside other states too, and where values are missing", () => {
  const query = queryOf("complete", "every");
  const largest = { kind: "max" as const, column: "size", decimals: 0 };
  const partly = { kind: "sum" as const, column: "partly", decimals: 0 };
  const queryMemory = new QueryMemory(leaf);
  const states = [...query.states, partly, largest];
  const lowered = lowerNow(1, { ...query, states }, [views], queryMemory);
  expect(roomsOf(lowered.task.sides[0]!)).toEqual([true, true, false, true]);
  const run = new ScanRun({ memory, kernel, scratch }, lowered.task);
  while (!run.done) run.step();
  const side = decodeSide(run.answer().sides[0]!, lowered.components[0]!);
  const { states: found } = side;
  const others = { ...side, states: found.slice(0, -1) };
  const expected = totalsOf("complete", leastOf.every, ["size", "change", "partly"]);
  expect(differences(groupsOf(others), expected)).toEqual([]);
  queryMemory.release();
});

test("nothing is tallied with time buckets: these are added one by one", () => {
  const query = queryOf("complete", "every");
  const [side] = query.sides;
  const edgesMs = [fromMs, 80_000, 10_000_000];
  const sides = [{ ...side!, buckets: { kind: "edges" as const, edgesMs } }];
  const groupBy = [{ kind: "time" as const }, ...query.groupBy];
  const queryMemory = new QueryMemory(leaf);
  const lowered = lowerNow(1, { ...query, sides, groupBy }, [views], queryMemory);
  expect(roomsOf(lowered.task.sides[0]!)).toEqual([false, false, false]);
  const run = new ScanRun({ memory, kernel, scratch }, lowered.task);
  while (!run.done) run.step();
  const found = decodeSide(run.answer().sides[0]!, lowered.components[0]!);
  const [time] = found.keys;
  if (time?.kind !== "bucket") throw new Error("buckets of time");
  const rows = [0, 0];
  const [counts] = found.states;
  if (counts?.kind !== "count") throw new Error("rows");
  for (const [i, bucket] of time.indexes.entries()) rows[bucket]! += counts.values[i]!;
  const times = parts.flat().map((row) => row.time);
  const before = times.filter((each) => each >= fromMs && each < 80_000).length;
  expect(rows).toEqual([before, times.filter((each) => each >= 80_000).length]);
  queryMemory.release();
});
