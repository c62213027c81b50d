import fc from "fast-check";
import { expect, test } from "vitest";
import { HedgeShare } from "./hedgeShare.js";

test("of all partitions that are asked, at most their share is asked twice for being late", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 })), (queries) => {
      const hedges = new HedgeShare(0.1);
      for (const partitions of queries) {
        hedges.addAsked(partitions);
        for (let late = 0; late < partitions; late++) hedges.takeHedge();
      }
      const { asked, hedged, refused } = hedges.counts;
      expect(hedged).toBeLessThanOrEqual(0.1 * asked);
      expect(hedged + refused).toBe(asked);
    }),
  );
});

test("what was saved over days is not spent at once; with a share of 0 nothing is asked twice", () => {
  const hedges = new HedgeShare(0.1);
  hedges.addAsked(1_000_000);
  const taken = Array.from({ length: 1_000 }, () => hedges.takeHedge());
  expect(taken.filter((isTaken) => isTaken)).toHaveLength(50);
  const none = new HedgeShare(0);
  none.addAsked(1_000_000);
  expect(none.takeHedge()).toBe(false);
});
