import { describe, expect, test } from "vitest";
import { createSeededRandom, type SeededRandom } from "../../../test/oracle/seed/seededRandom.js";
import { addSamples, compareShares, nothing, type Sample } from "./compareShares.js";

/** Sample rates as services choose them: by the value, so that common ones are thinned most. */
type RateOf = (value: number, random: SeededRandom) => number;

const rates: readonly (readonly [string, RateOf])[] = [
  ["none", () => 1],
  ["one for all", () => 20],
  ["of any size", (_, random) => random.pick([1, 1, 10, 100])],
  ["by value", (value) => (value < 3 ? 200 : value < 10 ? 20 : 1)],
];

const rowCount = 1_000;
const columnCount = 6;
const valueCount = 60;
const trials = 100;
/** As large as trials of chance can tell from more. */
const chance = 0.05;

const one = (weight: number): Sample => ({ rows: 1, weight, squares: weight * weight });

/** The smallest corrected p of one answer over rows that were dealt at random, a share of them to A. */
function smallestOfTrial(seed: number, rateOf: RateOf, shareOfA: number): number {
  const random = createSeededRandom(seed);
  const sets = { a: nothing, b: nothing };
  const hits = Array.from({ length: columnCount * valueCount }, () => ({ a: nothing, b: nothing }));
  for (let row = 0; row < rowCount; row++) {
    const set = random.chance(shareOfA) ? "a" : "b";
    // Zipf: a few values are common, many are rare.
    const values = Array.from({ length: columnCount }, () =>
      Math.floor(valueCount ** random.next()),
    );
    const weight = one(rateOf(values[0]!, random));
    sets[set] = addSamples(sets[set], weight);
    values.forEach((value, column) => {
      const into = hits[column * valueCount + value - 1]!;
      into[set] = addSamples(into[set], weight);
    });
  }
  const ps = hits
    .map(({ a, b }) => compareShares({ of: sets.a, hits: a }, { of: sets.b, hits: b }).p)
    .filter((p) => p !== null);
  expect(ps.length).toBeGreaterThan(80);
  return Math.min(...ps) * ps.length;
}

describe("rows dealt at random", () => {
  test.each(rates)("with sample rates: %s; finds are no more frequent than said", (_, rateOf) => {
    for (const shareOfA of [0.5, 0.1]) {
      let finds = 0;
      for (let trial = 0; trial < trials; trial++) {
        if (smallestOfTrial(20_000 + trial, rateOf, shareOfA) <= chance) finds++;
      }
      // 5 are expected at the most; 13 or more come by chance in one of a thousand such tests.
      expect(finds).toBeLessThan(13);
    }
  });
});

describe("sets that differ", () => {
  const part = (rows: number, hits: number, weight = 1) => ({
    of: { rows, weight: rows * weight, squares: rows * weight * weight },
    hits: { rows: hits, weight: hits * weight, squares: hits * weight * weight },
  });

  test.each([
    ["a common value", part(1_000, 500), part(1_000, 350)],
    ["a rare one that only A has", part(500, 20), part(50_000, 0)],
    ["one that all of A has", part(40, 40), part(50_000, 25_000)],
    ["with weights", part(1_000, 500, 50), part(1_000, 350, 50)],
  ])("%s: found, whichever is A, and the interval leaves out no difference", (_, a, b) => {
    const { p, interval, difference } = compareShares(a, b);
    expect(p).toBeLessThan(1e-5);
    expect(interval[0]).toBeGreaterThan(0);
    expect(difference).toBeGreaterThan(0);
    const swapped = compareShares(b, a);
    expect(swapped.p! / p!).toBeCloseTo(1, 6);
    expect(swapped.difference).toBe(-difference);
  });

  test("sample rates take away what they take: the same shares of fewer rows tell less", () => {
    const all = compareShares(part(100_000, 500), part(100_000, 350));
    const thinned = compareShares(part(1_000, 5, 100), part(1_000, 3, 100));
    expect(all.p).toBeLessThan(1e-6);
    expect(thinned.p).toBeGreaterThan(0.1);
  });

  test("too few rows are not tested, and an empty set compares with nothing", () => {
    expect(compareShares(part(10, 2), part(10, 1)).p).toBeNull();
    expect(compareShares(part(0, 0), part(10, 5))).toMatchObject({ p: null, interval: [-1, 1] });
  });
});

test("nothing is found where rows that weigh billions leave nothing to tell of the others' weights", () => {
  const rows = (count: number, weight: number): Sample => ({
    ...{ rows: count, weight: count * weight, squares: count * weight * weight },
  });
  const heavy = rows(8, 2 ** 32 - 1);
  const a = { of: rows(13, 1), hits: rows(10, 1) };
  const b = { of: addSamples(heavy, rows(199, 1)), hits: addSamples(heavy, rows(190, 1)) };
  expect(compareShares(a, b).p).toBeNull();
  // Without them there is enough to test.
  expect(compareShares(a, { of: rows(199, 1), hits: rows(190, 1) }).p).not.toBeNull();
});
