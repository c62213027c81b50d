import fc from "fast-check";
import { expect, test } from "vitest";
import { sortSteps } from "./sortSteps.js";
import { atOnce } from "./steps.js";

test("sorts as the engine does, and leaves what is equal in its order", () => {
  const lengths = fc.constantFrom(0, 1, 2_047, 2_048, 2_049, 5_000, 10_001);
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 1_000 }), (length, distinct) => {
      const keys = Array.from({ length }, (_, i) => Math.imul(i, 0x9e3779b1) % distinct);
      const compare = (a: number, b: number): number => keys[a]! - keys[b]!;
      const sorted = atOnce(sortSteps(Uint32Array.from(keys.keys()), compare));
      expect([...sorted]).toEqual([...keys.keys()].sort(compare));
    }),
  );
});
