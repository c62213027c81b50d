import { expect, it } from "vitest";
import { EvenShares } from "./evenShares.js";

const size = 1 << 10;

it("puts one of 1,024 neighbours in each of 32 × 32 boxes, and in each of 1,024 slices of every dimension", () => {
  for (const seed of [1, 11, 2 ** 31]) {
    const shares = new EvenShares(seed);
    const first = Math.floor(Date.UTC(2026, 4, 13) / 1_000 / size) * size;
    const points = Array.from({ length: size }, (_, i) => shares.at(first + i));
    const boxes = points.map(([a, b]) => 32 * Math.floor(32 * a) + Math.floor(32 * b));
    expect(new Set(boxes).size).toBe(size);
    for (const dimension of [0, 1, 2, 3] as const) {
      const slices = points.map((point) => Math.floor(size * point[dimension]));
      expect(new Set(slices).size).toBe(size);
    }
  }
});

it("differs by seed, and is the same for the same place", () => {
  expect(new EvenShares(3).at(17)).toEqual(new EvenShares(3).at(17));
  expect(new EvenShares(3).at(17)).not.toEqual(new EvenShares(4).at(17));
});
