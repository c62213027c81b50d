import { expect, test } from "vitest";
import type { TracedNode } from "../../cluster/treeTrace.js";
import { PartitionLoads } from "./partitionLoads.js";

const leaf = (name: string, queued?: number): TracedNode => ({
  ...{ name, role: "leaf", waitMs: 1, mergeMs: 0, children: [] },
  ...(queued !== undefined && { queued }),
});
const machine = (name: string, children: readonly TracedNode[]): TracedNode => ({
  ...{ name, role: "aggregator", waitMs: 1, mergeMs: 0, children },
});

test("a load is what a machine has said, at any level, and what was sent since", () => {
  const loads = new PartitionLoads(() => 0);
  loads.noteSent("m1", "a");
  loads.noteSent("m1", "a");
  expect([loads.of("m1", "a"), loads.of("m2", "a")]).toEqual([2, 0]);
  loads.noteTrace(machine("m1", [leaf("a", 7), leaf("b"), machine("m2", [leaf("a", 3)])]));
  expect([loads.of("m1", "a"), loads.of("m1", "b"), loads.of("m2", "a")]).toEqual([7, 0, 3]);
  loads.noteSent("m1", "a");
  expect(loads.of("m1", "a")).toBe(8);
});

test("what was long ago counts no more, so that a machine that hung is asked again", () => {
  let nowMs = 0;
  const loads = new PartitionLoads(() => nowMs);
  loads.noteTrace(machine("m1", [leaf("a", 7)]));
  nowMs = 2_000;
  expect(loads.of("m1", "a")).toBe(7);
  nowMs = 2_001;
  expect(loads.of("m1", "a")).toBe(0);
  loads.noteSent("m1", "a");
  expect(loads.of("m1", "a")).toBe(1);
});
