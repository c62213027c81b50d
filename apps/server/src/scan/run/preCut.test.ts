import { createKernel, createSharedMemory, loadKernelModuleSync } from "@hadal/kernel-wasm";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { GroupRange } from "../group/groupTable.js";
import type { SideTask, StateTask } from "../task/scanTask.js";
import { chooseGroups } from "./preCut.js";

const memory = createSharedMemory(2 ** 21);
const context = {
  memory,
  kernel: createKernel(memory, loadKernelModuleSync()),
  scratch: { codes: 1_048_576, keys: 1_310_720 },
};
const [countsAt, sumsAt, weightsAt] = [1_024, 300_000, 700_000];
const seriesCount = 37;

/** A number per group, or none: such a group has no rows. */
const sums = fc.array(fc.option(fc.integer({ min: -20, max: 20 })), {
  ...{ minLength: seriesCount * 3, maxLength: 12_000, size: "max" as const },
});

test.each(["rows", "sum", "sum with missing values"] as const)(
  "the groups that can be among the best by %s, and what ties with the last",
  (by) => {
    fc.assert(
      fc.property(sums, fc.integer({ min: 1, max: 3_000 }), fc.boolean(), (numbers, max, desc) => {
        write(numbers);
        const side = sideOf(numbers.length, by, { stateIndex: 0, max, desc, bySeries: false }, 1);
        const rank = (group: number): number => rankOf(numbers, group, by, desc);
        const touched = [...numbers.keys()].filter((group) => numbers[group] !== null);
        const best = touched.map(rank).sort((a, b) => b - a);
        const threshold = best[Math.min(max, best.length) - 1] ?? 0;
        const expected = touched.filter((group) => rank(group) >= threshold);
        const chosen = chooseGroups(context, side, rangesOf(side));
        expect([...chosen.groups]).toEqual(expected);
        expect(chosen.groupsCut).toBe(touched.length - expected.length);
      }),
      { numRuns: 60 },
    );
  },
);

test.each(["rows", "sum", "sum with missing values"] as const)(
  "of each time bucket what was cut comes to at most, by %s",
  (by) => {
    let cutSome = 0;
    fc.assert(
      fc.property(sums, fc.integer({ min: 1, max: 3_000 }), fc.nat(6), (drawn, max, factor) => {
        const bucketCount = Math.floor(drawn.length / [1, 2, 3, 37, 64, 100, 1_000][factor]!);
        if (bucketCount === 0) return;
        const numbers = drawn.slice(0, drawn.length - (drawn.length % bucketCount));
        write(numbers);
        const cut = { stateIndex: 0, max, desc: true, bySeries: false };
        const { groups, groupsCut, cutRanks } = chooseGroups(
          context,
          sideOf(numbers.length, by, cut, bucketCount),
          [[0, numbers.length]],
        );
        const kept = new Set(groups);
        const unit = by === "rows" ? 1 : 2 ** 40;
        const expected = new Array<number>(bucketCount).fill(-1);
        numbers.forEach((number, group) => {
          if (number === null || kept.has(group)) return;
          const bucket = Math.floor((group * bucketCount) / numbers.length);
          const rank = rankOf(numbers, group, by, true) * unit;
          expected[bucket] = Math.max(expected[bucket]!, rank, 0);
        });
        if (groupsCut > 0) cutSome++;
        if (cutRanks === undefined) expect(groupsCut).toBe(0);
        else expect([...cutRanks]).toEqual(expected);
      }),
      { numRuns: 100 },
    );
    expect(cutSome).toBeGreaterThan(20);
  },
);

test("wide sums rank by their exact value, however many rows their limbs have summed", () => {
  const groupCount = 40;
  // Of this many rows with -1 each.
  const rows = Array.from({ length: groupCount }, (_, group) => 3_000_000 + ((group * 7) % 40));
  const limbs = new BigInt64Array(memory.buffer, sumsAt, groupCount * 3);
  rows.forEach((count, group) => {
    const lower = BigInt(count) * 0xffff_ffffn;
    limbs.set([lower, lower, -BigInt(count)], group * 3);
  });
  new Uint32Array(memory.buffer, countsAt, groupCount).set(rows);
  const cut = { stateIndex: 0, max: 5, desc: true, bySeries: false };
  const state: StateTask = { kind: "sum", sums: sumsAt, lows: 0, wide: true, weights: 0 };
  const side = { ...sideOf(groupCount, "sum", cut, 1), states: [state] };
  const chosen = [...chooseGroups(context, side, rangesOf(side)).groups];
  expect(chosen).toEqual([...rows.keys()].filter((group) => rows[group]! < 3_000_005));
});

