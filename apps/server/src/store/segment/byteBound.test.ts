import fc from "fast-check";
import { expect, test } from "vitest";
import type { Reduction } from "../../base/row/reduction.js";
import { atOnce } from "../../base/schedule/steps.js";
import { chooseRows } from "../upkeep/reduceSegment.js";
import { chooseCut } from "./byteBound.js";
import type { SealedSegment } from "./sealedSegment.js";
import type { TableContext } from "./tableContext.js";

const segmentOf = (
  maxMs: number,
  rowCount: number,
  bytes: number,
  lostColumns: readonly string[] = [],
): SealedSegment =>
  ({
    ...{ generation: maxMs, maxMs, rowCount, bytes },
    lostColumns: new Set(lostColumns),
  }) as unknown as SealedSegment;

test("the remaining rows are within five per cent below the bound; the oldest rows go first", () => {
  const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 65_536 }), fc.nat(60)), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(
      ...[sizes, fc.integer({ min: 1_048_576, max: 2e7 }), fc.nat(500_000), fc.nat(3e6)],
      (drawn, maxBytes, dictionaryBytes, grownBytes) => {
        const segments = drawn.map(([rows, per], i) => segmentOf(i, rows, rows * (per + 8)));
        const rowBytes = segments.reduce((sum, { bytes }) => sum + bytes, 0);
        const held = { rowBytes, dictionaryBytes, grownBytes };
        const { whole, edge } = chooseCut(segments, held, maxBytes);
        expect(whole.map(({ generation }) => generation)).toEqual(whole.map((_, i) => i));
        if (edge !== null) expect(edge.segment.generation).toBe(whole.length);
        const wholeBytes = whole.reduce((sum, { bytes }) => sum + bytes, 0);
        const cutShare = edge === null ? 0 : 1 - edge.keepNewest / edge.segment.rowCount;
        const left = rowBytes - wholeBytes - cutShare * (edge?.segment.bytes ?? 0);
        const bound = Math.max(maxBytes - dictionaryBytes, maxBytes / 2);
        expect(left).toBeLessThanOrEqual(bound);
        // One row of the edge is all that rounding takes.
        if (left < rowBytes) expect(left).toBeGreaterThan(bound - 0.05 * maxBytes);
      },
    ),
  );
});

test("a segment with lost values is not rewritten: it goes as a whole", () => {
  const segments = [segmentOf(1, 1_000, 500_000, ["n"]), segmentOf(2, 1_000, 600_000)];
  const held = { rowBytes: 1_100_000, dictionaryBytes: 0, grownBytes: 0 };
  expect(chooseCut(segments, held, 1_000_000)).toEqual({ whole: [segments[0]], edge: null });
  const whole = { generation: 1, rowCount: 10, lostColumns: new Set() } as unknown as SealedSegment;
  const choose = (segment: SealedSegment, reduction: Reduction) =>
    atOnce(chooseRows(segment, reduction, {} as TableContext));
  expect(choose(whole, { keepNewest: 4 })?.rows).toEqual(Uint32Array.of(6, 7, 8, 9));
  const damaged = { ...whole, lostColumns: new Set(["n"]) };
  expect(choose(damaged, { keepNewest: 4 })).toBeNull();
  expect(choose(damaged, { keepOneIn: 2 })).toBeNull();
});

test("nothing goes below the bound; room is kept for as many rows as arrived since the last look", () => {
  const segments = [segmentOf(1, 1_000, 500_000), segmentOf(2, 1_000, 490_000)];
  const held = { rowBytes: 990_000, dictionaryBytes: 0, grownBytes: 0 };
  expect(chooseCut(segments, held, 1_000_000)).toEqual({ whole: [], edge: null });
  const growing = { ...held, grownBytes: 25_000 };
  expect(chooseCut(segments, growing, 1_000_000).edge).toEqual({
    segment: segments[0],
    keepNewest: 940,
  });
});
