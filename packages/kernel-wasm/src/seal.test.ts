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
} from "./testing/columns.js";
import { Random } from "./testing/random.js";
import { TwinArena } from "./testing/twinArena.js";

const arena = new TwinArena();

function sort(times: readonly bigint[]): number {
  const timesAt = arena.clear().i64s(times);
  const order = arena.region(times.length * 4);
  const scratchBytes = times.length * 16 + 4096;
  const scratch = arena.region(scratchBytes);
  return arena.run(
    (kernel) => kernel.sortByTime(order, timesAt, times.length, scratch),
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

  test("says when times ascend already, and only then", () => {
    expect(sort([])).toBe(1);
    expect(sort([5n])).toBe(1);
    expect(sort([i64Min, 5n, 5n, i64Max])).toBe(1);
    expect(sort([5n, 4n])).toBe(0);
    expect(sort([i64Max, i64Min])).toBe(0);
    expect(sort([1n, 2n, 3n, 2n])).toBe(0);
  });
});

describe("permute", () => {
  test("integers narrow from their base in the given order, missing ones as 0", () => {
    checkCases((each) => {
      const random = seeded(each);
      const base = each.width === 8 ? 0n : random.pick([0n, -70n, i64Min, i64Max - 2n ** 32n]);
      const stored = randomValues(random, each.length, each.width, each.spread);
      arena.clear();
      const present = randomPresent(arena, random, each);
      const values = arena.i64s(stored.map((value) => value + base));
      const order = arena.u32s(shuffled(random, each.length));
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
      const order = arena.u32s(shuffled(random, each.length));
      const address = arena.region(each.length * each.width);
      arena.run((kernel) =>
        kernel.permuteCodes({ address, width: each.width }, codes, order, each.length),
      );
    });
  });

  test("bits follow the order, the last word's rest is 0", () => {
    checkCases((each) => {
      const random = seeded(each);
      const bitmap = arena.clear().bitmap(each.length, () => random.below(3) === 0);
      const order = arena.u32s(shuffled(random, each.length));
      const out = arena.region(Math.ceil(each.length / 64) * 8);
      arena.run((kernel) => kernel.permuteBits(out, bitmap, order, each.length));
    });
  });
});

describe("findRange", () => {
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

  test("of nothing is the widest turned around", () => {
    const values = arena.clear().i64s([1n, 2n]);
    const present = arena.bitmap(2, () => false);
    const out = arena.region(16);
    arena.run((kernel) => kernel.findRange(out, values, present, 2));
    expect([...new BigInt64Array(arena.read(out, 16).buffer)]).toEqual([i64Max, i64Min]);
  });
});
