import { expect, test } from "vitest";
import { LeafMinutes } from "../../aggregate/estimate/leafMinutes.js";
import type { ResolvedSide } from "../../plan/query/resolvedQuery.js";
import { addSides, countCompleteness } from "../../tree/countCompleteness.js";
import type { PartAnswer } from "../../tree/partAnswer.js";
import { answerOfLeaf } from "../../tree/testing/answerOfLeaf.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { evidenceOf } from "./evidenceOf.js";
import { sizesOfSides } from "./sizesOfSides.js";

const hour = 3_600_000;

const hours = [1, 0].map((at) => ({ fromMs: at * hour, toMs: (at + 1) * hour }) as ResolvedSide);

const rowsOf = (...rows: readonly number[]): ReadonlyMap<string, number> =>
  new Map(rows.map((count, leaf) => [`leaf-${leaf}`, count]));

/** `held`: rows of each leaf that answered; null: it has answered in part. */
function answersOf(
  sides: readonly ReadonlyMap<string, number>[],
  held: readonly (number | null)[],
): TreeAnswers {
  const expected = addSides(sides);
  const answers = held.map((rowsHeld, leaf): PartAnswer => {
    return answerOfLeaf(`leaf-${leaf}`, { rows: rowsHeld ?? 10, done: rowsHeld !== null });
  });
  const shares = answers.flatMap(({ leaves }) => leaves);
  return {
    ...{ expected, expectedOfSides: sides, answers, snapshot: {}, failures: new Map(), asked: [] },
    completeness: countCompleteness([...expected.keys()], expected, shares),
  };
}

const evidence = (answers: TreeAnswers) =>
  evidenceOf(
    answers,
    answers.answers.map(({ partId, partial, done }) => ({ partId, partial, done })),
    {
      final: true,
      sizesOf: sizesOfSides(
        answers,
        { sides: hours },
        (side) =>
          new Map(
            [...answers.expectedOfSides[side]!].map(([leafId, count]) => {
              // The sides lie an hour apart.
              const minutes = { minutes: [60 * (1 - side)], counts: [count] };
              return [leafId, new LeafMinutes(minutes)] as const;
            }),
          ),
      ),
    },
  );

/** Rows of leaves in the two hours of the sides. */
const sizesOf = (answers: TreeAnswers) => {
  const found = evidence(answers);
  if (found.kind !== "leaves") throw new Error(found.kind);
  return found.sizes.map((ofSide, side) => ofSide.of((1 - side) * hour, (2 - side) * hour));
};

test("missing rows are counted for each side: a leaf that joined this week had none last week", () => {
  const sides = [rowsOf(100, 120, 90), rowsOf(150, 160, 0)];
  expect(sizesOf(answersOf(sides, [250, 280]))).toEqual([
    { answered: [100, 120], missing: 90, haveSameTimes: true },
    { answered: [150, 160], missing: 0, haveSameTimes: true },
  ]);
});

test("a leaf that is not done counts as missing", () => {
  const answers = answersOf([rowsOf(100, 120, 90)], [100, 120, null]);
  expect(evidence(answers)).toMatchObject({ mergesUnfinished: true });
  expect(sizesOf(answers)).toMatchObject([{ answered: [100, 120], missing: 90 }]);
});

test("nothing is missing where all rows have answered, even if a leaf without rows has not", () => {
  expect(evidence(answersOf([rowsOf(100, 120)], [100, 120]))).toEqual({ kind: "whole" });
  expect(evidence(answersOf([rowsOf(100, 120, 0)], [100, 120]))).toEqual({ kind: "whole" });
});

test("it is unknown which rows a leaf has lost", () => {
  expect(evidence(answersOf([rowsOf(100, 120)], [100, 119]))).toEqual({ kind: "unknown" });
});
