import fc from "fast-check";
import { expect, test } from "vitest";
import type { OracleRow } from "../../test/oracle/table/oracleTable.js";
import { cutGroups } from "../aggregate/cut/cutGroups.js";
import { finalizeResult } from "../aggregate/finish/finalizeResult.js";
import { resolveQuery } from "../aggregate/function/resolveQuery.js";
import { mergePartials } from "../aggregate/merge/mergePartials.js";
import { partialOfRows } from "../aggregate/testing/partialOfRows.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../plan/query/splitQuery.js";
import { createTableSchema } from "../plan/schema/tableSchema.js";
import { completeGroups } from "./completeGroups.js";
import type { PartAnswer } from "./partAnswer.js";
import type { QueriedNode } from "./queriedNode.js";
import { answerOfLeaf } from "./testing/answerOfLeaf.js";

const table = createTableSchema("requests", [
  { name: "user", type: "string", decimals: 0 },
  { name: "bytes", type: "int", decimals: 0 },
]);
const leafIds = ["a", "b", "c"];

const row: fc.Arbitrary<OracleRow & { readonly leaf: number }> = fc.record({
  leaf: fc.nat(leafIds.length - 1),
  timeMs: fc.integer({ min: 0, max: 299_999 }),
  values: fc.integer({ min: 0, max: 250 }).map((n) => new Map([["user", `user ${n}`]])),
});

function answerOf(leafId: string, rows: readonly OracleRow[], resolved: ResolvedQuery): PartAnswer {
  const partial = cutGroups(partialOfRows(rows, resolved), resolved);
  return answerOfLeaf(leafId, { rows: rows.length, partial });
}

/** `second` is what leaves say to the second question, once they are asked. */
function complete(
  first: readonly PartAnswer[],
  second: readonly PartAnswer[],
  leaves: readonly QueriedNode[],
  split: SplitQuery,
) {
  const { resolved } = split;
  const answers = {
    ...{
      expected,
      expectedOfSides: [expected],
      completeness,
      snapshot: {},
      failures: new Map(),
      asked: [],
    },
    answers: first.map((answer, i) => ({ ...answer, source: leaves[i]! })),
  };
  const { signal } = new AbortController();
  const askAgain = async (all: readonly QueriedNode[]) => {
    for (const leaf of all) {
      await leaf.streamQuery(resolved, { budgetMs: 1_000, signal, onPartial: () => {} });
    }
    return second;
  };
  return completeGroups(answers, split, { askAgain, signal });
}

const expected = new Map<string, number>();
const completeness = {
  ...{ fraction: 1, rowsExpected: 1, rowsAnswered: 1 },
  leaves: { answered: 3, total: 3, missing: [] },
};

test.each([
  ["groups", { groupBy: ["user"], limit: 10 }],
  ["series", { groupBy: [{ time: "1m" }, "user"], series: 10 }],
  ["both sides of a comparison", { groupBy: ["user"], limit: 10, compare: { offset: "2m" } }],
])(
  "S73: no number lacks a leaf's part, whichever leaves do not answer a second time or have lost rows: %s",
  async (_, query) => {
    const outcome = fc.constantFrom("answers", "fails", "lost rows");
    let leftOut = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 600, maxLength: 900 }),
        fc.tuple(outcome, outcome, outcome),
        async (rows, outcomes) => {
          const asked = { table: "requests", from: 120_000, to: 300_000, ...query };
          const split = resolveQuery(asked, table, 0);
          const rowsOf = leafIds.map((_id, i) => rows.filter(({ leaf }) => leaf === i));
          const first = leafIds.map((id, i) => answerOf(id, rowsOf[i]!, split.resolved));
          const second: PartAnswer[] = [];
          const leaves = leafIds.map((id, i): QueriedNode => {
            return {
              id,
              async streamQuery(again) {
                const held = outcomes[i] === "lost rows" ? rowsOf[i]!.slice(1) : rowsOf[i]!;
                if (outcomes[i] !== "fails") second.push(answerOf(id, held, again));
              },
            };
          });
          const { parts } = await complete(first, second, leaves, split);
          const whole = mergePartials([partialOfRows(rows, split.resolved)], split.resolved);
          const uncut = { ...split, finish: { ...split.finish, limit: 1e6, series: null } };
          const keyOf = (cells: readonly unknown[]) =>
            cells.slice(0, split.resolved.groupBy.length).join("|");
          const truth = new Map(
            finalizeResult(whole, uncut).rows.map((cells) => [keyOf(cells), cells]),
          );
          const shown = finalizeResult(
            mergePartials(
              parts.map(({ partial }) => partial),
              split.resolved,
            ),
            split,
          );
          for (const cells of shown.rows) {
            const expected = truth.get(keyOf(cells)) ?? [];
            // The base of a comparison may be unknown; it is never another.
            const known = cells.map((cell, i) => cell ?? expected[i]);
            expect(known).toEqual(expected);
          }
          if (outcomes.every((one) => one === "answers"))
            expect(shown.rows.length).toBeGreaterThan(0);
          else if (shown.rows.length === 0) leftOut++;
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
    expect(leftOut).toBeLessThan(60);
  },
);

test.each([
  ["series", { groupBy: [{ time: "1m" }, "user"], aggregates: [{ fn: "count" }], series: 1 }, 1n],
  [
    "groups of sums that could overflow",
    { aggregates: [{ fn: "count" }, { fn: "sum", column: "bytes" }], limit: 1 },
    10n ** 15n,
  ],
] as const)(
  "S73: what lacks a part and ranks behind does not move up where a leaf says nothing more: %s",
  async (_, query, bytes) => {
    const asked = { table: "requests", from: 0, to: 60_000, groupBy: ["user"], ...query };
    const split = resolveQuery(asked, table, 0);
    const rowsOf = (user: string, count: number): OracleRow[] =>
      Array.from({ length: count }, () => ({
        timeMs: 5,
        values: new Map<string, string | bigint>([
          ["user", user],
          ["bytes", bytes],
        ]),
      }));
    const many = (count: number, name: string, rows: number) =>
      Array.from({ length: count }, (_row, i) => rowsOf(`${name} ${i}`, rows)).flat();
    // The second leaf has two rows of both, behind more users than it sends.
    const own = [
      [...rowsOf("first", 100), ...rowsOf("second", 50), ...many(98, "single", 1)],
      [...many(110, "triple", 3), ...rowsOf("first", 2), ...rowsOf("second", 2)],
    ];
    const first = own.map((rows, i) => answerOf(leafIds[i]!, rows, split.resolved));
    const second: PartAnswer[] = [];
    const leaves = own.map((rows, i): QueriedNode => {
      const id = leafIds[i]!;
      const streamQuery = async (again: ResolvedQuery): Promise<void> => {
        if (i === 0) second.push(answerOf(id, rows, again));
      };
      return { id, streamQuery } as QueriedNode;
    });
    const { parts, areLeftOut } = await complete(first, second, leaves, split);
    const partials = parts.map(({ partial }) => partial);
    const { rows } = finalizeResult(mergePartials(partials, split.resolved), split);
    expect(areLeftOut).toBe(true);
    expect(rows.flat()).not.toContain("first");
    expect(rows.flat()).not.toContain("second");
  },
);
