import { expect, test } from "vitest";
import { drawTree, isDrawnInPart } from "./treeDrawing.js";

test("20 machines with fan-out 5: a root, 5 aggregators, 20 machines, and leaves as many as can be seen", () => {
  const rows = drawTree({
    levels: 2,
    tree: [
      { level: 2, aggregators: 1, children: 5 },
      { level: 1, aggregators: 5, children: 4 },
      { level: 0, aggregators: 20, children: 8 },
    ],
  });
  expect(rows.map(({ label, places }) => [label, places.length])).toEqual([
    ["root", 1],
    ["5 aggregators", 5],
    ["20 machines", 20],
    ["160 leaves", 40],
  ]);
  expect(rows[0]).toMatchObject({ places: [50], parents: [] });
  expect(rows[1]).toMatchObject({ places: [10, 30, 50, 70, 90], parents: [50, 50, 50, 50, 50] });
  // Four machines below each aggregator.
  expect(rows[2]?.parents.slice(0, 5)).toEqual([10, 10, 10, 10, 30]);
  expect(rows[3]?.parents).toHaveLength(40);
});

test("a level with more nodes than are drawn is known", () => {
  const treeOf = (leaves: number) => ({ tree: [{ level: 0, aggregators: 5, children: leaves }] });
  expect([isDrawnInPart(treeOf(8)), isDrawnInPart(treeOf(9))]).toEqual([false, true]);
});

test("one machine has its leaves below it", () => {
  const tree = [{ level: 0, aggregators: 1, children: 2 }];
  expect(drawTree({ levels: 0, tree })).toEqual([
    { label: "1 machine", places: [50], parents: [] },
    { label: "2 leaves", places: [25, 75], parents: [50, 50] },
  ]);
});
