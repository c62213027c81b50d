import type { Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { createSeededRandom, type SeededRandom } from "../../../test/oracle/seed/seededRandom.js";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { finalizeResult } from "../finish/finalizeResult.js";
import { resolveQuery } from "../function/resolveQuery.js";
import { mergePartials } from "../merge/mergePartials.js";
import { partialOfRows } from "../testing/partialOfRows.js";
import { sizesOfRows } from "../testing/sizesOfRows.js";

/**
 * How batches meet leaves. The last leaf is the one that is missing; values and the share of group a change with
 * time, so that what is known of one time misleads about another.
 */
interface Placement {
  readonly name: string;
  readonly leaves: number;
  readonly batchRows: number;
  /** The last leaf holds nothing of before. */
  readonly lastFromMs: number;
  /** What part of the batches it takes from then on. */
  readonly lastShare: number;
}

const minute = 60_000;
const rangeMs = 60 * minute;
const placements: readonly Placement[] = [
  { name: "rows dealt one by one", leaves: 4, batchRows: 1, lastFromMs: 0, lastShare: 0.25 },
  { name: "batches at random", leaves: 4, batchRows: 12, lastFromMs: 0, lastShare: 0.25 },
  { name: "eight leaves", leaves: 8, batchRows: 6, lastFromMs: 0, lastShare: 0.125 },
  {
    name: "a leaf that came later",
    leaves: 4,
    batchRows: 1,
    lastFromMs: 28.5 * minute,
    lastShare: 0.5,
  },
  {
    name: "and takes most batches",
    leaves: 4,
    batchRows: 12,
    lastFromMs: 28.5 * minute,
    lastShare: 0.6,
  },
];
const aggregates = [
  { fn: "count" },
  { fn: "sum", column: "x" },
  { fn: "avg", column: "x" },
  { fn: "percentile", column: "x", p: 50, as: "p50" },
] as const;
const names = ["count", "sum_x", "avg_x", "p50"];

function placeRows(
  placement: Placement,
  { rows: rowCount }: Pick<Trials, "rows">,
  random: SeededRandom,
): OracleRow[][] {
  const held = Array.from({ length: placement.leaves }, (): OracleRow[] => []);
  let leaf = 0;
  for (let i = 0; i < rowCount; i++) {
    const timeMs = Math.floor((i / rowCount) * rangeMs);
    if (i % placement.batchRows === 0) {
      const isLast = timeMs >= placement.lastFromMs && random.chance(placement.lastShare);
      leaf = isLast ? placement.leaves - 1 : random.int(0, placement.leaves - 2);
    }
    const hour = timeMs / rangeMs;
    const x = Math.floor(2_000 * hour + 300 * Math.exp(random.next() * 1.5));
    held[leaf]!.push({
      timeMs,
      values: new Map<string, string | bigint>([
        ["time", BigInt(timeMs)],
        ["g", random.chance(0.3 + 0.4 * hour) ? "a" : "b"],
        ["x", BigInt(x)],
      ]),
    });
  }
  return held;
}

const table = createTableSchema("t", [
  { name: "g", type: "string", decimals: 0 },
  { name: "x", type: "int", decimals: 0 },
]);

/** Rows and bars of the leaves that answered, with what all of them would say beside them. */
function askBoth(query: Query, held: readonly (readonly OracleRow[])[]) {
  const split = resolveQuery(query, table, 0);
  const partials = held.map((rows) => partialOfRows(rows, split.resolved));
  const there = held.slice(0, -1);
  const leaves = partials.slice(0, -1).map((partial) => ({ parts: [partial] }));
  const sizes = sizesOfRows(split.resolved, there, held.slice(-1));
  const merged = mergePartials(partials.slice(0, -1), split.resolved);
  const part = finalizeResult(merged, split, {
    evidence: { kind: "leaves", leaves, sizes, mergesUnfinished: false },
  });
  const full = finalizeResult(mergePartials(partials, split.resolved), split);
  const keyOf = (row: readonly unknown[]): string =>
    row.slice(0, query.groupBy?.length ?? 0).join();
  const truths = new Map(full.rows.map((row) => [keyOf(row), row]));
  return part.rows.map((row, i) => ({
    row,
    truth: truths.get(keyOf(row))!,
    barOf: (name: string) => part.intervals[name]?.[i] ?? null,
    cellOf: (from: readonly unknown[], name: string) =>
      Number(from[part.columns.findIndex((column) => column.name === name)]),
  }));
}

/** Trials of this many rows each. */
interface Trials {
  readonly count: number;
  readonly rows: number;
}

/** Nothing is missing of what a bar without width is about. */
const isExact = (bar: readonly [number, number]): boolean => bar[0] === bar[1];

/** By column: of the rows whose average is estimated and has a bar, which share of the bars holds what all leaves say. */
function heldShares(
  placement: Placement,
  query: Query,
  trials: Trials,
): { readonly shares: ReadonlyMap<string, number>; readonly barred: number } {
  const random = createSeededRandom(7);
  const bars = new Map(names.map((name) => [name, { given: 0, held: 0 }]));
  for (let trial = 0; trial < trials.count; trial++) {
    for (const { truth, barOf, cellOf } of askBoth(query, placeRows(placement, trials, random))) {
      const ofMean = barOf("avg_x");
      if (ofMean === null || isExact(ofMean)) continue;
      for (const [name, tally] of bars) {
        const bar = barOf(name);
        // A percentile that may be beyond the rows that answered has none.
        if (bar === null) continue;
        const wanted = cellOf(truth, name);
        tally.given++;
        if (bar[0] <= wanted && wanted <= bar[1]) tally.held++;
      }
    }
  }
  const shares = [...bars].map(([name, { given, held }]) => [name, held / given] as const);
  return { shares: new Map(shares), barred: bars.get("avg_x")!.given };
}

function expectHonest(shares: ReadonlyMap<string, number>): void {
  for (const [name, share] of shares) {
    expect(share, name).toBeGreaterThanOrEqual(0.92);
    // Bars of percentiles end with a bucket of the histogram, up to a hundredth beyond.
    expect(share, name).toBeLessThanOrEqual(name === "p50" ? 0.995 : 0.985);
  }
}

const base: Query = { table: "t", from: 0, to: rangeMs, limit: 1_000, aggregates };
const byBucket: Query = { ...base, groupBy: [{ time: "5m" }, "g"] };
const bucketCount = 12;

describe("bars hold the full answer 19 times of 20", () => {
  test.each(placements)("by time bucket: $name", (placement) => {
    const trials = { count: 100, rows: 6_000 };
    const { shares, barred } = heldShares(placement, byBucket, trials);
    expectHonest(shares);
    // Of buckets that the missing leaf holds rows of, and not of the end of one alone.
    const buckets = Math.floor(bucketCount * (1 - placement.lastFromMs / rangeMs));
    expect(barred).toBeGreaterThan(0.9 * trials.count * 2 * buckets);
    expect(barred).toBeLessThan(1.05 * trials.count * 2 * buckets + 1);
  });

  const byGroup: Query = { ...base, groupBy: ["g"] };
  const [dealt, batches] = placements;

  test("over a range of rows that were dealt one by one", () => {
    const trials = { count: 250, rows: 1_200 };
    const { shares, barred } = heldShares(dealt!, byGroup, trials);
    expectHonest(shares);
    expect(barred).toBeGreaterThan(0.98 * trials.count * 2);
  });

  test("over a range of batches: where they are many, those of all leaves are of about the same times", () => {
    const trials = { count: 60, rows: 24_000 };
    const { shares, barred } = heldShares(batches!, byGroup, trials);
    // Two deviations of 120 bars below 0.95.
    for (const [name, share] of shares) expect(share, name).toBeGreaterThan(0.91);
    expect(barred).toBeGreaterThan(0.9 * trials.count * 2);
    const few = heldShares(batches!, byGroup, { count: 60, rows: 240 });
    expect(few.barred).toBeLessThan(0.5 * trials.count * 2);
  });
});

describe("a leaf that came later", () => {
  const [late] = placements.filter(({ lastFromMs }) => lastFromMs > 0);
  const held = placeRows(late!, { rows: 12_000 }, createSeededRandom(3));
  const missingAt = (fromMs: number, toMs: number): number =>
    held.at(-1)!.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs).length;

  test("bars of buckets of before have no width: they are what all leaves say", () => {
    for (const { row, truth, barOf, cellOf } of askBoth(byBucket, held)) {
      const start = Number(row[0]);
      if (missingAt(start, start + 5 * minute) > 0) continue;
      expect(names.map((name) => cellOf(row, name))).toEqual(
        names.map((name) => cellOf(truth, name)),
      );
      for (const name of ["count", "sum_x", "avg_x"]) {
        expect(barOf(name)).toEqual([cellOf(row, name), cellOf(row, name)]);
      }
    }
  });

  test("over the range only bounds are known: what others hold says little of it", () => {
    for (const { row, barOf, cellOf } of askBoth({ ...base, groupBy: ["g"] }, held)) {
      const counted = cellOf(row, "count");
      expect(barOf("count")).toEqual([counted, counted + missingAt(0, rangeMs)]);
      expect(["sum_x", "avg_x", "p50"].map(barOf)).toEqual([null, null, null]);
    }
  });

  test.each([
    ["over the range", []],
    ["by minute", [{ time: "1m" }]],
    ["by bucket, of which the first holds its rows at the end alone", [{ time: "5m" }]],
    ["by two buckets", [{ time: "1m" }, { time: "10m", as: "ten" }]],
  ] as const)("the ledger knows the count of all rows: %s", (_, groupBy) => {
    for (const { truth, barOf, cellOf } of askBoth({ ...base, groupBy }, held)) {
      const wanted = cellOf(truth, "count");
      expect(barOf("count")).toEqual([wanted, wanted]);
    }
  });

  test("a part of a minute is estimated by the minute, and its count is between what is known", () => {
    let [bars, holds] = [0, 0];
    for (const { row, truth, barOf, cellOf } of askBoth(
      { ...base, groupBy: [{ time: "10s" }] },
      held,
    )) {
      const bar = barOf("count");
      const [counted, wanted] = [cellOf(row, "count"), cellOf(truth, "count")];
      const start = Math.floor(Number(row[0]) / minute) * minute;
      if (missingAt(start, start + minute) === 0) expect(bar).toEqual([counted, counted]);
      if (bar === null || isExact(bar)) continue;
      expect(bar[0]).toBeGreaterThanOrEqual(counted);
      bars++;
      if (bar[0] <= wanted && wanted <= bar[1]) holds++;
    }
    expect(bars).toBeGreaterThan(150);
    expect(holds / bars).toBeGreaterThanOrEqual(0.92);
  });
});