test("the best are found where a sample of the groups is far better than the others", () => {
  // The sample takes the first 64 of every 1,024.
  const numbers = Array.from({ length: 12_000 }, (_, i) => (i % 1_024 < 64 ? 20 : (i % 37) - 20));
  write(numbers);
  const max = 1_500;
  const cut = { stateIndex: 0, max, desc: true, bySeries: false };
  const chosen = chooseGroups(context, sideOf(numbers.length, "sum", cut, 1), [
    [0, numbers.length],
  ]);
  const threshold = numbers.toSorted((a, b) => b - a)[max - 1]!;
  const expected = [...numbers.keys()].filter((group) => numbers[group]! >= threshold);
  expect([...chosen.groups]).toEqual(expected);
  expect(chosen.groupsCut).toBe(numbers.length - expected.length);
});

test("all points of the series that can be among the best", () => {
  fc.assert(
    fc.property(sums, fc.integer({ min: 1, max: 30 }), fc.boolean(), (drawn, max, desc) => {
      const numbers = drawn.slice(0, drawn.length - (drawn.length % seriesCount));
      write(numbers);
      const cut = { stateIndex: 0, max, desc, bySeries: true };
      const side = sideOf(numbers.length, "sum", cut, numbers.length / seriesCount);
      const totals = new Map<number, number>();
      numbers.forEach((number, group) => {
        if (number === null) return;
        const series = group % seriesCount;
        totals.set(series, (totals.get(series) ?? 0) + (desc ? number : -number));
      });
      const best = [...totals.values()].sort((a, b) => b - a);
      const threshold = best[Math.min(max, best.length) - 1] ?? 0;
      const isKept = (group: number): boolean =>
        numbers[group] !== null && totals.get(group % seriesCount)! >= threshold;
      const chosen = chooseGroups(context, side, rangesOf(side));
      expect([...chosen.groups]).toEqual([...numbers.keys()].filter(isKept));
      expect(chosen.groupsCut).toBe(best.filter((total) => total < threshold).length);
    }),
    { numRuns: 60 },
  );
});

/** Rows 3 + |number|; of those the multiples of 5 have no value to sum. */
function rangesOf({ table }: SideTask): readonly GroupRange[] {
  return table.kind === "direct" ? [[0, table.groupCount]] : [];
}

function write(numbers: readonly (number | null)[]): void {
  const counts = new Uint32Array(memory.buffer, countsAt, numbers.length);
  const stored = new BigInt64Array(memory.buffer, sumsAt, numbers.length);
  const weights = new BigInt64Array(memory.buffer, weightsAt, numbers.length);
  numbers.forEach((number, group) => {
    counts[group] = number === null ? 0 : 3 + Math.abs(number);
    stored[group] = BigInt(number ?? 0) * 2n ** 40n;
    weights[group] = (number ?? 0) % 5 === 0 ? 0n : 1n;
  });
}

function rankOf(
  numbers: readonly (number | null)[],
  group: number,
  by: string,
  desc: boolean,
): number {
  const number = numbers[group]!;
  const isMissing = by === "sum with missing values" && number % 5 === 0;
  const rank = by === "rows" ? 3 + Math.abs(number) : isMissing ? Number.POSITIVE_INFINITY : number;
  return desc ? rank : -rank;
}

function sideOf(
  groupCount: number,
  by: "rows" | "sum" | "sum with missing values",
  preCut: SideTask["preCut"],
  bucketCount: number,
): SideTask {
  const weights = by === "sum" ? 0 : weightsAt;
  const state: StateTask =
    by === "rows" ? { kind: "rows" } : { kind: "sum", sums: sumsAt, lows: 0, wide: false, weights };
  return {
    table: { kind: "direct", groupCount, strides: [groupCount / bucketCount], tallies: 0 },
    dealt: null,
    components: [{ kind: "time", cardinality: BigInt(bucketCount), edges: 0, edgeCount: 0 }],
    ...{ counts: countsAt, states: [state], preCut },
  };
}
