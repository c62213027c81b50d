import { describe, expect, it } from "vitest";
import { readAdditive } from "../src/function/compile/additiveFunction.js";
import { exampleFunctions } from "../src/registry/document/exampleFunctions.js";

const source = (update: string, more: { init?: string; merge?: string } = {}) => `{
  init: ${more.init ?? "() => ({ n: 0, x: 0 })"},
  update(s, x, y, weight) { ${update} },
  merge: ${more.merge ?? "(a, b) => ({ n: a.n + b.n, x: b.x + a.x })"},
  finalize: (s) => s.x / s.n,
}`;
const sums = "s.n += weight; s.x += x * weight;";

describe("a function that is sums", () => {
  it("of the weight, of columns, and of products of two", () => {
    const found = readAdditive(exampleFunctions[0]?.source ?? "", 2);
    expect(exampleFunctions[0]?.name).toBe("covariance");
    expect(found).toEqual([
      { name: "n", factors: [] },
      { name: "x", factors: [0] },
      { name: "y", factors: [1] },
      { name: "xy", factors: [0, 1] },
    ]);
    expect(readAdditive(exampleFunctions[1]?.source ?? "", 2)).toHaveLength(6);
    expect(readAdditive(source("s.n += weight; s.x += y * weight * y;"), 2)).toEqual([
      { name: "n", factors: [] },
      { name: "x", factors: [1, 1] },
    ]);
  });

  it.each([
    ["another weight", source("s.n += 1; s.x += x * weight;")],
    ["no weight", source("s.n += weight; s.x += x;")],
    ["a weight too many", source("s.n += weight * weight; s.x += x * weight;")],
    ["three factors", source("s.n += weight; s.x += x * x * y * weight;")],
    ["a sum of sums", source("s.n += weight; s.x += (x + y) * weight;")],
    ["the state itself", source("s.n += weight; s.x += s.n * weight;")],
    ["a condition", source("if (x > 0) s.n += weight; s.x += x * weight;")],
    ["a part twice", source("s.n += weight; s.n += weight; s.x += x * weight;")],
    ["a part less", source("s.n += weight;")],
    ["subtraction", source("s.n += weight; s.x -= x * weight;")],
    ["a call", source("s.n += weight; s.x += Math.abs(x) * weight;")],
    ["something of its surroundings", source("s.n += weight; s.x += z * weight;")],
    ["no zeros", source(sums, { init: "() => ({ n: 0, x: 1 })" })],
    ["another merge", source(sums, { merge: "(a, b) => ({ n: a.n + b.n, x: a.x - b.x })" })],
    ["parts mixed up", source(sums, { merge: "(a, b) => ({ n: a.n + b.x, x: a.x + b.n })" })],
    ["one side twice", source(sums, { merge: "(a, b) => ({ n: a.n + a.n, x: a.x + b.x })" })],
    ["a merge of less", source(sums, { merge: "(a, b) => ({ n: a.n + b.n })" })],
    ["a prototype", source(sums, { init: "() => ({ __proto__: 0, n: 0 })" })],
  ])("not with %s", (_, text) => {
    expect(readAdditive(source(sums), 2)).not.toBeNull();
    expect(readAdditive(text, 2)).toBeNull();
  });
});
