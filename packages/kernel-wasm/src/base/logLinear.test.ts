import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bucketBounds,
  coarserBucket,
  finerBuckets,
  logLinearBucket,
  subBitsMax,
} from "./logLinear.js";

const numbers = fc.oneof(
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(Number),
);
const fineness = fc.nat(subBitsMax);

test("a value lies within the bounds of its bucket, the middle within 2^-(subBits+1) of it", () => {
  fc.assert(
    fc.property(numbers, fineness, (value, subBits) => {
      const [low, high] = bucketBounds(logLinearBucket(value, subBits), subBits);
      expect(value).toBeGreaterThanOrEqual(low);
      expect(value).toBeLessThanOrEqual(high);
      const middle = (low + high) / 2;
      expect(Math.abs(middle - value)).toBeLessThanOrEqual(Math.abs(value) * 2 ** -(subBits + 1));
    }),
  );
});

test("beyond 2^53 too an integer is in its own bucket, not in the next power's", () => {
  for (let bit = 2n; bit < 63n; bit++) {
    const power = 1n << bit;
    for (const subBits of [0, 3, 6]) {
      const own = logLinearBucket(power, subBits);
      // Steps are one integer wide up to 2^subBits, and end with the power of two.
      expect(logLinearBucket(power - 1n, subBits)).toBeLessThan(own);
      if (bit > BigInt(subBits)) expect(logLinearBucket(power - 1n, subBits)).toBe(own - 1);
      expect(logLinearBucket(-power, subBits)).toBe(-own);
      expect(logLinearBucket(1n - power, subBits)).toBe(-logLinearBucket(power - 1n, subBits));
    }
  }
  expect(logLinearBucket(-(2n ** 63n), 6)).toBe(-(63 * 64 + 1));
  expect(logLinearBucket(2n ** 63n - 1n, 6)).toBe(63 * 64);
});

test("bucket numbers ascend with values", () => {
  fc.assert(
    fc.property(numbers, numbers, fineness, (a, b, subBits) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      expect(logLinearBucket(low, subBits)).toBeLessThanOrEqual(logLinearBucket(high, subBits));
    }),
  );
});

test("the bucket made coarser is the bucket counted coarsely", () => {
  fc.assert(
    fc.property(numbers, fineness, fineness, (value, a, b) => {
      const [coarse, fine] = [Math.min(a, b), Math.max(a, b)];
      expect(coarserBucket(logLinearBucket(value, fine), fine, coarse)).toBe(
        logLinearBucket(value, coarse),
      );
    }),
  );
});

test("finer buckets are those that are made this one, and all of them", () => {
  fc.assert(
    fc.property(numbers, fineness, fineness, (value, a, b) => {
      const [coarse, fine] = [Math.min(a, b), Math.max(a, b)];
      const bucket = logLinearBucket(value, coarse);
      const [first, last] = finerBuckets(bucket, coarse, fine);
      for (const inside of [first, last]) expect(coarserBucket(inside, fine, coarse)).toBe(bucket);
      for (const outside of [first - 1, last + 1]) {
        expect(coarserBucket(outside, fine, coarse)).not.toBe(bucket);
      }
    }),
  );
});

test.each([
  [0, 0],
  [1, 1],
  [-1, -1],
  [2, 5],
  [3, 7],
])("with four steps an octave %d is in bucket %d", (value, bucket) => {
  expect(logLinearBucket(value, 2)).toBe(bucket);
});
