import fc from "fast-check";
import { expect, test } from "vitest";
import { spreadParts } from "./sampledWeights.js";

const rowCount = 65_536;

test("S83: neighbouring rows are counted about right by a sample, wherever they are", () => {
  const burst = fc.tuple(fc.integer({ min: 2_048, max: rowCount }), fc.nat(), fc.nat());
  fc.assert(
    fc.property(burst, fc.constantFrom(0, 4_096), ([length, place, seed], start) => {
      const rows = { start, count: rowCount, rows: 0 };
      const { parts, scale } = spreadParts(rows, length, 0, seed);
      const first = start + (place % (rowCount - length + 1));
      let met = 0;
      let end = start;
      for (const part of parts) {
        // One after the other, and none beyond the set.
        expect(part.start).toBeGreaterThanOrEqual(end);
        end = part.start + part.count;
        met += Math.max(0, Math.min(end, first + length) - Math.max(part.start, first));
      }
      expect(end).toBeLessThanOrEqual(start + rowCount);
      expect(met * scale).toBeGreaterThan(0.4 * length);
      expect(met * scale).toBeLessThan(1.6 * length);
    }),
    { numRuns: 1_000 },
  );
});

test("of a few rows, and where groups share them, all are read; of a list its places count", () => {
  const rows = { start: 0, count: 5_000, rows: 8_192 };
  expect(spreadParts(rows, 2_047, 0, 3)).toEqual({ parts: [rows], scale: 1 });
  expect(spreadParts(rows, 5_000, 64, 3)).toEqual({ parts: [rows], scale: 1 });
  const { parts, scale } = spreadParts(rows, 5_000, 0, 1);
  expect(scale).toBe(4);
  expect(parts[0]).toEqual({ start: 0, count: 20, rows: 8_192 + 20 * 4 });
  expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(1_260);
});
