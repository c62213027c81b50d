import { describe, expect, it } from "vitest";
import { MemoryLeaf } from "../testing/memoryLeaf.js";
import { choosePlacement, dealShares, leavesPerBodyMax } from "./placement.js";

/** A small generator with a seed, so that the spread is the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const none: ReadonlySet<string> = new Set();
const leavesWith = (...freeBytes: readonly number[]): MemoryLeaf[] =>
  freeBytes.map((free, i) => {
    const leaf = new MemoryLeaf(`leaf-${i}`);
    leaf.freeBytes = free;
    return leaf;
  });
const even = (count: number) => leavesWith(...new Array<number>(count).fill(1e9));
const countsOf = (ids: readonly string[], leaves: readonly MemoryLeaf[]) =>
  leaves.map(({ id }) => ids.filter((chosen) => chosen === id).length);

describe("choosePlacement", () => {
  it("gives no leaf a whole stretch of batches, though one of two has a little more room", () => {
    const leaves = leavesWith(1e9, 0.98e9);
    const random = seeded(7);
    const ids = Array.from({ length: 10_000 }, () => choosePlacement(leaves, none, random)!.id);
    const [first] = countsOf(ids, leaves);
    // 10,000 × 1 / 1.98 ± four standard deviations.
    expect(Math.abs(first! - 5_051)).toBeLessThan(200);
    for (let i = 0; i < ids.length; i += 60) {
      const [ofFirst] = countsOf(ids.slice(i, i + 60), leaves);
      expect(ofFirst).toBeGreaterThan(10);
      expect(ofFirst).toBeLessThan(50);
    }
  });

  it("chooses by weight of free memory", () => {
    const leaves = leavesWith(1e9, 1e9, 1e9, 3e9, 0);
    const random = seeded(1);
    const ids = Array.from({ length: 6_000 }, () => choosePlacement(leaves, none, random)!.id);
    const counts = countsOf(ids, leaves);
    for (const [i, wanted] of [1_000, 1_000, 1_000, 3_000, 0].entries())
      expect(Math.abs(counts[i]! - wanted)).toBeLessThan(4 * Math.sqrt(wanted) + 1);
  });

  it("asks any leaf when all are full: they give the reason", () => {
    const leaves = leavesWith(0, 0);
    expect(choosePlacement(leaves, none, () => 0)?.id).toBe("leaf-0");
    expect(choosePlacement(leaves, none, () => 0.99)?.id).toBe("leaf-1");
  });

  it("passes over leaves that are not alive or refused", () => {
    const leaves = even(3);
    leaves[0]!.state = "dead";
    leaves[1]!.state = "suspect";
    for (let i = 0; i < 10; i++)
      expect(choosePlacement(leaves, none, () => i / 10)?.id).toBe("leaf-2");
    expect(choosePlacement(leaves, new Set(["leaf-2"]), () => 0)).toBeNull();
    expect(choosePlacement([], none, () => 0)).toBeNull();
  });
});

describe("dealShares", () => {
  const deal = (leaves: readonly MemoryLeaf[], seed = 3) =>
    new Map(dealShares(64, leaves, seeded(seed)).map(({ leafId, count }) => [leafId, count]));

  it("gives leaves of the same room the same, and the remainder not always to one", () => {
    expect([...deal(even(2)).values()]).toEqual([32, 32]);
    expect([...deal(even(4)).values()]).toEqual([16, 16, 16, 16]);
    const firsts = Array.from({ length: 60 }, (_, seed) => deal(even(3), seed * 7_919));
    for (const counts of firsts)
      expect([...counts.values()].sort((a, b) => a - b)).toEqual([21, 21, 22]);
    const extra = countsOf(
      firsts.map((counts) => [...counts].find(([, count]) => count === 22)![0]),
      even(3),
    );
    for (const times of extra) expect(times).toBeGreaterThan(8);
  });

  it("deals by free memory, and nothing to leaves that are full", () => {
    const counts = deal(leavesWith(3e9, 1e9, 0));
    expect(counts).toEqual(
      new Map([
        ["leaf-0", 48],
        ["leaf-1", 16],
      ]),
    );
  });

  it("takes eight leaves at most, any of those there are", () => {
    const leaves = even(40);
    const used = new Set<string>();
    for (let seed = 0; seed < 100; seed++) {
      const counts = deal(leaves, seed * 104_729);
      expect(counts.size).toBe(leavesPerBodyMax);
      expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(64);
      for (const id of counts.keys()) used.add(id);
    }
    expect(used.size).toBe(40);
  });
});
