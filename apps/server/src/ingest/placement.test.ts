import { describe, expect, it } from "vitest";
import { choosePlacement } from "./placement.js";
import { MemoryLeaf } from "./testing/memoryLeaf.js";

/** A small generator with a seed, so that the spread is the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const none: ReadonlySet<string> = new Set();

describe("choosePlacement", () => {
  it("keeps leaves even, far more than one random choice would", () => {
    const leaves = Array.from({ length: 8 }, (_, i) => new MemoryLeaf(`leaf-${i}`));
    const random = seeded(7);
    for (let i = 0; i < 8_000; i++) {
      const chosen = choosePlacement(leaves, none, random);
      leaves.find((leaf) => leaf === chosen)!.freeBytes -= 1_000;
    }
    const used = leaves.map(({ freeBytes }) => (1e9 - freeBytes) / 1_000);
    expect(Math.max(...used) - Math.min(...used)).toBeLessThan(20);
  });

  it("fills a new leaf up, yet not with every batch", () => {
    const leaves = Array.from({ length: 4 }, (_, i) => new MemoryLeaf(`leaf-${i}`));
    leaves[3]!.freeBytes = 2e9;
    const random = seeded(1);
    const chosen = Array.from({ length: 1_000 }, () => choosePlacement(leaves, none, random)!.id);
    const share = chosen.filter((id) => id === "leaf-3").length / 1_000;
    expect(share).toBeGreaterThan(0.45);
    expect(share).toBeLessThan(0.55);
  });

  it("passes over leaves that are not alive or refused", () => {
    const leaves = Array.from({ length: 3 }, (_, i) => new MemoryLeaf(`leaf-${i}`));
    leaves[0]!.state = "dead";
    leaves[1]!.state = "suspect";
    for (let i = 0; i < 10; i++)
      expect(choosePlacement(leaves, none, () => i / 10)?.id).toBe("leaf-2");
    expect(choosePlacement(leaves, new Set(["leaf-2"]), () => 0)).toBeNull();
    expect(choosePlacement([], none, () => 0)).toBeNull();
  });
});
