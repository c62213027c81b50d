import { expect, test } from "vitest";
import { answerOfLeaf } from "../../tree/testing/answerOfLeaf.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { PathClock } from "./pathClock.js";

function answers(...leaves: readonly (readonly [workMs: number, decodeMs: number])[]): TreeAnswers {
  return {
    expected: new Map(),
    expectedOfSides: [new Map()],
    answers: leaves.map(([workMs, decodeMs], i) => answerOfLeaf(`leaf-${i}`, { workMs, decodeMs })),
    completeness: {
      ...{ fraction: 1, rowsExpected: 0, rowsAnswered: 0 },
      leaves: { answered: leaves.length, total: leaves.length, missing: [] },
    },
    snapshot: {},
    failures: new Map(),
    asked: [],
  };
}

test("of the time for the leaves the slowest one's work and all reading counts, each time they are asked", async () => {
  let nowMs = 100;
  const path = new PathClock(() => nowMs);
  nowMs += 2;
  for (const waitedMs of [30, 20]) {
    const asked = answers([3, 1], [5, 0.5]);
    let answer = (_: TreeAnswers): void => {};
    const asking = path.leaves(() => {
      // Its frame wakes a leaf that is done before the other one is asked.
      nowMs += waitedMs / 2;
      return new Promise((resolve) => (answer = resolve));
    });
    nowMs += waitedMs / 2;
    answer(asked);
    expect(await asking).toBe(asked);
  }
  nowMs += 4;
  expect(path.elapsedMs).toBeCloseTo(2 + 2 * (5 + 1.5) + 4, 9);
});

test("work that overlaps is never more than the time it took", async () => {
  let nowMs = 0;
  const path = new PathClock(() => nowMs);
  const asking = path.leaves(() => Promise.resolve(answers([9, 2], [8, 2])));
  nowMs += 10;
  await asking;
  expect(path.elapsedMs).toBe(10);
});
