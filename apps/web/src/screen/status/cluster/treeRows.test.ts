import type { QueryTree } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { leavesShownMax, treeRows } from "./treeRows.js";

const machine = (id: string) => ({ id, role: "aggregator" as const, mergeMs: 0.5 });
const leaf = (id: string) => ({ id, role: "leaf" as const, mergeMs: 0 });

function treeOf(machines: number, leaves: number): QueryTree {
  const names = Array.from({ length: machines }, (_, i) => `m${i + 1}`);
  const leavesOf = (name: string) =>
    Array.from({ length: leaves }, (_, i) => ({ name, id: `${name}-leaf-${i + 1}`, ms: i + 1 }));
  return {
    atMs: 1,
    nodes: [
      { id: "gateway", role: "gateway", mergeMs: 1 },
      ...names.map(machine),
      ...names.flatMap(leavesOf).map(({ id }) => leaf(id)),
    ],
    edges: [
      ...names.map((to) => ({ from: "gateway", to, waitMs: 9 })),
      ...names.flatMap(leavesOf).map(({ name, id, ms }) => ({ from: name, to: id, waitMs: ms })),
    ],
  };
}

describe("the tree of a query", () => {
  test("has a line for each member, each before those that it asked", () => {
    const rows = treeRows(treeOf(2, 2));
    expect(rows.map(({ name, waitMs, goesOn }) => [name, waitMs, goesOn])).toEqual([
      ["gateway", null, []],
      ["m1", 9, [true]],
      ["m1-leaf-1", 1, [true, true]],
      ["m1-leaf-2", 2, [true, false]],
      ["m2", 9, [false]],
      ["m2-leaf-1", 1, [false, true]],
      ["m2-leaf-2", 2, [false, false]],
    ]);
    expect(rows.every(({ isMissing }) => !isMissing)).toBe(true);
  });

  test("of many leaves has one line for those of a machine, with the slowest", () => {
    const rows = treeRows(treeOf(4, leavesShownMax / 4 + 1));
    expect(rows).toHaveLength(1 + 4 * 2);
    expect(rows[2]).toMatchObject({
      ...{ name: "7 leaves", waitMs: 7, title: "slowest: m1-leaf-7", isMissing: false },
      goesOn: [true, false],
    });
  });

  test("marks who did not answer, also among leaves of one line", () => {
    const { edges, ...tree } = treeOf(4, 8);
    const silent = { from: "m1", to: "m1-leaf-8", waitMs: null };
    const lost = edges.map((edge) => (edge.to === silent.to ? silent : edge));
    const rows = treeRows({ ...tree, edges: lost });
    expect(rows[2]).toMatchObject({ name: "8 leaves, 1 silent", isMissing: true, waitMs: 7 });
    expect(rows[2]?.title).toBe("no answer: m1-leaf-8");
    expect(rows[4]).toMatchObject({ name: "8 leaves", isMissing: false });
  });

  test("of a silent machine goes on with those that were asked past it", () => {
    const tree: QueryTree = {
      atMs: 1,
      nodes: [{ id: "gateway", role: "gateway", mergeMs: 0 }, machine("m1"), machine("m2")],
      edges: [
        { from: "gateway", to: "m1", waitMs: null },
        { from: "m1", to: "m2", waitMs: 3 },
      ],
    };
    expect(treeRows(tree).map(({ name, isMissing }) => [name, isMissing])).toEqual([
      ["gateway", false],
      ["m1", true],
      ["m2", false],
    ]);
  });
});
