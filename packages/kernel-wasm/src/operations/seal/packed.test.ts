import { describe, expect, test } from "vitest";
import { i64Max, i64Min, longLength } from "../../testing/columns.js";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = new TwinArena();

/** Measures, packs and unpacks on kernel and twin; returns the number of words, or -1. */
function roundTrip(stored: readonly bigint[]): number {
  const words = packAndUnpack(stored, 8);
  // As u32 from the least value, where they fit: the same deltas, the same words.
  // biome-ignore lint/complexity/useMathMinMax: Math.min does not take BigInt.
  const least = stored.reduce((a, b) => (b < a ? b : a), i64Max);
  const offsets = stored.map((value) => value - least);
  if (offsets.every((offset) => offset < 2n ** 32n)) {
    expect(packAndUnpack(offsets, 4)).toBe(words);
  }
  return words;
}

function packAndUnpack(stored: readonly bigint[], storedWidth: 4 | 8): number {
  const { length } = stored;
  const blocks = Math.ceil(length / 128);
  // The kernel must not read beyond the values, but for the slack.
  const values = arena.clear().values(storedWidth, stored);
  const heads = arena.region(blocks * 16);
  const words = arena.run(
    (kernel) => kernel.measureDeltas(heads, values, length),
    [[heads, isWide(stored) ? blocks * 16 : 0]],
  );
  if (words < 0) return words;
  const packed = arena.region(blocks * 16 + words * 16, 16);
  arena.run((kernel) => kernel.packDeltas(packed, heads, values, length));
  for (const width of [4, 8] as const) {
    const base = width === 8 ? 0n : (stored[0] ?? 0n);
    const address = arena.region(blocks * 128 * width);
    arena.run(
      (kernel) => kernel.unpackDeltas({ address, width }, packed, length, base),
      [[address + length * width, (blocks * 128 - length) * width]],
    );
    const bytes = arena.read(address, length * width);
    const read =
      width === 8
        ? [...new BigInt64Array(bytes.buffer)]
        : [...new Uint32Array(bytes.buffer)].map(BigInt);
    const expected = stored.map((value) =>
      width === 8 ? value : BigInt.asUintN(32, value - base),
    );
    expect(read).toEqual(expected);
  }
  return words;
}

const isWide = (stored: readonly bigint[]): boolean =>
  stored.some((_, i) => {
    const block = i % 128 === 0 ? stored.slice(i, i + 128) : [0n];
    const ascending = block.toSorted((a, b) => (a < b ? -1 : 1));
    return ascending.at(-1)! - ascending[0]! >= 2n ** 30n;
  });

