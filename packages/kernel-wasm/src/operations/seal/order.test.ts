import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkCases,
  i64Max,
  i64Min,
  longLength,
  randomPresent,
  randomValues,
  seeded,
} from "../../testing/columns.js";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = new TwinArena();

/** `loose`: so far beyond the times lie their bounds. */
function sort(times: readonly bigint[], loose = 0n): number {
  const timesAt = arena.clear().i64s(times);
  const order = arena.region(times.length * 4);
  const offsets = arena.region(times.length * 4);
  const scratchBytes = times.length * 16 + 4096;
  const scratch = arena.region(scratchBytes);
  const ascending = times.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [lowest, highest] = [(ascending[0] ?? 0n) - loose, (ascending.at(-1) ?? 0n) + loose];
  return arena.run(
    (kernel) => kernel.sortByTime(order, offsets, timesAt, times.length, lowest, highest, scratch),
    [[scratch, scratchBytes]],
  );
}

function shuffled(random: Random, length: number): number[] {
  const order = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

describe("sortByTime", () => {
  test("equals a stable sort for every width of the span", () => {
    const random = new Random(3);
    for (let spanBits = 0; spanBits <= 64; spanBits++) {
      const span = (1n << BigInt(spanBits)) - 1n;
      const origin = spanBits === 64 ? i64Min : -(span >> 1n);
      const times = Array.from({ length: 300 }, () => origin + (random.u64() % (span + 1n)));
      sort([...times, origin, origin + span, origin]);
    }
  });

  test("equals a stable sort for few and for many rows, with many equal times", () => {
    const times = fc.array(fc.bigInt({ min: -3n, max: 300n }), { maxLength: 200 });
    fc.assert(fc.property(times, (each) => void sort(each)));
    const random = new Random(4);
    const dayMs = 86_400_000;
    for (const span of [5, 1000, 3 * 3_600_000, dayMs, 4_000_000_000]) {
      const start = 1_700_000_000_000n;
      sort(Array.from({ length: longLength }, () => start + BigInt(random.below(span))));
    }
  });

  test("as many rows as a segment may have, all but one of them of one moment", () => {
    for (const [most, last] of [
      [7n, 6n],
      [7n, -200_000n],
    ] as const) {
      const times = new Array<bigint>(65_536).fill(most);
      sort([...times.slice(1), last]);
      sort([...times.slice(2), last, most], 1000n);
    }
  });

  test("equals a stable sort for every width of the span, at the rows that a segment may have", () => {
    const random = new Random(5);
    for (let spanBits = 1; spanBits <= 29; spanBits++) {
      const span = 2n ** BigInt(spanBits) - 1n;
      for (const length of [1024, 4095, 4096, 5000]) {
        const lowest = random.pick([0n, -span / 2n, i64Min, i64Max - span, 1_700_000_000_000n]);
        const times = Array.from({ length }, () => lowest + (random.u64() % (span + 1n)));
        times[random.below(length - 1)] = lowest + span;
        times[length - 1] = lowest;
        sort(times);
      }
    }
  });

  test("equals a stable sort for a full segment, nearly sorted or not, and for a row more", () => {
    const random = new Random(6);
    for (const length of [65_535, 65_536, 65_537]) {
      for (const spanBits of [1, 16, 18, 19, 22, 24, 25, 28, 29]) {
        const span = 2 ** spanBits;
        const jitter = random.pick([span, span / 64]);
        const nearly = Array.from({ length }, (_, i) => {
          const time = Math.floor((i / length) * span) + random.below(Math.ceil(jitter));
          return 1_700_000_000_000n + BigInt(Math.min(time, span - 1));
        });
        sort(nearly);
      }
    }
    // As many moments as are counted one by one, and one more.
    for (const span of [6 * 65_536 - 1, 6 * 65_536]) {
      const times = Array.from({ length: 65_534 }, () => BigInt(random.below(span)) - 9n);
      sort([...times, BigInt(span) - 9n, -9n]);
    }
    sort([...Array.from({ length: 65_535 }, (_, i) => BigInt(i)), 0n]);
  });

  test("says when times ascend already, and only then", () => {
    expect(sort([])).toBe(1);
    expect(sort([5n])).toBe(1);
    expect(sort([i64Min, 5n, 5n, i64Max])).toBe(1);
    expect(sort([5n, 4n])).toBe(0);
    expect(sort([i64Max, i64Min])).toBe(0);
    expect(sort([1n, 2n, 3n, 2n])).toBe(0);
    for (const length of [16, 17, 32, 33, 40]) {
      const rising = Array.from({ length }, (_, i) => BigInt(i) - 20n);
      expect(sort(rising)).toBe(1);
      for (let row = 1; row < length; row++) {
        expect(sort(rising.with(row, rising[row - 1]! - 1n))).toBe(0);
        expect(sort(rising.with(row, rising[row - 1]!))).toBe(1);
      }
    }
  });
});

/** Rows in any order; 0: as they are. */
function randomOrder(random: Random, length: number): number {
  return random.below(2) === 0 ? 0 : arena.u32s(shuffled(random, length));
}

describe("permute", () => {
  test("integers narrow from their base in the given order, missing ones as 0", () => {
    checkCases((each) => {
      const random = seeded(each);
      const from = each.width === 8 ? 8 : random.pick([4, 8] as const);
      const bases = from === 4 ? [0n, 5n] : [0n, -70n, i64Min, i64Max - 2n ** 32n];
      const base = each.width === 8 ? 0n : random.pick(bases);
      const stored = randomValues(random, each.length, each.width, each.spread);
      arena.clear();
      const present = randomPresent(arena, random, each);
      const whole = stored.map((value) => value + base);
      const values = arena.values(
        from,
        from === 4 ? whole.map((value) => BigInt.asUintN(32, value)) : whole,
      );
      const order = randomOrder(random, each.length);
      const address = arena.region(each.length * each.width);
      arena.run((kernel) =>
        kernel.permuteInts(
          ...([{ address, width: each.width }, values, present, order] as const),
          ...([each.length, base] as const),
        ),
      );
    });
  });

  test("codes narrow in the given order", () => {
    checkCases((each) => {
      const random = seeded(each);
      const width = each.width === 8 ? 4 : each.width;
      const stored = randomValues(random, each.length, width, each.spread);
      const codes = arena.clear().values(4, stored).address;
      const order = randomOrder(random, each.length);
      const address = arena.region(each.length * each.width);
      arena.run((kernel) =>
        kernel.permuteCodes({ address, width: each.width }, codes, order, each.length),
      );
    });
  });

  test("bits follow the order, the last word's rest is 0", () => {
    checkCases((each) => {
      const random = seeded(each);
      // Bits past the last row are anything.
      const bitmap = arena.clear().region(Math.ceil(each.length / 64) * 8);
      const order = randomOrder(random, each.length);
      const out = arena.region(Math.ceil(each.length / 64) * 8);
      arena.run((kernel) => kernel.permuteBits(out, bitmap, order, each.length));
    });
  });
});

describe("findRange", () => {
  function findRangeOf(stored: readonly bigint[]): void {
    const values = arena.clear().i64s(stored);
    const out = arena.region(16);
    arena.run((kernel) => kernel.findRange(out, values, 0, stored.length));
  }

  test("equals the twin, missing values left out", () => {
    checkCases((each) => {
      const random = seeded(each);
      const stored = randomValues(random, each.length, 8, each.spread);
      const values = arena.clear().i64s(stored);
      const present = randomPresent(arena, random, each);
      const out = arena.region(16);
      arena.run((kernel) => kernel.findRange(out, values, present, each.length));
    });
  });

  test("values of one upper half lie in the order of their lower ones, without sign", () => {
    const lows = [0n, 5n, 2n ** 31n - 1n, 2n ** 31n, 3_000_000_000n, 2n ** 32n - 1n];
    for (const upper of [0n, -1n, 7n, 2n ** 31n - 1n, -(2n ** 31n)]) {
      for (const [i, low] of lows.entries()) {
        const stored = Array.from(
          { length: 130 },
          (_, row) => (upper << 32n) + (row % 2 === 0 ? low : lows[(row + i) % lows.length]!),
        );
        findRangeOf(stored);
      }
    }
  });

  test("values of one upper half in every other row only", () => {
    for (const [one, ...others] of [
      [7n, 2n ** 32n + 1n, 5n, -1n],
      [7n, 2n ** 32n + 1n, 5n],
      [-7n, -1n, 5n],
    ] as const) {
      const other = (row: number) => others[(row >> 1) % others.length]!;
      for (const odd of [0, 1]) {
        findRangeOf(Array.from({ length: 128 }, (_, row) => (row % 2 === odd ? one : other(row))));
      }
    }
  });

  test("of nothing is the widest turned around", () => {
    const values = arena.clear().i64s([1n, 2n]);
    const present = arena.bitmap(2, () => false);
    const out = arena.region(16);
    arena.run((kernel) => kernel.findRange(out, values, present, 2));
    expect([...new BigInt64Array(arena.read(out, 16).buffer)]).toEqual([i64Max, i64Min]);
  });
});

describe("takeTimes", () => {
  function take(times: readonly number[]): void {
    const at = arena.clear().bytes(new Uint8Array(Float64Array.from(times).buffer));
    const out = arena.region(16);
    arena.run((kernel) => kernel.takeTimes(out, at, times.length));
  }

  test("equals the twin, before 1970 and beyond 9999, of even and odd counts", () => {
    const random = new Random(5);
    for (const length of [0, 1, 2, 3, 64, 65]) {
      for (const bits of [1, 20, 41, 48, 51, 52, 53]) {
        const span = 2 ** bits;
        const one = () => Math.floor((random.below(2 ** 30) / 2 ** 30 - 0.5) * 2 * span);
        take(Array.from({ length }, one));
        take([...Array.from({ length }, one), span, 1 - span]);
        take([-span, ...Array.from({ length }, one)]);
        // Far ones on one side only.
        take([1, span - 1, 3, span - 3]);
        take([1 - span, 1, 3 - span, 3]);
      }
    }
  });
});
