import { expect, test } from "vitest";
import { createSampler } from "./createSampler.js";

/** Numbers from 0 to 1, the same ones each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

const still = (seed: number) => ({ random: seeded(seed), now: () => 0 });
const sumOf = (weights: readonly (number | null)[]): number =>
  weights.reduce<number>((sum, weight) => sum + (weight ?? 0), 0);

test.each([1, 3, 100])("one row in %i stands for that many", (oneIn) => {
  const sampler = createSampler({ oneIn }, still(1));
  const weights = Array.from({ length: 100_000 }, () => sampler({}));
  expect(new Set(weights.filter((weight) => weight !== null))).toEqual(new Set([oneIn]));
  // Six standard deviations.
  const bound = 6 * Math.sqrt(100_000 * (oneIn - 1));
  expect(Math.abs(sumOf(weights) - 100_000)).toBeLessThanOrEqual(bound);
});

test("by a column all rows of a value are sent or none, in every process", () => {
  const kept = (seed: number) => {
    const sampler = createSampler({ oneIn: 10, by: "actor.login" }, still(seed));
    return Array.from({ length: 20_000 }, (_, i) =>
      sampler({ actor: { login: `u${i % 10_000}` } }),
    );
  };
  const [first, second] = [kept(1), kept(2)];
  expect(second).toEqual(first);
  expect(first.slice(0, 10_000)).toEqual(first.slice(10_000));
  expect(Math.abs(sumOf(first.slice(0, 10_000)) - 10_000)).toBeLessThan(6 * 300);
  // The flattened name is the same column; another type of the same text the same value.
  const sampler = createSampler({ oneIn: 10, by: "id" }, still(1));
  for (const id of [1, 22, 333, 4_444]) expect(sampler({ id })).toBe(sampler({ id: String(id) }));
});

test("rows without the column are chosen one by one: all of them in or out would not be a sample", () => {
  const sampler = createSampler({ oneIn: 4, by: "user" }, still(3));
  const weights = Array.from({ length: 40_000 }, () => sampler({ user: null }));
  expect(Math.abs(sumOf(weights) - 40_000)).toBeLessThan(6 * Math.sqrt(40_000 * 3));
});

test("of each group about so many rows a second are sent; rare groups are kept whole", () => {
  let nowMs = 0;
  const sampler = createSampler(
    { rowsPerSecond: 50, by: ["service", "status"] },
    { random: seeded(7), now: () => nowMs },
  );
  const sent = { busy: 0, rare: 0 };
  const total = { busy: 0, rare: 0 };
  for (let second = 0; second < 200; second++) {
    for (let i = 0; i < 2_000; i++) {
      nowMs = second * 1_000 + i / 2;
      const isRare = i % 100 === 0;
      const weight = sampler({ service: "a", status: isRare ? 500 : 200 });
      if (weight === null) continue;
      sent[isRare ? "rare" : "busy"]++;
      total[isRare ? "rare" : "busy"] += weight;
    }
  }
  expect([sent.rare, total.rare]).toEqual([4_000, 4_000]);
  expect(sent.busy / 200).toBeGreaterThan(35);
  expect(sent.busy / 200).toBeLessThan(100);
  expect(Math.abs(total.busy - 396_000) / 396_000).toBeLessThan(0.06);
});

test("a burst of a group is bounded within its first second", () => {
  const sampler = createSampler({ rowsPerSecond: 10, by: "k" }, still(5));
  const weights = Array.from({ length: 100_000 }, () => sampler({ k: "x" }));
  expect(weights.filter((weight) => weight !== null).length).toBeLessThan(200);
  expect(Math.abs(sumOf(weights) - 100_000) / 100_000).toBeLessThan(0.5);
});

test("groups beyond the most that are kept share a rate, and memory stays bounded", () => {
  const sampler = createSampler({ rowsPerSecond: 1, by: "k" }, still(9));
  const weights = Array.from({ length: 60_000 }, (_, k) => sampler({ k }));
  expect(weights.slice(0, 10_000).every((weight) => weight === 1)).toBe(true);
  expect(weights.slice(10_000).filter((weight) => weight !== null).length).toBeLessThan(100);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])("%s is no rate", (oneIn) => {
  expect(() => createSampler({ oneIn })).toThrow(RangeError);
  expect(() => createSampler({ rowsPerSecond: oneIn, by: "k" })).toThrow(RangeError);
});
