import { describe, expect, test } from "vitest";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = new TwinArena();
/** A byte has this many codes beside none. */
const codedValuesMax = 255;
const codeWeightsBytes = 4096;

describe("S20 tables of values", () => {
  /** Distinct values by the width of codes: one byte's worth of a few is a case of its own. */
  const tableCounts = { 0: [1], 1: [1, 2, 15, 16, 17, 256], 2: [1000], 3: [1000], 4: [1000] };

  test("codes are looked up at every width", () => {
    const random = new Random(14);
    for (const codeWidth of [0, 1, 2, 3, 4] as const) {
      for (const width of [1, 2, 4, 8] as const) {
        for (const length of [0, 1, 7, 16, 33, 300]) {
          for (const count of tableCounts[codeWidth]) {
            const codes = Array.from({ length }, () => BigInt(random.below(count)));
            const stored = arena.clear().values(codeWidth, codes);
            const entries = Array.from({ length: count }, () =>
              width === 8
                ? BigInt.asIntN(64, random.u64())
                : BigInt.asUintN(width * 8, random.u64()),
            );
            const table = arena.values(width, entries).address;
            const out = { address: arena.region(length * width), width };
            arena.run((kernel) => kernel.lookUpCodes(out, stored, table, count, length));
          }
        }
      }
    }
  });

  test("the values that occur are listed in order, and numbered", () => {
    const random = new Random(15);
    for (const count of [1, 2, 15, 16, 17, 31, 32, 33, 300, 5000]) {
      for (const distinct of [1, 2, 40]) {
        const some = Array.from({ length: distinct }, () => random.below(count));
        const stored = Array.from({ length: 700 }, () => random.pick(some));
        stored[0] = count - 1;
        const values = arena.clear().u32s(stored);
        const marks = arena.region(count, 16);
        arena.write(marks, new Uint8Array(count));
        arena.run((kernel) => kernel.markValues(marks, values, stored.length));
        const codes = arena.region(count * 4);
        const table = arena.region(new Set(stored).size * 4);
        const listed = arena.run((kernel) => kernel.listMarked(table, codes, marks, count));
        const expected = [...new Set(stored)].sort((a, b) => a - b);
        expect(listed).toBe(expected.length);
        expect([...new Uint32Array(arena.read(table, listed * 4).buffer)]).toEqual(expected);
      }
    }
  });

  test("values are coded in order of arrival, whichever the rows' order, until there are too many", () => {
    const random = new Random(16);
    for (const distinct of [1, 2, 16, 17, codedValuesMax, codedValuesMax + 1]) {
      for (const length of [0, 1, 5, 128, 255, 1000]) {
        for (const [isOrdered, isMissing] of [0, 1, 2, 3].map((i) => [i & 1, i & 2] as const)) {
          const span = random.pick([distinct, 5000]);
          const width = random.pick([4, 8] as const);
          const base = random.pick(width === 4 ? [0n, 9n] : [0n, -7n, 2n ** 62n, -(2n ** 63n)]);
          const some = Array.from({ length: distinct }, (_, i) => (i * 7919) % span);
          // Of many rows all the values, the last one late.
          const offsets = Array.from({ length }, (_, i) =>
            i > length - distinct ? some[length - i]! : random.pick(some.slice(0, 3)),
          );
          const values = arena.clear().values(
            width,
            offsets.map((offset) => base + BigInt(offset)),
          );
          const rows = offsets.map((_, row) => row);
          rows.sort(() => random.below(3) - 1);
          const order = isOrdered ? arena.u32s(rows) : 0;
          const present = isMissing ? arena.bitmap(length, () => random.below(9) > 0) : 0;
          const codeOf = arena.region(span);
          arena.write(codeOf, new Uint8Array(span));
          const table = arena.region(codedValuesMax * 4);
          const out = arena.region(length);
          const occurring = new Set(offsets).size;
          arena.run(
            (kernel) => kernel.codeInts(out, values, present, order, length, base, codeOf, table),
            occurring > codedValuesMax
              ? [
                  [codeOf, span],
                  [table, codedValuesMax * 4],
                  [out, length],
                ]
              : [],
          );
        }
      }
    }
  });

  test("codes weigh what their rows do", () => {
    const random = new Random(17);
    for (const codeCount of [1, 4, 5, 15, 16, 17, 256]) {
      for (const length of [0, 3, 2047, 2048, 2049, 6000]) {
        for (const width of [0, 1, 2, 4] as const) {
          const isHeavy = random.below(2) === 0;
          const codes = Array.from({ length }, () => random.below(isHeavy ? 1 : codeCount));
          const at = arena.clear().bytes(Uint8Array.from(codes));
          const most = 2n ** BigInt(width * 8) - 1n;
          const weights = codes.map(() => (isHeavy ? most : random.u64() & most));
          const stored = width === 0 ? null : arena.values(width, weights);
          const sums = arena.region(codeWeightsBytes);
          arena.run(
            (kernel) => kernel.weighCodes(sums, at, codeCount, length, stored),
            [[sums + 1024, codeWeightsBytes - 1024]],
          );
        }
      }
    }
  });

  test("nothing marks nothing", () => {
    const marks = arena.clear().bytes(new Uint8Array(64));
    arena.run((kernel) => kernel.markValues(marks, 0, 0));
    expect(arena.run((kernel) => kernel.listMarked(0, 0, marks, 64))).toBe(0);
  });
});
