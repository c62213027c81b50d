import fc from "fast-check";
import { expect, it } from "vitest";
import { compareShares, type Sample } from "./compareShares.js";
import { surestFirst } from "./surestFirst.js";

interface Named {
  readonly name: string;
  readonly test: ReturnType<typeof compareShares>;
}

const sorted = (all: readonly Named[]) =>
  surestFirst(
    all,
    ({ test }) => test,
    ({ name }) => name,
  );

/** Rows of weights so large that the sums of their squares are rounded. */
const samples = fc.record({
  rows: fc.integer({ min: 100, max: 2_000 }),
  weight: fc.integer({ min: 1e8, max: 1e9 }),
});
const sampleOf = ({ rows, weight }: { rows: number; weight: number }): Sample => ({
  rows,
  weight: rows * weight,
  squares: rows * weight * weight * (1 + weight / 1e9),
});
const sum = (x: Sample, y: Sample): Sample => ({
  rows: x.rows + y.rows,
  weight: x.weight + y.weight,
  squares: x.squares + y.squares,
});

it("of a part and the rest, which differ by the same, that is first of which A has more", () => {
  fc.assert(
    fc.property(samples, samples, samples, samples, (...four) => {
      const [partA, restA, partB, restB] = four.map(sampleOf) as [Sample, Sample, Sample, Sample];
      const [a, b] = [sum(partA, restA), sum(partB, restB)];
      const part = compareShares({ of: a, hits: partA }, { of: b, hits: partB });
      const rest = compareShares({ of: a, hits: restA }, { of: b, hits: restB });
      fc.pre(Math.abs(part.difference) > 1e-6);
      const [first] = sorted([
        { name: "below", test: part },
        { name: "above", test: rest },
      ]);
      expect(first?.test.difference).toBeGreaterThan(0);
    }),
  );
});

it("ranks by the least difference, then by chance, then by name", () => {
  const test = (low: number, p: number | null) => ({
    ...{ difference: low + 0.1, interval: [low, low + 0.2] as const, p },
  });
  const all = [
    { name: "unsure", test: test(-0.05, 0.5) },
    { name: "less unsure", test: test(-0.05, 1e-9) },
    { name: "untested", test: test(-0.05, null) },
    { name: "b", test: test(0.2, 1e-9) },
    { name: "a", test: test(0.2 + 1e-12, 1e-9) },
    { name: "most", test: test(0.3, 1e-3) },
  ];
  const names = sorted(all).map(({ name }) => name);
  expect(names).toEqual(["most", "a", "b", "less unsure", "unsure", "untested"]);
  expect(sorted(all.toReversed()).map(({ name }) => name)).toEqual(names);
});
