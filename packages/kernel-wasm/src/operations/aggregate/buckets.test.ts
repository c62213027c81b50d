import { describe, expect, test } from "vitest";
import { logLinearBucket } from "../../base/logLinear.js";
import { type Case, checkCases, seeded } from "../../testing/columns.js";
import { groupCount, layColumn } from "../../testing/layColumn.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = TwinArena.readingAhead();
function lay(each: Case) {
  const { random, stored, values, present, rows, groups, base } = layColumn(arena, each);
  const subBits = random.below(7);
  const buckets = stored.map((value) => logLinearBucket(value + base, subBits));
  const firstBucket = buckets.reduce((a, b) => Math.min(a, b), 0) - random.below(2);
  const lastBucket = buckets.reduce((a, b) => Math.max(a, b), 0);
  const shape = { subBits, firstBucket, bucketCount: lastBucket - firstBucket + 1 };
  const small = stored.every(
    (value) => value + base >= -(2n ** 24n) && value + base <= 2n ** 24n && base >= -(2n ** 31n),
  );
  return { random, values, present, rows, groups, base, shape, small };
}

test("S40: rows are counted by group and bucket as the twin says", () => {
  checkCases((each) => {
    const { values, present, rows, groups, base, shape, small } = lay(each);
    const counts = arena.region(groupCount * shape.bucketCount * 4);
    arena.run((kernel) =>
      kernel.countInHistograms(counts, 4, 0, groups, rows, values, base, present, small, shape),
    );
  }, 300);
});

test.each([1, 2] as const)(
  "S40: counters of %d bytes that are full start again at 1, and are noted",
  (counterBytes) => {
    const full = 2 ** (8 * counterBytes) - 1;
    let spills = 0;
    checkCases((each) => {
      const { random, values, present, rows, groups, base, shape, small } = lay(each);
      const cells = groupCount * shape.bucketCount;
      const nearlyFull = Array.from({ length: cells }, () => full - random.below(3));
      const counts = writeCounters(nearlyFull, counterBytes);
      const known = random.below(3);
      const spilled = arena.u32s([known, ...Array.from({ length: known + rows.count }, () => 7)]);
      arena.run((kernel) =>
        kernel.countInHistograms(
          ...([counts, counterBytes, spilled, groups, rows] as const),
          ...([values, base, present, small, shape] as const),
        ),
      );
      spills += new Uint32Array(arena.read(spilled, 4).buffer)[0]! - known;
    }, 300);
    expect(spills).toBeGreaterThan(100);
  },
);

test("values around powers of two up to 2^24, both signs, fall into the same buckets as f32", () => {
  const around = Array.from({ length: 25 }, (_, i) => 2n ** BigInt(i)).flatMap((power) =>
    [-1n, 0n, 1n].map((step) => power + step).filter((value) => value <= 2n ** 24n),
  );
  const wanted = [...around, ...around.map((value) => -value), 0n, 0n];
  const base = -(2n ** 24n);
  const stored = wanted.map((value) => value - base);
  const rows = { start: 0, count: stored.length, rows: 0 };
  for (let subBits = 0; subBits <= 6; subBits++) {
    const last = logLinearBucket(2 ** 24, subBits);
    const shape = { subBits, firstBucket: -last, bucketCount: 2 * last + 1 };
    const values = arena.clear().values(4, stored);
    const counts = arena.u32s(new Array<number>(shape.bucketCount).fill(0));
    arena.run((kernel) =>
      kernel.countInHistograms(counts, 4, 0, 0, rows, values, base, 0, true, shape),
    );
  }
});

test("pairs of group and bucket become keys as the twin says", () => {
  checkCases((each) => {
    const { values, present, rows, groups, base, shape } = lay(each);
    const keys = arena.region(rows.count * 8);
    const keyRows = arena.region(rows.count * 4);
    arena.run((kernel) =>
      kernel.bucketKeys(keys, keyRows, groups, rows, values, base, present, shape),
    );
  });
});

