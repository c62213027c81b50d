import fc from "fast-check";
import { expect, test } from "vitest";
import type { PartAnswer } from "../partAnswer.js";
import { answerOfLeaf } from "../testing/answerOfLeaf.js";
import { chooseParts } from "./chooseParts.js";

const leaves = ["a", "b", "c", "d", "e", "f"];

/** An answer for several leaves, each with ten rows. */
function part(leafIds: readonly string[], share: number): PartAnswer {
  const own = leafIds.map((id) => answerOfLeaf(id, { rows: 10, done: share === 1, share }));
  return {
    ...own[0]!,
    partId: leafIds.join(),
    leaves: own.flatMap((answer) => answer.leaves),
  };
}

function coverageOf(parts: readonly PartAnswer[]): number {
  const reports = parts.flatMap((answer) => answer.leaves);
  return reports.reduce((sum, { stats }) => sum + stats.rowsHeld * stats.share, 0);
}

/** One node's answer: which leaves are in its done part, which in its open one; the others are in none. */
const firstWay = fc
  .tuple(
    fc.array(fc.constantFrom("done", "open", "none"), { minLength: 6, maxLength: 6 }),
    fc.constantFrom(0.2, 0.5, 0.9),
  )
  .map(([places, share]) => {
    const at = (place: string) => leaves.filter((_, i) => places[i] === place);
    return [part(at("done"), 1), part(at("open"), share)].filter(
      (answer) => answer.leaves.length > 0,
    );
  });
const copiesOf = fc.subarray(leaves).map((ids) => ids.map((id) => part([id], 1)));

const idsOf = (parts: readonly PartAnswer[]): string[] =>
  parts.flatMap((answer) => answer.leaves.map(({ leafId }) => leafId));

test("I7: no partition is in two parts, what is done stays, and every copy that is missed is used", () => {
  fc.assert(
    fc.property(firstWay, copiesOf, (first, copies) => {
      const chosen = chooseParts({ first, copies, coverageOf });
      const ids = idsOf(chosen);
      expect(new Set(ids).size).toBe(ids.length);
      expect(chosen).toEqual(expect.arrayContaining(first.filter(({ done }) => done)));
      for (const copy of copies) {
        if (!idsOf(first).includes(copy.partId)) expect(chosen).toContain(copy);
      }
      expect(coverageOf(chosen)).toBeGreaterThanOrEqual(coverageOf(first));
    }),
  );
});

test("of a partition that both ways have done, the answer with more rows is taken", () => {
  const rows = (n: number): PartAnswer => ({ ...answerOfLeaf("a", { rows: n }), partId: "a" });
  const [less, more] = [rows(9), rows(10)];
  expect(chooseParts({ first: [less], copies: [more], coverageOf })).toEqual([more]);
  expect(chooseParts({ first: [more], copies: [less], coverageOf })).toEqual([more]);
  // Of equal ones that of the leaf.
  const equal = { first: [rows(9)], copies: [less], coverageOf };
  expect(chooseParts(equal)[0]).toBe(equal.first[0]);
  expect(chooseParts({ ...equal, isCopyFirst: true })[0]).toBe(less);
});

test("a copy takes the place of an open part that covers less, and not of one that covers more", () => {
  const [copy] = [part(["a"], 1)];
  const little = part(["a", "b"], 0.2);
  expect(chooseParts({ first: [little], copies: [copy], coverageOf })).toEqual([copy]);
  const much = part(["a", "b", "c"], 0.9);
  expect(chooseParts({ first: [much], copies: [copy], coverageOf })).toEqual([much]);
});

test("coverage never falls while answers come in", () => {
  fc.assert(
    fc.property(firstWay, copiesOf, copiesOf, (first, copies, more) => {
      const known = new Set(copies.map(({ partId }) => partId));
      const later = [...copies, ...more.filter(({ partId }) => !known.has(partId))];
      const [before, after] = [copies, later].map((own) =>
        coverageOf(chooseParts({ first, copies: own, coverageOf })),
      );
      expect(after).toBeGreaterThanOrEqual(before!);
    }),
  );
});
