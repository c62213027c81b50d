import { expect, test } from "vitest";
import {
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

test("S83: what errors are made of adds up as the twin says, bit by bit", () => {
  checkCases((each) => {
    const random = seeded(each);
    const stored = randomValues(random, each.length, each.width, each.spread);
    const values = arena.clear().values(each.width, stored);
    const weights = randomWeights(arena, random, each);
    const present = randomPresent(arena, random, each);
    const rows = randomRowSet(arena, random, each);
    const groups = randomGroups(arena, random, each, rows, groupCount);
    const [, highest] = valueRange(each.width);
    const base = each.width === 8 ? 0n : random.pick([0n, i64Min, i64Max - highest, -100n]);
    const sums = arena.region(groupCount * 24);
    const scale = random.pick([1, 32, 1.5]);
    arena.run((kernel) =>
      kernel.addSpread(sums, groups, rows, values, base, weights, present, scale),
    );
  });
});

test("rows that stand for themselves alone add nothing, the largest weights what they should", () => {
  const values = arena.clear().values(1, [3n, 5n, 7n]);
  const weights = arena.values(4, [0n, 1n, 2_147_483_647n]);
  const sums = arena.i64s([0n, 0n, 0n]);
  const rows = { start: 0, count: 3, rows: 0 };
  arena.run((kernel) => kernel.addSpread(sums, 0, rows, values, -2n, weights, 0, 1));
  const largest = 2_147_483_647 * 2_147_483_646;
  expect([...new Float64Array(arena.read(sums, 24).buffer)]).toEqual([
    largest,
    largest * 5,
    largest * 25,
  ]);
});
