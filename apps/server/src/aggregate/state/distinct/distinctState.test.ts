import fc from "fast-check";
import { expect, test } from "vitest";
import type { StateColumn } from "../../partial/partialResult.js";
import { elementsToRegisters, foldRegisters, registerBitsFor } from "./distinctForms.js";
import { distinctInterval, distinctOf, distinctState } from "./distinctState.js";

type Distinct = Extract<StateColumn, { kind: "distinct" }>;
type Elements = Extract<Distinct, { form: "elements" }>;

function elementsOf(sets: readonly (readonly bigint[])[]): Elements {
  const unique = sets.map((values) => [...new Set(values)]);
  const offsets = new Uint32Array(sets.length + 1);
  for (const [i, { length }] of unique.entries()) offsets[i + 1] = offsets[i]! + length;
  const words = unique.flat().flatMap((value) => {
    const element = BigInt.asUintN(64, value);
    return [Number(element & 0xffff_ffffn), Number(element >> 32n)];
  });
  return { kind: "distinct", form: "elements", offsets, elements: Uint32Array.from(words) };
}

function bitmapsOf(sets: readonly (readonly bigint[])[], base: bigint): Distinct {
  const perGroup = 8;
  const words = new Uint32Array(sets.length * perGroup);
  for (const [group, values] of sets.entries()) {
    for (const value of values) {
      const bit = Number(value - base);
      words[group * perGroup + (bit >> 5)]! |= 1 << (bit & 31);
    }
  }
  return { kind: "distinct", form: "bitmaps", base, groupBits: perGroup * 32, words };
}

const block = fc.tuple(
  fc.constantFrom(-(2n ** 63n), -128n, 0n, 64n, 2n ** 32n - 128n, 2n ** 40n),
  fc.array(fc.array(fc.bigInt(0n, 255n), { maxLength: 30 }), { minLength: 2, maxLength: 2 }),
  fc.boolean(),
);

test("sets of several senders merge to what they hold together, in whatever form they come", () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
      const inputs = blocks.map(([base, bits, asBitmaps]) => {
        const sets = bits.map((list) => list.map((bit) => base + bit));
        return { sets, column: asBitmaps ? bitmapsOf(sets, base) : elementsOf(sets) };
      });
      const groups = Int32Array.of(1, 0);
      const merged = distinctState.merge(
        inputs.map(({ column }) => ({ column, groups })),
        2,
      );
      for (const group of [0, 1]) {
        const all = new Set(inputs.flatMap(({ sets }) => sets[1 - group]!));
        expect(distinctOf(merged, group)).toBe(all.size);
      }
      const swapped = distinctState.take(merged, Uint32Array.of(1, 0));
      expect(distinctOf(swapped, 0)).toBe(distinctOf(merged, 1));
    }),
  );
});

test.each([10, 1_000, 100_000, 400_000])("%d values are estimated within the interval", (count) => {
  const values = Array.from({ length: count }, (_, i) => BigInt(i) * 7n);
  const registers = elementsToRegisters(elementsOf([values]), 1, registerBitsFor(1));
  const found = distinctOf(registers, 0);
  const [low, high] = distinctInterval(registers, found) ?? [0, 0];
  expect(low).toBeLessThanOrEqual(count);
  expect(high).toBeGreaterThanOrEqual(count);
  // Fewer registers, as if there had never been more.
  const few = elementsToRegisters(elementsOf([values]), 1, 6);
  expect(foldRegisters(registers, 1, 6)).toEqual(few);
});

test("a sender of registers that has none of the groups does not make the others' counts estimates", () => {
  const many = elementsOf([Array.from({ length: 5_000 }, (_, i) => BigInt(i) * 1_000_003n)]);
  const registers = elementsToRegisters(elementsOf([[5n]]), 1, 4);
  const none = distinctState.take(registers, new Uint32Array(0));
  const merged = distinctState.merge(
    [
      { column: none, groups: new Int32Array(0) },
      { column: many, groups: Int32Array.of(0) },
    ],
    1,
  );
  expect(distinctOf(merged, 0)).toBe(5_000);
  expect(distinctInterval(merged, 0)).toBeNull();
});
