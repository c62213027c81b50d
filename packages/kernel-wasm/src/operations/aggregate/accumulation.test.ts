import { describe, expect, test } from "vitest";
import { logLinearBucket } from "../../base/logLinear.js";
import { checkCases, i64Max, i64Min, valueRange } from "../../testing/columns.js";
import { groupCount, layColumn } from "../../testing/layColumn.js";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = TwinArena.readingAhead();
test("rows are counted per group as the twin says", () => {
  checkCases((each) => {
    const { groups, rows } = layColumn(arena, each);
    const counts = arena.region(groupCount * 4);
    arena.run((kernel) => kernel.addRows(counts, groups, rows.count));
  });
});

test("weights add up as the twin says", () => {
  checkCases((each) => {
    const { groups, rows, weights, present } = layColumn(arena, each);
    const sums = arena.region(groupCount * 8);
    arena.run((kernel) => kernel.addWeights(sums, groups, rows, weights, present));
  });
});

test("products add up as the twin says, modulo 2^64", () => {
  checkCases((each) => {
    const { groups, rows, values, base, weights, present } = layColumn(arena, each);
    const sums = arena.region(groupCount * 8);
    arena.run((kernel) => kernel.addProducts(sums, groups, rows, values, base, weights, present));
  }, 300);
});

test("long sums of the largest narrow values do not overflow their lanes", () => {
  for (const width of [1, 2, 3, 4] as const) {
    const count = 400_000;
    const [, highest] = valueRange(width);
    const values = arena.clear().values(width, new Array<bigint>(count).fill(highest));
    const sums = arena.i64s([0n]);
    const rows = { start: 0, count, rows: 0 };
    arena.run((kernel) => kernel.addProducts(sums, 0, rows, values, 0n, null, 0));
    const [sum] = new BigInt64Array(arena.read(sums, 8).buffer);
    expect(sum).toBe(highest * BigInt(count));
  }
});

test("long sums of the smallest and largest values under the largest weights do not overflow their lanes", () => {
  const count = 70_000;
  for (const width of [1, 2, 3, 4] as const) {
    for (const weightWidth of [1, 2] as const) {
      const [, weight] = valueRange(weightWidth);
      for (const value of valueRange(width)) {
        const values = arena.clear().values(width, new Array<bigint>(count).fill(value));
        const weights = arena.values(weightWidth, new Array<bigint>(count).fill(weight));
        const present = arena.bitmap(count, (row) => row !== 40_000);
        const sums = arena.i64s([0n]);
        const rows = { start: 0, count, rows: 0 };
        arena.run((kernel) => {
          kernel.addProducts(sums, 0, rows, values, -7n, weights, 0);
          kernel.addProducts(sums, 0, rows, values, -7n, weights, present);
        });
        const [sum] = new BigInt64Array(arena.read(sums, 8).buffer);
        expect(sum).toBe(BigInt.asIntN(64, (value - 7n) * weight * BigInt(2 * count - 1)));
      }
    }
  }
});

test("long sums of the selected of the smallest and largest values do not overflow their lanes", () => {
  const count = 200_000;
  for (const width of [1, 2, 3, 4] as const) {
    for (const value of valueRange(width)) {
      const values = arena.clear().values(width, new Array<bigint>(count).fill(value));
      const present = arena.bitmap(count, (row) => row % 1000 !== 999);
      const sums = arena.i64s([0n]);
      const rows = { start: 0, count, rows: 0 };
      arena.run((kernel) => kernel.addProducts(sums, 0, rows, values, 0n, null, present));
      const [sum] = new BigInt64Array(arena.read(sums, 8).buffer);
      expect(sum).toBe(value * BigInt(count - 200));
    }
  }
});

describe("addWideProducts", () => {
  test("equals the twin", () => {
    checkCases((each) => {
      const { groups, rows, values, base, weights, present } = layColumn(arena, each);
      const sums = arena.region(groupCount * 24);
      arena.run((kernel) =>
        kernel.addWideProducts(sums, groups, rows, values, base, weights, present),
      );
    }, 300);
  });

  test("its limbs make the exact sum of the extremes of int64 times the extremes of u32", () => {
    const stored = [i64Min, i64Min, i64Max, -1n, 1n, 0n, i64Max];
    const weighed = [0xffff_ffffn, 0n, 0xffff_ffffn, 0xffff_fffen, 1n, 5n, 0x8000_0000n];
    const values = arena.clear().values(8, stored);
    const weights = arena.values(4, weighed);
    const sums = arena.i64s([0n, 0n, 0n]);
    const rows = { start: 0, count: stored.length, rows: 0 };
    arena.run((kernel) => kernel.addWideProducts(sums, 0, rows, values, 0n, weights, 0));
    const [low, middle, high] = new BigInt64Array(arena.read(sums, 24).buffer);
    const expected = stored.reduce((sum, value, i) => sum + value * (weighed[i]! || 1n), 0n);
    expect(low! + (middle! << 32n) + (high! << 64n)).toBe(expected);
  });
});

test("minimums and maximums equal the twin, from an empty and from a filled slot", () => {
  checkCases((each) => {
    const { random, groups, rows, values, base, present } = layColumn(arena, each);
    const start = (extreme: bigint): number =>
      arena.i64s(Array.from({ length: groupCount }, () => random.pick([extreme, extreme, 5n])));
    const [lowest, highest] = [start(i64Max), start(i64Min)];
    arena.run((kernel) => kernel.addMinimums(lowest, groups, rows, values, base, present));
    arena.run((kernel) => kernel.addMaximums(highest, groups, rows, values, base, present));
  }, 300);
});

