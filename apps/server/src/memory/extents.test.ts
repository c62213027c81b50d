import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Extents } from "./extents.js";

type Step = { readonly allocate: number } | { readonly release: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ allocate: fc.integer({ min: 0, max: 3_000 }) }),
  fc.record({ release: fc.nat() }),
);

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

  test("says when there is no room, and what is no extent", () => {
    const extents = new Extents(0, 1_024);
    expect(extents.allocate(2_000)).toBeNull();
    expect(() => extents.release(64)).toThrow(/no extent/);
  });
});
