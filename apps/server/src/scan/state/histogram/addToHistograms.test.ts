import { coarserBucket, logLinearBucket } from "@hadal/kernel-wasm";
import { expect, test } from "vitest";
import type { PartialSide } from "../../../aggregate/partial/partialResult.js";
import { asListed } from "../../../aggregate/state/histogram/histogramRuns.js";
import type { ResolvedQuery } from "../../../plan/query/resolvedQuery.js";
import { rescaleBatch } from "../../../store/columns/rescaleBatch.js";
import { TableColumns } from "../../../store/columns/tableColumns.js";
import { OpenSegment } from "../../../store/open/openSegment.js";
import { sealSegment } from "../../../store/seal/sealSegment.js";
import { batchOfRows, type PlainRow } from "../../../store/testing/plainRows.js";
import { decodeSide } from "../../answer/decodeAnswer.js";
import { QueryMemory } from "../../memory/queryMemory.js";
import { ScanRun } from "../../run/scanRun.js";
import { lowerNow } from "../../testing/lowerNow.js";
import { createScanMemory } from "../../testing/scanMemory.js";
import { lowerHistogram } from "./lowerHistogram.js";

const { memory, kernel, leaf, scratch } = createScanMemory(256, 200);

const query: ResolvedQuery = {
  table: "t",
  sides: [{ fromMs: 0, toMs: 1_000, filter: { kind: "all", filters: [] }, buckets: null }],
  groupBy: [{ kind: "column", column: "g", type: "int", decimals: 0 }],
  states: [{ kind: "rows" }, { kind: "weight" }, { kind: "histogram", column: "n", decimals: 0 }],
  sample: null,
  cut: { max: 1_000_000, bySeries: false, ranks: [] },
};

/**
 * The partial results of the segments, scanned in the order given. `onStep` is called after each step.
 */
function scan(
  segments: readonly (readonly PlainRow[])[],
  onStep: (run: ScanRun) => void = () => {},
): PartialSide[] {
  const columns = new TableColumns();
  const views = segments.map((rows, index) => {
    const open = new OpenSegment(leaf, kernel);
    const batch = batchOfRows(rows);
    columns.take(batch);
    const ready = rescaleBatch(batch, (name) => columns.layoutOf(name));
    open.reserve(ready, (name) => columns.layoutOf(name));
    open.append(ready);
    return sealSegment(open.view(), index + 1, { memory: leaf, kernel });
  });
  const queryMemory = new QueryMemory(leaf);
  const lowered = lowerNow(1, query, [views], queryMemory);
  // The scan would spread them.
  const units = views.map((view) => lowered.task.units[lowered.segments.indexOf(view)]!);
  const inOrder = { ...lowered.task, units };
  const run = new ScanRun({ memory, kernel, scratch }, inOrder);
  const sides: PartialSide[] = [];
  while (!run.done) {
    run.step();
    onStep(run);
    sides.push(decodeSide(run.answer().sides[0]!, lowered.components[0]!));
  }
  queryMemory.release();
  return sides;
}

/** Buckets and weights by group, as fine as the answer is. */
function print(side: PartialSide): Map<bigint, Map<number, number>> {
  const [key] = side.keys;
  const state = side.states[2];
  if (key?.kind !== "int" || state?.kind !== "histogram") throw new Error("not what was asked for");
  const { offsets, buckets, weights } = asListed(state);
  return new Map(
    Array.from(key.values, (group, g) => [
      group,
      new Map(
        Array.from({ length: offsets[g + 1]! - offsets[g]! }, (_, i) => [
          buckets[offsets[g]! + i]!,
          weights[offsets[g]! + i]!,
        ]),
      ),
    ]),
  );
}

