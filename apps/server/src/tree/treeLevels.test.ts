import { describe, expect, test } from "vitest";
import type { TracedNode } from "../cluster/treeTrace.js";
import { treeLevels } from "./treeLevels.js";

const leaf = (name: string, waitMs: number | null): TracedNode => ({
  ...{ name, role: "leaf", waitMs, mergeMs: 0, children: [] },
});

const machine = (
  name: string,
  times: { readonly waitMs: number | null; readonly mergeMs: number },
  children: readonly TracedNode[],
): TracedNode => ({ name, role: "aggregator", ...times, children });

describe("the levels of a tree", () => {
  test("without a cluster are the root alone", () => {
    const asked = [leaf("leaf-1", 3), leaf("leaf-2", 5)];
    expect(treeLevels(asked, 0.25)).toEqual([{ level: 0, children: 2, waitMs: 5, mergeMs: 0.25 }]);
  });

  test("have the largest figures of any aggregator of a level", () => {
    const below = machine("m2", { waitMs: 4, mergeMs: 0.5 }, [leaf("m2-leaf-1", 3)]);
    const asked = [
      machine("m1", { waitMs: 7, mergeMs: 1 }, [leaf("m1-leaf-1", 2), leaf("m1-leaf-2", 6), below]),
      machine("m3", { waitMs: 9, mergeMs: 2 }, [leaf("m3-leaf-1", 5)]),
    ];
    expect(treeLevels(asked, 3)).toEqual([
      { level: 0, children: 2, waitMs: 9, mergeMs: 3 },
      { level: 1, children: 3, waitMs: 6, mergeMs: 2 },
      { level: 2, children: 1, waitMs: 3, mergeMs: 0.5 },
    ]);
  });

  test("a machine that says nothing makes no level of those that were asked past it", () => {
    const other = machine("m2", { waitMs: 4, mergeMs: 1 }, [leaf("m2-leaf-1", 3)]);
    const asked = [machine("m1", { waitMs: null, mergeMs: 0 }, [other]), leaf("leaf-1", null)];
    expect(treeLevels(asked, 1)).toEqual([
      { level: 0, children: 2, waitMs: 0, mergeMs: 1 },
      { level: 1, children: 1, waitMs: 3, mergeMs: 1 },
    ]);
  });

  test("of a query that asked no one are the root, which waited for nothing", () => {
    expect(treeLevels([], 0)).toEqual([{ level: 0, children: 0, waitMs: 0, mergeMs: 0 }]);
  });
});
