import { expect, test } from "vitest";
import { checkCases } from "../../testing/columns.js";
import { groupCount, layColumn } from "../../testing/layColumn.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = new TwinArena();
test("S83: spreads are summed as by the twin, bit by bit", () => {
  checkCases((each) => {
    const { random, groups, rows, values, base, weights, present } = layColumn(arena, each);
    const sums = arena.region(groupCount * 32);
    const scale = random.pick([1, 32, 1.5]);
    arena.run((kernel) =>
      kernel.addSpread(sums, groups, rows, values, base, weights, present, scale),
    );
  });
});

test("rows of weight 1 add nothing, the largest weights the right amount", () => {
  const values = arena.clear().values(1, [3n, 5n, 7n]);
  const weights = arena.values(4, [0n, 1n, 2_147_483_647n]);
  const sums = arena.i64s([0n, 0n, 0n, 0n]);
  const rows = { start: 0, count: 3, rows: 0 };
  arena.run((kernel) => kernel.addSpread(sums, 0, rows, values, -2n, weights, 0, 1));
  const largest = 2_147_483_647 * 2_147_483_646;
  expect([...new Float64Array(arena.read(sums, 32).buffer)]).toEqual([
    largest,
    largest * 5,
    largest * 25,
    largest * 125,
  ]);
});
