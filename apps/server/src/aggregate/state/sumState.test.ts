import { expect, test } from "vitest";
import { averageOf, exactSumOf, floatSumOf, sumState } from "./sumState.js";

const sumOf = (hi: number, lo = 0) => ({
  ...{ kind: "sum" as const, hi: Float64Array.of(hi), lo: Float64Array.of(lo) },
  weights: Float64Array.of(3),
});

test("from 2^53 on a high word may have been rounded: such a sum is unknown", () => {
  const largest = 2 ** 53 - 1;
  expect(exactSumOf(sumOf(-largest, 5), 0)).toBe(-BigInt(largest) * 2n ** 32n + 5n);
  expect(averageOf(sumOf(largest), 0)).toBe((largest * 2 ** 32) / 3);
  for (const hi of [2 ** 53, -(2 ** 53)]) {
    expect(exactSumOf(sumOf(hi), 0)).toBe("overflow");
    expect(floatSumOf(sumOf(hi), 0)).toBe("overflow");
    expect(averageOf(sumOf(hi), 0)).toBe("overflow");
  }
  const groups = Int32Array.of(0);
  const merged = sumState.merge(
    [
      { column: sumOf(largest), groups },
      { column: sumOf(1), groups },
      { column: sumOf(-1), groups },
    ],
    1,
  );
  expect(exactSumOf(merged, 0)).toBe("overflow");
});
