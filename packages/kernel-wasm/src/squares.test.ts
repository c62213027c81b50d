import { expect, test } from "vitest";
import {
  type Case,
  checkCases,
  i64Max,
  i64Min,
  randomGroups,
  randomPresent,
  randomRowSet,
  randomValues,
  randomWeights,
  seeded,
  valueRange,
} from "./testing/columns.js";
import { TwinArena } from "./testing/twinArena.js";

const arena = new TwinArena();
const groupCount = 37;

/** Base: value + base stays an int64. */
function lay(each: Case) {
  const random = seeded(each);
  const values = arena
    .clear()
    .values(each.width, randomValues(random, each.length, each.width, each.spread));
  const weights = randomWeights(arena, random, each);
  const present = randomPresent(arena, random, each);
  const rows = randomRowSet(arena, random, each);
  const groups = randomGroups(arena, random, each, rows, groupCount);
  const [, highest] = valueRange(each.width);
  const base = each.width === 8 ? 0n : random.pick([0n, i64Min, i64Max - highest, -100n]);
  return { values, weights, present, rows, groups, base };
}

test("S40: squares add up as the twin says, modulo 2^64", () => {
  checkCases((each) => {
    const { groups, rows, values, base, weights, present } = lay(each);
    const sums = arena.region(groupCount * 8);
    arena.run((kernel) => kernel.addSquares(sums, groups, rows, values, base, weights, present));
  });
});

test("S40: squares of any int64 add up exactly in five limbs", () => {
  checkCases((each) => {
    const { groups, rows, values, base, weights, present } = lay(each);
    const sums = arena.region(groupCount * 40);
    arena.run((kernel) =>
      kernel.addWideSquares(sums, groups, rows, values, base, weights, present),
    );
  });
});

test("the square of the smallest int64 under the largest weight", () => {
  const values = arena.clear().values(8, [i64Min, i64Max, 0n, -1n]);
  const weights = arena.values(4, new Array<bigint>(4).fill(0xffff_ffffn));
  const sums = arena.i64s([0n, 0n, 0n, 0n, 0n]);
  arena.run((kernel) =>
    kernel.addWideSquares(sums, 0, { start: 0, count: 4, rows: 0 }, values, 0n, weights, 0),
  );
  const limbs = [...new BigInt64Array(arena.read(sums, 40).buffer)];
  const total = limbs.reduceRight((sum, part) => (sum << 32n) + part, 0n);
  expect(total).toBe((i64Min ** 2n + i64Max ** 2n + 1n) * 0xffff_ffffn);
});
