import { expect, test } from "vitest";
import { checkCases, i64Max, i64Min } from "../../testing/columns.js";
import { groupCount, layColumn } from "../../testing/layColumn.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = new TwinArena();
test("S40: squares add up as the twin says, modulo 2^64", () => {
  checkCases((each) => {
    const { groups, rows, values, base, weights, present } = layColumn(arena, each);
    const sums = arena.region(groupCount * 8);
    arena.run((kernel) => kernel.addSquares(sums, groups, rows, values, base, weights, present));
  });
});

test("S40: squares of any int64 add up exactly in five limbs", () => {
  checkCases((each) => {
    const { groups, rows, values, base, weights, present } = layColumn(arena, each);
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
