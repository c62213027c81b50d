import { expect, test } from "vitest";
import type { LeafReport } from "../cluster/treeProtocol.js";
import { countCompleteness } from "./countCompleteness.js";

const answerOf = (leafId: string, rowsHeld: number): LeafReport => ({
  leafId,
  done: true,
  stats: { rowsHeld, share: 1 } as LeafReport["stats"],
});

test("rows that only a hint has are missing beside those of the leaf that is silent", () => {
  // leaf-2 keeps a hint of 3 rows for leaf-1, and has got 3 rows that are not counted yet.
  const expected = new Map([
    ["leaf-1", 24],
    ["leaf-2", 10],
  ]);
  const { fraction, rowsAnswered } = countCompleteness(
    ["leaf-1", "leaf-2"],
    expected,
    [answerOf("leaf-2", 10)],
    3,
  );
  expect([rowsAnswered, fraction]).toEqual([7, 7 / 34]);
  const both = [answerOf("leaf-1", 24), answerOf("leaf-2", 10)];
  expect(countCompleteness(["leaf-1", "leaf-2"], expected, both, 3).rowsAnswered).toBe(31);
  expect(countCompleteness(["leaf-1", "leaf-2"], expected, both).fraction).toBe(1);
});
