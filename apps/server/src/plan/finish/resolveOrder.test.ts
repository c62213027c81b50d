import { HadalError } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import type { FinishAggregate, FinishGroup } from "../query/finishPlan.js";
import { leafRank, resolveOrders, seriesRank } from "./resolveOrder.js";

const groups: readonly FinishGroup[] = [
  { name: "service", type: "string", decimals: 0, unit: undefined },
];
const number = (name: string, more: Partial<FinishAggregate> = {}): FinishAggregate => ({
  ...{ name, type: "int", decimals: 0, unit: undefined, spreadIndex: null },
  value: { kind: "count", stateIndex: 0, perMs: null },
  rankBy: { kind: "state", stateIndex: 0 },
  compared: ["compare", "delta", "delta_pct"],
  ...more,
});
const histogram = number("h", { type: "histogram", rankBy: null, compared: ["compare"] });
const plain = { timeGroupIndex: -1, compare: false, show: null };

describe("the order of a result", () => {
  it("is by time where there are buckets of time, ascending", () => {
    expect(resolveOrders([], groups, [number("count")], { ...plain, timeGroupIndex: 0 })).toEqual([
      { target: { kind: "key", groupIndex: 0 }, desc: false },
    ]);
  });

  it("is by the first shown number else, largest first", () => {
    const aggregates = [histogram, number("a"), number("b")];
    const target = (aggregateIndex: number) => ({
      kind: "aggregate",
      aggregateIndex,
      part: "main",
    });
    expect(resolveOrders([], groups, aggregates, plain)).toEqual([
      { target: target(1), desc: true },
    ]);
    const shown = { ...plain, show: ["b", "h"] };
    expect(resolveOrders([], groups, aggregates, shown)).toEqual([
      { target: target(2), desc: true },
    ]);
    expect(resolveOrders([], groups, [histogram], plain)).toEqual([]);
  });

  it("names a column that the result does not have, with the nearest one", () => {
    const orderBy = [{ by: "service" }, { by: "cuont" }];
    try {
      resolveOrders(orderBy, groups, [number("count")], plain);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      expect(error.errors).toMatchObject([
        { path: "orderBy[1].by", code: "unknown-result-column" },
      ]);
      expect(error.message).toContain("count");
      return;
    }
    expect.fail("it was accepted");
  });

  it("says where missing values stand only where that is not the usual", () => {
    const nulls = (desc: boolean, asked: "first" | "last") =>
      resolveOrders([{ by: "count", desc, nulls: asked }], groups, [number("count")], plain)[0]
        ?.nulls;
    expect([nulls(true, "first"), nulls(false, "last")]).toEqual([undefined, undefined]);
    expect([nulls(true, "last"), nulls(false, "first")]).toEqual(["last", "first"]);
  });
});

describe("what a leaf can rank by", () => {
  const byFirst = {
    target: { kind: "aggregate", aggregateIndex: 0, part: "main" },
    desc: true,
  } as const;
  const rate = number("rate", { value: { kind: "count", stateIndex: 0, perMs: 1_000 } });

  it("is the state behind the number, in the same direction", () => {
    expect(leafRank(byFirst, [number("count")], { cutsBuckets: false })).toEqual({
      by: { kind: "state", stateIndex: 0 },
      desc: true,
    });
  });

  it.each<[what: string, rank: unknown]>([
    [
      "a difference",
      leafRank({ ...byFirst, target: { ...byFirst.target, part: "delta" } }, [number("n")], {
        cutsBuckets: false,
      }),
    ],
    ["a rate of buckets that may be cut", leafRank(byFirst, [rate], { cutsBuckets: true })],
    [
      "a number that is known at the root only",
      leafRank(byFirst, [number("n", { rankBy: null })], { cutsBuckets: false }),
    ],
    [
      "an order that says where missing values stand",
      leafRank({ ...byFirst, nulls: "last" }, [number("n")], { cutsBuckets: false }),
    ],
  ])("is nothing for %s", (_, rank) => {
    expect(rank).toBeNull();
  });

  it("is a rate where buckets are whole", () => {
    expect(leafRank(byFirst, [rate], { cutsBuckets: false })).not.toBeNull();
  });
});

describe("what series are ranked by", () => {
  it("is the first number of the order, asked for or not", () => {
    const asked = {
      target: { kind: "aggregate", aggregateIndex: 1, part: "main" },
      desc: false,
    } as const;
    const byKey = { target: { kind: "key", groupIndex: 0 }, desc: false } as const;
    const aggregates = [number("a"), number("b")];
    expect(seriesRank([byKey, asked], aggregates, null)).toEqual({
      rank: asked,
      isRankAsked: true,
    });
    expect(seriesRank([byKey], aggregates, null)).toMatchObject({
      rank: { target: { aggregateIndex: 0 }, desc: true },
      isRankAsked: false,
    });
  });

  it("is refused where there is no number", () => {
    expect(() => seriesRank([], [histogram], null)).toThrow(/ranks by a number/);
  });
});
