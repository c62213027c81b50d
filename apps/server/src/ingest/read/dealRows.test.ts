import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allShares,
  partId,
  rangeOfPart,
  rowsInRange,
  shareOfRows,
  sharesPerBatch,
} from "./dealRows.js";

/**
 * Chi-square beyond which 64 even cells lie once in 100,000 times: 63 + 4.265 · √126 and a little.
 */
const chiSquareMax = 118;

const chiSquare = (counts: readonly number[]): number => {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
};

describe("shares of rows", () => {
  it("are the same for the same seed, and others for another", () => {
    expect(shareOfRows(1_000, "key/0")).toEqual(shareOfRows(1_000, "key/0"));
    expect(shareOfRows(1_000, "key/0")).not.toEqual(shareOfRows(1_000, "key/1"));
  });

  it("are even in every 64 neighbours", () => {
    const shares = shareOfRows(6_400, "k/0");
    for (let row = 0; row < shares.length; row += sharesPerBatch)
      expect(new Set(shares.subarray(row, row + sharesPerBatch)).size).toBe(sharesPerBatch);
  });

  it.each([2, 3, 8, 60, 64, 128])("do not follow values that repeat every %d rows", (period) => {
    const shares = shareOfRows(65_536, "k/0");
    const counts = new Array<number>(sharesPerBatch).fill(0);
    for (let row = 1; row < shares.length; row += period) counts[shares[row]!]!++;
    expect(chiSquare(counts)).toBeLessThan(chiSquareMax);
  });

  it("do not give the same row of every body to the same leaf", () => {
    const counts = new Array<number>(sharesPerBatch).fill(0);
    for (let body = 0; body < 10_000; body++) counts[shareOfRows(10, `key-${body}/0`)[3]!]!++;
    expect(chiSquare(counts)).toBeLessThan(chiSquareMax);
  });

  it("in ranges contain every row once", () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 63 }), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, fc.nat(500), fc.string(), (inner, rowCount, seed) => {
        const edges = [0, ...inner.sort((a, b) => a - b), sharesPerBatch];
        const shares = shareOfRows(rowCount, seed);
        const rows = edges
          .slice(1)
          .flatMap((end, i) => [...rowsInRange(shares, { first: edges[i]!, end })]);
        expect(rows.sort((a, b) => a - b)).toEqual([...shares.keys()]);
      }),
    );
  });
});

describe("ids of parts", () => {
  it("name the shares that they contain", () => {
    expect(partId("k/0", allShares)).toBe("k/0");
    expect(partId("k/0", { first: 0, end: 32 })).toBe("k/0/0-32");
    expect(rangeOfPart("k/0", "k/0")).toEqual(allShares);
    expect(rangeOfPart("k/0", "k/0/32-64")).toEqual({ first: 32, end: 64 });
    for (const other of ["k/1", "k/10", "k/1/0-32", "k/0/x", "k/0/1-2-3", "k"])
      expect(rangeOfPart("k/0", other)).toBeNull();
  });
});
