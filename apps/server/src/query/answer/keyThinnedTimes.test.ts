import { expect, test } from "vitest";
import type { TimeSpan } from "../../base/row/timeSpan.js";
import { keyThinnedTimes } from "./keyThinnedTimes.js";

type Answers = Parameters<typeof keyThinnedTimes>[0];

/** Nodes with the times of their leaves; null: none of the leaf's rows was thinned so. */
const answersOf = (...nodes: readonly (readonly (TimeSpan | null)[])[]): Answers =>
  nodes.map((spans) => ({
    leaves: spans.map((span) => ({ stats: span === null ? {} : { thinnedByKey: span } })),
  })) as unknown as Answers;

test("times of all leaves of all nodes are covered, in any order", () => {
  expect(keyThinnedTimes(answersOf([null], []))).toBeNull();
  const spans: readonly (TimeSpan | null)[] = [[20, 30], null, [5, 8], [25, 60]];
  for (let from = 0; from < spans.length; from++) {
    const [first, ...others] = [...spans.slice(from), ...spans.slice(0, from)];
    expect(keyThinnedTimes(answersOf([first!], others))).toEqual([5, 60]);
  }
});