function expected(rows: readonly PlainRow[], subBits: number): Map<bigint, Map<number, number>> {
  const groups = new Map<bigint, Map<number, number>>();
  for (const { values } of rows) {
    const group = values.get("g") as bigint;
    const own = groups.get(group) ?? new Map<number, number>();
    groups.set(group, own);
    const bucket = coarserBucket(logLinearBucket(Number(values.get("n")), 6), 6, subBits);
    own.set(bucket, (own.get(bucket) ?? 0) + Number(values.get("sample_rate") ?? 1n));
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const filled = (weights: ReadonlyMap<number, number>): Map<number, number> =>
  new Map([...weights].filter(([, weight]) => weight > 0));

/** Without the empty buckets that runs have in between. */
const held = (side: PartialSide): Map<bigint, Map<number, number>> =>
  new Map(Array.from(print(side), ([group, buckets]) => [group, filled(buckets)]));

const rowOf = (group: number, n: number): PlainRow => ({
  time: 1,
  values: new Map([
    ["g", BigInt(group)],
    ["n", BigInt(n)],
  ]),
});

const weighted = (group: number, n: number, rate: bigint): PlainRow => {
  const { time, values } = rowOf(group, n);
  return { time, values: new Map([...values, ["sample_rate", rate]]) };
};

/**
 * One value of one group is frequent beyond 16 bits; the second segment brings more groups than
 * fine histograms have room for.
 */
function crowded(spread: number): PlainRow[][] {
  const frequent = Array.from({ length: 65_536 }, () => rowOf(7, 1_000));
  const wide = Array.from({ length: 60_000 }, (_, i) =>
    i % 3 === 0 ? rowOf(7, 1_000) : rowOf(i % 1_501, 500 + ((i * 7_919) % spread)),
  );
  return [frequent, wide, frequent, frequent.slice(0, 30_000)];
}

const int64Range = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

test("a column of which nothing is known takes room by its rows, and stays as fine", () => {
  const taken = (rowCount: number): number => {
    const queryMemory = new QueryMemory(leaf);
    const before = leaf.queries.freeBytes;
    lowerHistogram({ ...int64Range, weighted: true, rowCount, groupCount: 1_000 }, queryMemory);
    const bytes = before - leaf.queries.freeBytes;
    queryMemory.release();
    return bytes;
  };
  expect(taken(5_000)).toBeLessThan(20 * 2 ** 20);
  // Where there are rows for all of it they are counted at once.
  expect(taken(5_000_000)).toBeGreaterThan(60 * 2 ** 20);

  const farValue = (i: number): number => (i % 2 === 0 ? 1 : -1) * 2 ** (i % 61) * (1 + (i % 7));
  const rows = Array.from({ length: 6_000 }, (_, i) => weighted(i % 900, farValue(i), 3n));
  const [side] = scan([rows]);
  expect(held(side!)).toEqual(expected(rows, 6));
});

test("there is room to note every time that a counter can be full", () => {
  for (const [rowCount, counterBytes] of [
    [200_000, 1],
    [33_423_360, 1],
    [100_000_000, 2],
  ] as const) {
    const queryMemory = new QueryMemory(leaf);
    const needs = { min: 1n, max: 1_000n, weighted: false, rowCount, groupCount: 5_000 };
    const { coarse } = lowerHistogram(needs, queryMemory);
    if (coarse?.kind !== "dense") throw new Error("counters of all groups fit");
    expect(coarse.counterBytes).toBe(counterBytes);
    const timesFull = Math.floor(rowCount / (2 ** (8 * counterBytes) - 1));
    const room = leaf.queries.bytesOf(coarse.spilled);
    expect(room).toBeGreaterThanOrEqual(4 * (1 + timesFull));
    queryMemory.release();
  }
});

test.each([
  ["packed", 40, "packed"],
  ["listed", 1_000_000_000, "listed"],
] as const)("more rows in a bucket than 16 bits hold are counted, %s", (_, spread, form) => {
  const segments = crowded(spread);
  const sides = scan(segments);
  const forms = sides
    .map(({ states }) => states[2])
    .map((state) => state?.kind === "histogram" && state.form);
  expect(forms.at(-1)).toBe(form);
  sides.forEach((side, i) => {
    const rows = segments.slice(0, i + 1).flat();
    expect(print(side)).toEqual(expected(rows, i === 0 ? 6 : 5));
  });
  const found = [...print(sides.at(-1)!).get(7n)!.values()];
  expect(Math.max(...found)).toBeGreaterThan(2 * 65_536);
});

test.each([40, 1_000_000_000])(
  "weights move to coarser histograms as they are: values within %i",
  (spread) => {
    // In the counter of one bucket the lower half is 0, in another both are not.
    const large = [2n ** 31n, 2n ** 31n].map((rate) => weighted(3, 1_000, rate));
    const larger = [2n ** 31n, 2n ** 31n + 5n].map((rate) => weighted(4, 2_000, rate));
    const many = Array.from({ length: 20_000 }, (_, i) =>
      weighted(i % 1_501, 500 + ((i * 7_919) % spread), BigInt(1 + (i % 9))),
    );
    const few = many.filter(({ values }) => Number(values.get("g")) < 900);
    const segments = [[...large, ...larger, ...few], many];
    scan(segments).forEach((side, i) => {
      const rows = segments.slice(0, i + 1).flat();
      expect(held(side)).toEqual(expected(rows, i === 0 ? 6 : 5));
    });
  },
);

test("how many counters are read for an answer is known before", () => {
  const bucketsBelow = (n: number, subBits: number): number =>
    logLinearBucket(n, subBits) - logLinearBucket(1, subBits) + 1;
  // Of the 3,000 that there might be five have rows; then more than fine histograms have room for.
  const few = Array.from({ length: 500 }, (_, i) => rowOf((i % 5) * 749, 1 + i));
  const many = Array.from({ length: 40_000 }, (_, i) => rowOf(i % 1_501, 1 + (i % 500)));
  const counters: number[] = [];
  scan([few, many], ({ countersMax }) => counters.push(countersMax));
  expect(counters[0]).toBe(5 * bucketsBelow(500, 6));
  expect(counters[1]).toBeGreaterThanOrEqual(1_505 * bucketsBelow(500, 5));
});

test("weights of runs are as wide as they have to be, whichever group comes first", () => {
  const rate = 4_000_000_000n;
  const small = [weighted(1, 10, 7n), weighted(1, 11, 9n), weighted(3, 12, 3n)];
  const large = Array.from({ length: 5 }, () => weighted(2, 10, rate));
  const [narrow, wide] = scan([small, large]);
  const bucket = (n: number): number => logLinearBucket(n, 6);
  const first = new Map([
    [bucket(10), 7],
    [bucket(11), 9],
  ]);
  const last = new Map([[bucket(12), 3]]);
  expect(held(narrow!)).toEqual(
    new Map([
      [1n, first],
      [3n, last],
    ]),
  );
  expect(held(wide!)).toEqual(
    new Map([
      [1n, first],
      [2n, new Map([[bucket(10), 5 * Number(rate)]])],
      [3n, last],
    ]),
  );
});
