import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Extents } from "./extents.js";

type Step = { readonly allocate: number } | { readonly release: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ allocate: fc.integer({ min: 0, max: 3_000 }) }),
  fc.record({ release: fc.nat() }),
);

/** A call takes fewer arguments than there are gaps. */
function chunkMaxima(values: readonly number[]): number[] {
  const maxima: number[] = [];
  for (let i = 0; i < values.length; i += 1_000)
    maxima.push(Math.max(...values.slice(i, i + 1_000)));
  return maxima;
}

describe("extents", () => {
  test("never overlap, stay within bounds, and all bytes come back", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const extents = new Extents(100, 40_000);
        const held: { address: number; bytes: number }[] = [];
        for (const one of steps) {
          if ("release" in one) {
            const [given] = held.splice(one.release % Math.max(1, held.length), 1);
            if (given !== undefined) extents.release(given.address);
            continue;
          }
          const address = extents.allocate(one.allocate);
          if (address === null) continue;
          const bytes = extents.bytesOf(address);
          expect(address % 64).toBe(0);
          expect(bytes).toBeGreaterThanOrEqual(one.allocate + 16);
          expect(address).toBeGreaterThanOrEqual(100);
          expect(address + bytes).toBeLessThanOrEqual(40_000);
          for (const other of held) {
            expect(address + bytes <= other.address || other.address + other.bytes <= address).toBe(
              true,
            );
          }
          held.push({ address, bytes });
        }
        expect(extents.usedBytes).toBe(held.reduce((sum, { bytes }) => sum + bytes, 0));
        for (const { address } of held) extents.release(address);
        // Joined again: the whole room is one extent.
        expect(extents.allocate(extents.totalBytes - 64)).not.toBeNull();
      }),
    );
  });

  test("20,000 extents in any order: the largest free run is what lies between them, and equal work leaves equal room", () => {
    const room = 128 * 2 ** 20;
    const extents = new Extents(0, room);
    // A seeded walk; sizes as of columns: many small, few large.
    let seed = 7;
    const next = (max: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % max;
    };
    const held: number[] = [];
    const fill = (): void => {
      while (held.length < 20_000) {
        const address = extents.allocate(64 * 2 ** next(7));
        if (address === null) throw new Error("there is room for all of them");
        held.push(address);
      }
    };
    const largest: number[] = [];
    for (let round = 0; round < 4; round++) {
      fill();
      expect(extents.count).toBe(20_000);
      largest.push(extents.largestFreeBytes);
      const sorted = held.toSorted((a, b) => a - b);
      const gaps = sorted.map((at, i) => (sorted[i + 1] ?? room) - at - extents.bytesOf(at));
      expect(extents.largestFreeBytes).toBe(Math.max(sorted[0]!, ...chunkMaxima(gaps)));
      for (let i = 0; i < 10_000; i++) {
        const at = next(held.length);
        extents.release(held[at]!);
        held[at] = held.at(-1)!;
        held.pop();
      }
    }
    // Fragments do not pile up: what is free at the far end stays whole.
    expect(largest.at(-1)).toBeGreaterThan(largest[0]! * 0.9);
    for (const address of held) extents.release(address);
    expect(extents.largestFreeBytes).toBe(extents.totalBytes);
  });

  test("says when there is no room, and what is no extent", () => {
    const extents = new Extents(0, 1_024);
    expect(extents.allocate(2_000)).toBeNull();
    expect(() => extents.release(64)).toThrow(/no extent/);
  });
});