test("groups are numbered in order of arrival, up to the limit", () => {
  checkCases((each) => {
    const { random, rows, groups } = lay({ ...each, isGrouped: true });
    const max = random.pick([1, 3, groupCount]);
    const numberOf = arena.u32s(new Array<number>(groupCount).fill(0));
    const groupOf = arena.region(max * 4);
    const numbers = arena.region(rows.count * 4);
    arena.run((kernel) =>
      kernel.numberGroups(numbers, groups, rows.count, numberOf, groupOf, 0, max),
    );
  });
});

describe("buckets that are not empty are listed", () => {
  test.each([1, 2, 4, 8] as const)("counters of %d bytes", (counterBytes) => {
    checkCases((each) => {
      const random = seeded(each);
      const shape = {
        subBits: 6,
        firstBucket: random.below(9) - 4,
        bucketCount: 1 + random.below(40),
      };
      const cells = Array.from({ length: shape.bucketCount * groupCount }, () =>
        random.below(3) === 0 ? random.u32() : 0,
      );
      arena.clear();
      const histogram = writeCounters(cells, counterBytes);
      const wanted = cells.map((_, i) => i).filter((i) => i < groupCount && random.below(4) > 0);
      const groups = arena.u32s(wanted);
      const room = random.pick([shape.bucketCount, shape.bucketCount * 5, cells.length]);
      const out = {
        buckets: arena.region(room * 4),
        weights: arena.region(room * 8),
        ends: arena.region(wanted.length * 4),
        room,
      };
      const done = arena.run((kernel) =>
        kernel.listBuckets(out, histogram, counterBytes, groups, wanted.length, shape),
      );
      expect(done).toBeGreaterThan(wanted.length === 0 ? -1 : 0);
    });
  });
});

describe("S40: first and last counters that are not 0, and their sum", () => {
  test.each([1, 2, 4, 8] as const)("counters of %d bytes", (counterBytes) => {
    checkCases((each) => {
      const random = seeded(each);
      const bucketCount = 1 + random.below(70);
      const often = random.pick([1, 3, 60]);
      const cells = Array.from({ length: bucketCount * groupCount }, () =>
        random.below(often) === 0 ? random.u32() : 0,
      );
      arena.clear();
      const histogram = writeCounters(cells, counterBytes);
      const wanted = Array.from({ length: groupCount }, (_, i) => i).filter(
        () => random.below(4) > 0,
      );
      const groups = arena.u32s(wanted);
      const out = arena.region(wanted.length * 16);
      arena.run((kernel) =>
        kernel.measureBuckets(out, histogram, counterBytes, groups, wanted.length, bucketCount),
      );
    });
  });
});

describe("A5: the histogram of a sealed segment", () => {
  test.each([1, 2, 4, 8] as const)("weights of %d bytes", (weightBytes) => {
    checkCases((each) => {
      const random = seeded(each);
      const count = random.below(70);
      const firstBucket = random.pick([0, 1, -2400, 2400 - count]);
      const often = random.pick([1, 3, 60]);
      const bitsMax = random.pick([1n, 8n * BigInt(weightBytes)]);
      const counters = arena
        .clear()
        .i64s(
          Array.from({ length: count }, () =>
            random.below(often) === 0 ? random.u64() & (2n ** bitsMax - 1n) : 0n,
          ).map((counter) => BigInt.asIntN(64, counter)),
        );
      const bits = arena.region(8);
      const filled = arena.run((kernel) => kernel.countFilled(bits, counters, count));
      const weights = arena.region(filled * weightBytes);
      const buckets = arena.region(filled * 2);
      arena.run((kernel) =>
        kernel.packBuckets(buckets, weights, weightBytes, counters, count, firstBucket),
      );
    });
  });
});

function writeCounters(cells: readonly number[], counterBytes: 1 | 2 | 4 | 8): number {
  if (counterBytes === 8) return arena.i64s(cells.map((cell) => BigInt(cell)));
  if (counterBytes === 4) return arena.u32s(cells);
  if (counterBytes === 1) return arena.bytes(Uint8Array.from(cells));
  return arena.bytes(new Uint8Array(Uint16Array.from(cells).buffer));
}