describe("S20 packed deltas", () => {
  test("come back for every width of the deltas, rising, falling and mixed", () => {
    const random = new Random(11);
    for (let bits = 0; bits <= 22; bits++) {
      for (const length of [1, 2, 3, 4, 5, 127, 128, 129, 255, 300]) {
        for (const sign of [1n, -1n, 0n]) {
          let value = random.pick([0n, i64Max - 2n ** 31n, i64Min + 2n ** 31n, 1_700_000_000_000n]);
          const stored = Array.from({ length }, () => {
            const step = random.u64() % (1n << BigInt(bits));
            value += sign === 0n ? (random.below(2) === 0 ? step : -step) : sign * step;
            return value;
          });
          expect(roundTrip(stored)).toBeGreaterThanOrEqual(0);
        }
      }
    }
  });

  test("come back at the ends of int64 and for the widest deltas of a block", () => {
    const far = 2n ** 30n - 1n;
    const alternating = (low: bigint, high: bigint): bigint[] =>
      Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? low : high));
    for (const [low, high] of [
      [i64Min, i64Min + far],
      [i64Max - far, i64Max],
      [-far / 2n, far - far / 2n],
    ] as const) {
      expect(roundTrip(alternating(low, high))).toBe(62);
    }
    expect(roundTrip([i64Min, i64Min])).toBe(0);
    expect(roundTrip([i64Max])).toBe(0);
    expect(roundTrip([])).toBe(0);
  });

  test("a constant step takes no word, whatever the step", () => {
    for (const step of [0n, 1n, 60_000n, -1000n]) {
      const stored = Array.from({ length: 1000 }, (_, i) => 5n + step * BigInt(i));
      expect(roundTrip(stored)).toBe(0);
    }
  });

  test("values too far apart in a block are refused, in two blocks not", () => {
    expect(roundTrip([0n, 2n ** 30n])).toBe(-1);
    expect(roundTrip([i64Min, i64Max])).toBe(-1);
    expect(roundTrip([i64Max, i64Min])).toBe(-1);
    const apart = Array.from({ length: 256 }, (_, i) => (i < 128 ? i64Min : i64Max));
    expect(roundTrip(apart)).toBe(0);
  });

  test("offsets of 32 bits at both ends, and blocks that span 2^30 by one row anywhere", () => {
    const ends = Array.from({ length: 400 }, (_, i) => (i < 200 ? 0n : 2n ** 32n - 1n));
    expect(roundTrip(ends)).toBe(-1);
    const apart = Array.from({ length: 384 }, (_, i) => BigInt(Math.floor(i / 128)) * 2n ** 31n);
    expect(roundTrip(apart.map((value, i) => (i < 256 ? value : 2n ** 32n - 1n)))).toBe(0);
    for (let row = 0; row < 128; row++) {
      const flat = Array.from({ length: 128 }, () => 5n);
      expect(roundTrip(flat.with(row, 5n + 2n ** 30n))).toBe(-1);
      expect(roundTrip(flat.with(row, 4n + 2n ** 30n))).toBeGreaterThan(0);
      expect(roundTrip(flat.with(row, 5n - 2n ** 30n))).toBe(-1);
      expect(roundTrip(flat.with(row, 6n))).toBe(row === 0 || row === 127 ? 1 : 2);
    }
  });

  test("a segment's worth of rows", () => {
    const random = new Random(12);
    let value = 0n;
    roundTrip(
      Array.from({ length: longLength - 4000 }, () => {
        value += BigInt(random.below(101)) - 50n;
        return value;
      }),
    );
  });

  test("are searched for bounds in, between and outside the values", () => {
    const random = new Random(13);
    // Rows come evenly, or, from somewhere on, more or less often.
    const paces = [1, 1, 50, 1 / 50];
    for (const length of [0, 1, 2, 127, 128, 129, 500, 5000, 20_000]) {
      for (const stepMax of [1, 2, 1000, 70_000]) {
        let value = random.pick([-5000n, 1_700_000_000_000n, i64Min]);
        const pace = random.pick(paces);
        const from = random.below(length + 1);
        search(
          random,
          Array.from({ length }, (_, i) => {
            value += BigInt(Math.floor(random.below(stepMax) * (i < from ? 1 : pace)));
            return value;
          }),
        );
      }
    }
    // As far apart as a block may be, so that what stands past its last row is beyond 32 bits.
    const spanMax = 2n ** 30n - 1n;
    for (const first of [0n, i64Min, i64Max - spanMax]) {
      search(random, [first, first + spanMax]);
      search(random, [first, first + spanMax / 2n, first + spanMax]);
    }
  });
});

function search(random: Random, stored: readonly bigint[]): void {
  const { length } = stored;
  const values = arena.clear().values(8, stored);
  const heads = arena.region(Math.ceil(length / 128) * 16);
  const words = arena.run((kernel) => kernel.measureDeltas(heads, values, length));
  const packed = arena.region((Math.ceil(length / 128) + words) * 16, 16);
  arena.run((kernel) => kernel.packDeltas(packed, heads, values, length));
  const some = Array.from({ length: length === 0 ? 0 : 40 }, () => random.pick(stored));
  const picked = length === 0 ? [] : [stored[0]!, stored[length - 1]!, ...some];
  const bounds = [...picked, i64Min, i64Max].flatMap((near) =>
    near < i64Max ? [near, near + 1n] : [near],
  );
  const expected = bounds.map((bound) => {
    const found = stored.findIndex((each) => each >= bound);
    return found === -1 ? length : found;
  });
  for (const [i, bound] of bounds.entries()) {
    const found = arena.run((kernel) => kernel.lowerBoundOfPacked(packed, length, bound));
    expect(found).toBe(expected[i]);
  }
  // All of them together, as far as they fit with the base.
  const base = random.pick([0n, 12n]);
  const fit = bounds.flatMap((bound, i) => (bound <= i64Max - base ? [i] : []));
  const boundsAt = arena.i64s(fit.map((i) => bounds[i]! + base));
  const out = arena.region(fit.length * 4);
  arena.run((kernel) =>
    kernel.lowerBoundsOfPacked(out, packed, length, boundsAt, fit.length, base),
  );
  const found = new Uint32Array(arena.read(out, fit.length * 4).buffer);
  expect([...found]).toEqual(fit.map((i) => expected[i]));
}