test("minimums and maximums of no row leave the extremes alone", () => {
  const values = arena.clear().values(4, [3n]);
  const extremes = arena.i64s([i64Max, i64Min]);
  const none = { start: 0, count: 0, rows: 0 };
  arena.run((kernel) => kernel.addMinimums(extremes, 0, none, values, 0n, 0));
  arena.run((kernel) => kernel.addMaximums(extremes + 8, 0, none, values, 0n, 0));
  expect([...new BigInt64Array(arena.read(extremes, 16).buffer)]).toEqual([i64Max, i64Min]);
});

describe("addToHistograms", () => {
  test("equals the twin for every fineness, sign and base", () => {
    checkCases((each) => {
      const { random, stored, groups, rows, values, weights, present, base } = layColumn(
        arena,
        each,
      );
      const subBits = random.below(7);
      const buckets = stored.map((value) => logLinearBucket(value + base, subBits));
      const firstBucket = buckets.reduce((a, b) => Math.min(a, b), 0) - random.below(2);
      const lastBucket = buckets.reduce((a, b) => Math.max(a, b), 0);
      const shape = { subBits, firstBucket, bucketCount: lastBucket - firstBucket + 1 };
      const histogram = arena.region(groupCount * shape.bucketCount * 8);
      const small = stored.every(
        (value) => value + base >= -(2n ** 24n) && value + base <= 2n ** 24n,
      );
      arena.run((kernel) =>
        kernel.addToHistograms(
          ...([histogram, groups, rows, values, base, weights, present, small, shape] as const),
        ),
      );
    }, 300);
  });

  test.each([1, 2, 3, 4] as const)(
    "A5: neighbouring rows of one group, none missing or negative, of %d bytes",
    (width) => {
      const random = new Random(width);
      for (const base of [0n, 1n, 2n ** 23n]) {
        for (const length of [7, 8, 9, 16, 31, 600, 1300]) {
          const highest = 2n ** BigInt(Math.min(24, 8 * width)) - 1n - base;
          const small = Array.from({ length }, () => {
            const value = random.u64() >> BigInt(random.pick([40, 50, 63]));
            return value > highest ? 0n : value % 2n ** BigInt(8 * width);
          });
          const start = random.below(5);
          const rows = { start, count: length - start, rows: 0 };
          const values = arena.clear().values(width, small);
          const weightOf = Array.from({ length }, () => BigInt(random.pick([0, 1, 10, 255])));
          const weights = random.pick([null, arena.values(1, weightOf)]);
          const subBits = random.below(7);
          const bucketCount = logLinearBucket(2 ** 24, subBits) + 1;
          const histogram = arena.region(bucketCount * 8);
          const shape = { subBits, firstBucket: 0, bucketCount };
          arena.run((kernel) =>
            kernel.addToHistograms(
              ...([histogram, 0, rows, values, base, weights, 0, true, shape] as const),
            ),
          );
        }
      }
    },
  );

  test("values around powers of two, zero and 2^53 fall where logLinearBucket says", () => {
    const around = [0n, 1n, 2n, 3n, 7n, 8n, 9n, 1023n, 1024n, 1025n, 2n ** 53n, 2n ** 53n + 1n];
    const stored = [...around, ...around.map((value) => -value), i64Min, i64Max, i64Max - 511n];
    for (let subBits = 0; subBits <= 6; subBits++) {
      const last = logLinearBucket(2 ** 63, subBits);
      const bucketCount = 2 * last + 1;
      const shape = { subBits, firstBucket: -last, bucketCount };
      const values = arena.clear().values(8, stored);
      const histogram = arena.i64s(new Array<bigint>(bucketCount).fill(0n));
      const rows = { start: 0, count: stored.length, rows: 0 };
      arena.run((kernel) =>
        kernel.addToHistograms(
          ...([histogram, 0, rows, values, 0n, null, 0, false, shape] as const),
        ),
      );
      const filled = new BigInt64Array(arena.read(histogram, bucketCount * 8).buffer);
      for (const value of stored) {
        expect(filled[logLinearBucket(value, subBits) + last]).toBeGreaterThan(0n);
      }
    }
  });

  test("a base that no f64 holds is added before the value is rounded, not after", () => {
    const base = 2n ** 60n - 300n;
    const rows = { start: 0, count: 8, rows: 0 };
    for (let subBits = 0; subBits <= 6; subBits++) {
      const firstBucket = logLinearBucket(2 ** 60, subBits) - 1;
      // 2^60 - 100 is nearer to 2^60 - 128; base rounded first would end at 2^60, one bucket on.
      const values = arena.clear().values(2, new Array<bigint>(8).fill(200n));
      const histogram = arena.i64s([0n, 0n]);
      const shape = { subBits, firstBucket, bucketCount: 2 };
      arena.run((kernel) =>
        kernel.addToHistograms(
          ...([histogram, 0, rows, values, base, null, 0, false, shape] as const),
        ),
      );
      expect([...new BigInt64Array(arena.read(histogram, 16).buffer)]).toEqual([8n, 0n]);
    }
  });
});
