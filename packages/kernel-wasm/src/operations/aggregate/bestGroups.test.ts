import { expect, test } from "vitest";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = new TwinArena();

/** Beyond 2^53 too, where doubles round; a threshold may be any double. */
const thresholds = [
  ...[Number.NEGATIVE_INFINITY, -(2 ** 63), -1.5, -0, 0, 0.5, 1, 2, 2.5, 3, 40],
  ...[2 ** 32 - 1, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 2 ** 62, 2 ** 63 - 1_024, 2 ** 63],
  ...[Number.POSITIVE_INFINITY, Number.NaN],
];

test.each([
  ["counts", false, false],
  ["sums", true, false],
  ["sums of which some have no value", true, true],
])("groups that rank high enough by %s are listed", (_, hasSums, hasWeights) => {
  const random = new Random(3);
  let listedSome = 0;
  for (const groupCount of [0, 1, 3, 4, 5, 64, 203]) {
    for (const desc of [true, false]) {
      arena.clear();
      const draw = (): bigint => {
        const kind = random.below(4);
        const sign = random.below(2) === 0 ? 1n : -1n;
        if (kind === 0) return BigInt(random.below(5)) - 2n;
        if (kind === 1) return sign * ((1n << 53n) + BigInt(random.below(3)));
        if (kind === 2) return sign * 2n ** 62n + BigInt(random.below(3)) - 1n;
        return sign < 0n ? -(2n ** 63n) + BigInt(random.below(2)) : 2n ** 63n - 1n;
      };
      const all = groupCount + 9;
      const counts = Array.from({ length: all }, () =>
        random.below(3) === 0 ? 0 : random.below(4) === 0 ? 2 ** 32 - 1 : 1 + random.below(50),
      );
      const sums = Array.from({ length: all }, draw);
      const weights = counts.map(() => BigInt(random.below(3)));
      const groups = {
        counts: arena.u32s(counts),
        sums: hasSums ? arena.i64s(sums) : 0,
        weights: hasWeights ? arena.i64s(weights) : 0,
        desc,
      };
      const out = arena.region((groupCount + 1) * 4);
      const ranks = arena.region(groupCount * 8);
      const exact = counts.slice(0, 4).map((count) => (desc ? count : -count));
      for (const least of [...thresholds, ...thresholds.map((one) => -one), ...exact]) {
        const first = random.below(9);
        const listed = arena.run((kernel) =>
          kernel.listBestGroups(out, ranks, groups, first, groupCount, least),
        );
        if (listed > 0) listedSome++;
      }
      const runGroups = random.pick([1, 2, 7, 64]);
      const runCount = Math.floor(all / runGroups);
      const cut = arena.region(runCount * 8);
      for (const below of [...thresholds, ...counts.slice(0, 4)]) {
        arena.run((kernel) => kernel.listCutRanks(cut, groups, runGroups, runCount, below));
      }
    }
  }
  expect(listedSome).toBeGreaterThan(50);
});
