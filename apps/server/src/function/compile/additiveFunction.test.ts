import { describe, expect, it } from "vitest";
import { readAdditive, readFinish } from "./additiveFunction.js";

/** An aggregate that sums `a · weight` and counts, unless something else is put in. */
function sourceOf({
  init = "() => ({ sum: 0, count: 0 })",
  update = "(s, a, b, w) => { s.sum += a * b * w; s.count += w; }",
  merge = "(x, y) => ({ sum: x.sum + y.sum, count: y.count + x.count })",
  finalize = "(s) => s.sum / s.count",
} = {}): string {
  return `({ init: ${init}, update: ${update}, merge: ${merge}, finalize: ${finalize} })`;
}

describe("an additive function", () => {
  it("is one whose parts are sums of products of columns and the weight", () => {
    expect(readAdditive(sourceOf(), 2)).toEqual([
      { name: "sum", factors: [0, 1] },
      { name: "count", factors: [] },
    ]);
  });

  it.each<[what: string, source: string]>([
    [
      "that begins with something else than zeros",
      sourceOf({ init: "() => ({ sum: 1, count: 0 })" }),
    ],
    ["a part of which is not merged", sourceOf({ merge: "(x, y) => ({ sum: x.sum + y.sum })" })],
    [
      "that merges a part with another one",
      sourceOf({ merge: "(x, y) => ({ sum: x.sum + y.count, count: x.count + y.count })" }),
    ],
    [
      "that merges by another operator",
      sourceOf({ merge: "(x, y) => ({ sum: x.sum - y.sum, count: x.count + y.count })" }),
    ],
    [
      "that does not weight a row",
      sourceOf({ update: "(s, a, b, w) => { s.sum += a; s.count += w; }" }),
    ],
    [
      "that weights a row twice",
      sourceOf({ update: "(s, a, b, w) => { s.sum += a * w * w; s.count += w; }" }),
    ],
    [
      "that multiplies three columns",
      sourceOf({ update: "(s, a, b, w) => { s.sum += a * a * b * w; s.count += w; }" }),
    ],
    [
      "that adds to a part twice",
      sourceOf({ update: "(s, a, b, w) => { s.sum += a * w; s.sum += w; }" }),
    ],
    [
      "that replaces a part",
      sourceOf({ update: "(s, a, b, w) => { s.sum = a * w; s.count += w; }" }),
    ],
    [
      "that does something under a condition",
      sourceOf({ update: "(s, a, b, w) => { if (a > 1) s.sum += a * w; s.count += w; }" }),
    ],
    [
      "that reads a name which is no column",
      sourceOf({ update: "(s, a, b, w) => { s.sum += c * w; s.count += w; }" }),
    ],
  ])("is none %s", (_, source) => {
    expect(readAdditive(source, 2)).toBeNull();
  });
});

describe("how the root finishes one", () => {
  const parts = [
    { name: "sum", factors: [0] },
    { name: "count", factors: [] },
  ];

  it("is an expression over the parts in their order", () => {
    const input = (index: number) => ({ kind: "input", index, type: "number", decimals: 0 });
    expect(readFinish(sourceOf(), parts)).toMatchObject({
      fn: "js /",
      args: [input(0), input(1)],
    });
  });

  it.each<[what: string, finalize: string]>([
    ["returns a text", "(s) => String(s.sum)"],
    ["calls what is no arithmetic", "(s) => Math.hypot(s.sum, s.count)"],
    ["has a loop", "(s) => { for (;;) return s.sum; }"],
  ])("is left to the sandbox where it %s", (_, finalize) => {
    expect(readFinish(sourceOf({ finalize }), parts)).toBeNull();
  });
});
