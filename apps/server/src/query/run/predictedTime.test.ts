import { expect, test } from "vitest";
import { countRequests } from "../../plan/testing/countRequests.js";
import { QueryTimings } from "../../planner/queryTimings.js";
import type { PartAnswer } from "../../tree/partAnswer.js";
import { answerOfLeaf } from "../../tree/testing/answerOfLeaf.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { type MeasuredRun, withPredictedMs } from "./predictedTime.js";

const answer = (parts: Partial<PartAnswer>, rows = 1_000): PartAnswer => {
  const partial = { sides: [{ groupCount: 1, keys: [], states: [], groupsCut: 0 }], sample: null };
  const times = { workMs: 10, waitMs: 12, decodeMs: 0.5 };
  return { ...answerOfLeaf("a", { rows, partial }), ...times, ...parts };
};

const answered = (
  answers: readonly PartAnswer[],
  missing: readonly string[] = [],
): TreeAnswers => ({
  ...{
    expected: new Map(),
    expectedOfSides: [new Map()],
    answers,
    snapshot: {},
    failures: new Map(),
    asked: [],
  },
  completeness: { fraction: 1, leaves: { answered: answers.length, total: 2, missing } },
});

const run = (parts: Partial<MeasuredRun> = {}): MeasuredRun => ({
  answered: answered([answer({}), answer({ partId: "b", workMs: 8, waitMs: 13 })]),
  ...{ gatherMs: 13, mergeMs: 1, hasWaited: false, isShared: false },
  ...parts,
});

const result = (elapsedMs: number) => ({
  ...{ columns: [], rows: [], intervals: {}, asOf: 1, final: true, truncated: null },
  completeness: answered([]).completeness,
  stats: { rowsMatched: 0, cache: "miss", elapsedMs, scanMs: 0, mergeMs: 0 } as const,
});

function asking(machines = 1) {
  const timings = new QueryTimings();
  const treeSize = () => ({ machines, leaves: 2, fanOut: 5 });
  return {
    timings,
    ask: (measured: MeasuredRun, elapsedMs = 15) =>
      withPredictedMs(result(elapsedMs), countRequests, measured, { timings, treeSize }).stats
        .predictedMs,
  };
}

test("the first query has no predicted time; the next one like it has the measured one", () => {
  const { ask } = asking();
  expect(ask(run())).toBeUndefined();
  // The leaves 13 without reading, reading twice 0.5 and merging 1, the root 15 − 13 − 1.
  expect(ask(run())).toBe(12 + 2 + 1);
});

test("what a tree adds above the machines is no time of a leaf", () => {
  const { ask, timings } = asking(2);
  ask(run());
  // One level: a way of 2 and, on each machine, two leaves merged in 1 each.
  expect(timings.costsOfKind("scan")?.scan.perUnitMs).toBeCloseTo((12 - 2 - 2) / 1_000, 9);
  expect(ask(run())).toBe(8 + 2 + 4 + 1);
});

test("a cluster without machines predicts without its tree, and refuses nothing", () => {
  const { ask } = asking(0);
  ask(run());
  expect(ask(run())).toBe(15);
});

test("twice the rows take the leaf twice as long", () => {
  const { ask } = asking();
  ask(run());
  const larger = answered([answer({}, 2_000), answer({ partId: "b" }, 2_000)]);
  expect(ask(run({ answered: larger }))).toBe(2 * 12 + 2 + 1);
});

test.each<[string, Partial<MeasuredRun>]>([
  ["an answer without a leaf", { answered: answered([answer({})], ["b"]) }],
  ["an answer of a part", { answered: answered([answer({ done: false })]) }],
  ["a scan that others share", { isShared: true }],
])("nothing is learned from %s", (_, parts) => {
  const { ask, timings } = asking();
  ask(run(parts));
  expect(timings.costsOfKind("scan")).toBeNull();
});

test("predicted times are compared with measured ones, but not of queries that waited or shared", () => {
  const { ask, timings } = asking();
  ask(run());
  ask(run({ hasWaited: true }), 900);
  ask(run({ isShared: true }), 900);
  expect(timings.accuracyOfKind("scan")).toBeNull();
  ask(run(), 30);
  expect(timings.accuracyOfKind("scan")).toEqual({ queries: 1, median: 2, low: 2, high: 2 });
});

test("the time of a query that waited for its turn is not the root's", () => {
  const { ask, timings } = asking();
  ask(run({ hasWaited: true }), 5_000);
  expect(timings.costsOfKind("scan")).toMatchObject({
    root: { fixedMs: 0, perUnitMs: 0 },
    queries: 1,
  });
});
