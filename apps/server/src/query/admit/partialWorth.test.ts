import { describe, expect, test } from "vitest";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { answerOfLeaf } from "../../tree/testing/answerOfLeaf.js";
import { isPartialWorth } from "./partialWorth.js";

/** It takes about 5 ms to finish. */
const partial: PartialResult = {
  sides: [
    {
      ...{ groupCount: 1, keys: [], groupsCut: 0 },
      states: [{ kind: "count", values: new Float64Array(400_000) }],
    },
  ],
  sample: null,
};

function isWorth(shares: Readonly<Record<string, number>>, elapsedMs: number, waitedMs = 0) {
  const expected = new Map([
    ["a", 1_000],
    ["b", 1_000],
    ["large", 4_000],
  ]);
  const answers = Object.entries(shares).map(([leafId, share]) =>
    answerOfLeaf(leafId, { partial, share, rows: 2_000 }),
  );
  return isPartialWorth({ answers, expected }, elapsedMs, waitedMs);
}

describe("a partial answer is worth it", () => {
  test("while a leaf that has sent something is far from done", () => {
    expect(isWorth({ a: 1, b: 1, large: 0.2 }, 100)).toBe(true);
    expect(isWorth({ a: 1, b: 1, large: 0.95 }, 100)).toBe(false);
  });

  test("while a leaf whose rows no one has counted is far from done", () => {
    expect(isWorth({ a: 1, b: 1, large: 1, unknown: 0.2 }, 100)).toBe(true);
    expect(isWorth({ a: 1, b: 1, large: 1, unknown: 0.95 }, 100)).toBe(false);
  });

  test("while a leaf that is silent has more to do than the others have done", () => {
    expect(isWorth({ a: 1, b: 1 }, 100)).toBe(true);
    expect(isWorth({ large: 1 }, 100)).toBe(false);
  });

  test("once nothing has come for a while", () => {
    expect(isWorth({ large: 1 }, 100, 20)).toBe(false);
    expect(isWorth({ large: 1 }, 200, 100)).toBe(true);
  });

  test("when no one has done anything yet", () => expect(isWorth({}, 1)).toBe(true));
});
