import type { WhatChanged } from "@hadal/sdk";
import { expect, test } from "vitest";
import { createSeededRandom } from "../../../test/oracle/seed/seededRandom.js";
import { addSamples, compareShares, nothing } from "./compareShares.js";
import { withoutCertainty } from "./withoutCertainty.js";

const trials = 300;
const keepOneIn = 5;

interface Trial {
  readonly interval: readonly [number, number];
  readonly p: number | null;
  /** The difference of the shares of all rows. */
  readonly truth: number;
}

/** Rows of a user have one value and are all in one set; of users one in five is kept, or of rows. */
function trialOf(seed: number, isByKey: boolean): Trial {
  const random = createSeededRandom(seed);
  const counts = { a: [0, 0], b: [0, 0] };
  const kept = { a: [nothing, nothing], b: [nothing, nothing] };
  for (let user = 0; user < 300; user++) {
    const [set, value] = [random.pick(["a", "b"] as const), random.int(0, 1)];
    const isUserKept = random.chance(1 / keepOneIn);
    const rows = Math.ceil(-20 * Math.log(1 - random.next()));
    for (let row = 0; row < rows; row++) {
      counts[set][value]!++;
      const isKept = isByKey ? isUserKept : random.chance(1 / keepOneIn);
      const one = { rows: 1, weight: keepOneIn, squares: keepOneIn ** 2 };
      if (isKept) kept[set][value] = addSamples(kept[set][value]!, one);
    }
  }
  const partOf = (set: "a" | "b") => {
    const [without, hits] = kept[set];
    return { of: addSamples(without!, hits!), hits: hits! };
  };
  const shareOf = ([without = 0, hits = 0]: readonly number[]) => hits / (without + hits);
  const { interval, p } = compareShares(partOf("a"), partOf("b"));
  return { interval, p, truth: shareOf(counts.a) - shareOf(counts.b) };
}

const shareHeld = (some: readonly Trial[]): number =>
  some.filter(({ interval: [low, high], truth }) => low <= truth && truth <= high).length /
  some.length;

const answerOf = ({ interval, p }: Trial): WhatChanged => {
  const change = { interval, p };
  const column = { name: "value", score: 0.1, best: change, values: [change, change] };
  return { columns: [column], pairs: [change], chance: 0.01 } as unknown as WhatChanged;
};

test("intervals hold where rows are sampled one by one; by a key nothing is said (S37)", () => {
  const seeds = Array.from({ length: trials }, (_, seed) => seed);
  expect(shareHeld(seeds.map((seed) => trialOf(seed, false)))).toBeGreaterThan(0.92);
  const byKey = seeds.map((seed) => trialOf(seed, true));
  // This is why.
  expect(shareHeld(byKey)).toBeLessThan(0.6);
  const said = byKey.map((trial) => {
    const { columns, pairs, chance, sampledByKey, notes } = withoutCertainty(
      answerOf(trial),
      [0, 59_999],
    );
    const [{ best, values, score } = { best: null, values: [], score: 1 }] = columns;
    expect([score, chance]).toEqual([0, 1]);
    expect(sampledByKey).toEqual([0, 59_999]);
    expect(notes?.at(-1)?.text).toContain("1970-01-01T00:00:00.000Z to 1970-01-01T00:00:59.999Z");
    for (const change of [...values, ...pairs]) expect(change).toEqual({ interval: [-1, 1], p: 1 });
    return { ...trial, ...best! };
  });
  expect(shareHeld(said)).toBe(1);
});
