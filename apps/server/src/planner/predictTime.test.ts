import fc from "fast-check";
import { expect, test } from "vitest";
import { predictParts, sumOfParts, type TreeCosts } from "./predictTime.js";
import { levelsOfTree, type TreeSize, treeShape } from "./treeShape.js";

/** Equation 4 step by step, as the paper has it; the leaf aggregator, too, merges the answers of its D leaves. */
function recursion({ machines, leaves, fanOut }: TreeSize, costs: TreeCosts): number {
  const { ts, ta, td, tg } = costs;
  const levels = Math.ceil(Math.log(machines) / Math.log(fanOut) - 1e-9);
  const lowest = Math.ceil(machines / fanOut ** (levels - 1));
  const timeOf = (level: number): number =>
    level === 0
      ? ts + ta * leaves
      : td + tg + timeOf(level - 1) + ta * (level > 1 ? fanOut : lowest);
  return timeOf(levels);
}

const sizes = fc.record({
  machines: fc.integer({ min: 1, max: 10_000 }),
  leaves: fc.integer({ min: 1, max: 256 }),
  fanOut: fc.integer({ min: 2, max: 100 }),
});
const time = fc.double({ min: 0, max: 1_000, noNaN: true });
const costs = fc.record({ ts: time, ta: time, td: time, tg: time });

test("the closed form is the recursion of Equation 4 (S111)", () => {
  fc.assert(
    fc.property(sizes, costs, (size, measured) => {
      const predicted = sumOfParts(predictParts(treeShape(size), measured));
      const expected = recursion(size, measured);
      expect(Math.abs(predicted - expected)).toBeLessThanOrEqual(1e-9 * (1 + expected));
    }),
    { numRuns: 2_000 },
  );
});

test("the levels of a tree reach all machines, and no level more is needed (S110)", () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const shape = treeShape(size);
      const tree = levelsOfTree(shape);
      const { machines, leaves, fanOut } = size;
      expect(tree.at(-1)).toEqual({ level: 0, aggregators: machines, children: leaves });
      expect(tree.map(({ level }) => level)).toEqual(tree.map((_, i) => shape.levels - i));
      for (const [i, { aggregators, children }] of tree.slice(0, -1).entries()) {
        expect(aggregators * children).toBeGreaterThanOrEqual(tree[i + 1]!.aggregators);
        expect(children).toBeLessThanOrEqual(fanOut);
      }
      if (shape.levels > 0) expect(fanOut ** (shape.levels - 1)).toBeLessThan(machines);
      const onPath = tree.reduce((sum, { children }) => sum + children, 0);
      expect(shape.childrenOnPath).toBe(onPath);
    }),
    { numRuns: 2_000 },
  );
});

test("20 machines with fan-out 5: a root, 5 intermediate and 20 leaf aggregators (S112)", () => {
  const shape = treeShape({ machines: 20, leaves: 8, fanOut: 5 });
  expect(shape.levels).toBe(2);
  expect(levelsOfTree(shape)).toEqual([
    { level: 2, aggregators: 1, children: 5 },
    { level: 1, aggregators: 5, children: 4 },
    { level: 0, aggregators: 20, children: 8 },
  ]);
  // (F · (L − 1) + R + D) = 5 + 4 + 8
  expect(predictParts(shape, { ts: 100, ta: 2, td: 1, tg: 3 })).toEqual({
    ...{ scanMs: 100, linksMs: 8, mergeMs: 34 },
  });
});

test.each([
  [1, 5, 0],
  [5, 5, 1],
  [6, 5, 2],
  [125, 5, 3],
  [126, 5, 4],
  [1_000, 10, 3],
])("%i machines with fan-out %i have %i levels", (machines, fanOut, levels) => {
  expect(treeShape({ machines, leaves: 1, fanOut }).levels).toBe(levels);
});

test("one machine merges only its own leaves", () => {
  const shape = treeShape({ machines: 1, leaves: 4, fanOut: 5 });
  expect(levelsOfTree(shape)).toEqual([{ level: 0, aggregators: 1, children: 4 }]);
  expect(sumOfParts(predictParts(shape, { ts: 10, ta: 1, td: 5, tg: 5 }))).toBe(14);
});

test.each<[Partial<TreeSize>, RegExp]>([
  [{ fanOut: 1 }, /^fanOut is 1; it must be a whole number from 2 to 100\.$/],
  [{ fanOut: 1_000 }, /fanOut is 1000; .* from 2 to 100/],
  [{ machines: 0 }, /machines is 0/],
  [{ machines: Number.NaN }, /machines is NaN/],
  [{ machines: Number.POSITIVE_INFINITY }, /machines is Infinity/],
  [{ leaves: 1.5 }, /leaves is 1.5/],
  [{ leaves: -1 }, /leaves is -1/],
])("%o is refused in words", (wrong, message) => {
  const size = { machines: 4, leaves: 2, fanOut: 5, ...wrong };
  expect(() => treeShape(size)).toThrow(message);
});
