import type { Query, Result } from "@hadal/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { cutGroups } from "../../aggregate/cut/cutGroups.js";
import { encodePartialResult } from "../../aggregate/merge/partialCodec.js";
import { partialOfRows } from "../../aggregate/testing/partialOfRows.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import { runQuery } from "../run/runQuery.js";
import { deps, inOneMinute } from "../testing/rowLeaves.js";

const columns = [
  { name: "user", type: "string", decimals: 0 },
  { name: "price", type: "int", decimals: 2 },
] as const;

/** Answers with its best groups, and what it is asked for by name. */
function leaf(id: string, rows: readonly OracleRow[]): QueriedNode {
  return {
    id,
    async streamQuery(resolved, { onPartial }) {
      const none = { rowsScanned: 0, bytesScanned: 0, segments: 0, segmentsSkipped: 0, scanMs: 0 };
      onPartial({
        done: true,
        workMs: 0,
        stats: { ...none, rowsHeld: rows.length, share: 1, rowsMatched: rows.length },
        body: encodePartialResult(cutGroups(partialOfRows(rows, resolved), resolved), resolved),
      });
    },
  };
}

function ask(query: Query, leaves: readonly (readonly OracleRow[])[]): Promise<Result> {
  return runQuery(
    query,
    {
      ...deps([]),
      catalogue: {
        schema: async () => createTableSchema("t", columns),
        refresh: async () => undefined,
        neverNegative: () => false,
        forms: async () => [],
      },
      leaves: () => leaves.map((rows, i) => leaf(`leaf-${i}`, rows)),
      expectedRows: inOneMinute(
        new Map(leaves.map((rows, i) => [`leaf-${i}`, rows.length] as const)),
      ),
      wallMs: () => 0,
    },
    { signal: new AbortController().signal },
  );
}

const query: Query = { table: "t", from: 0, to: 1_000, groupBy: ["user"], limit: 10 };

test.each([
  ["count", { aggregates: [{ fn: "count" }] }],
  ["sum", { aggregates: [{ fn: "sum", column: "price" }] }],
] as const)(
  "O11: no group that is not shown has more than the bound, whatever the leaves cut: %s",
  async (name, aggregates) => {
    let beyondShown = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.nat(320), fc.integer({ min: -20, max: 99 })), {
          minLength: 400,
          maxLength: 700,
        }),
        fc.constantFrom("users of all leaves", "of one each", "of one row each"),
        async (picks, spread) => {
          const leaves: OracleRow[][] = [[], [], []];
          for (const [i, [place, user, price]] of picks.entries()) {
            const alone = spread === "of one each" ? `${place} ${user % 150}` : `${i}`;
            const own = spread === "users of all leaves" ? `${user}` : alone;
            leaves[place]!.push({
              timeMs: 1,
              values: new Map<string, string | bigint>([
                ["user", own],
                ["price", BigInt(price)],
              ]),
            });
          }
          const all = await ask({ ...query, ...aggregates, limit: 100_000 }, leaves);
          const top = await ask({ ...query, ...aggregates }, leaves);
          const shown = new Set(top.rows.map(([user]) => user));
          const unseen = all.rows.filter(([user]) => !shown.has(user!));
          const most = Math.max(...unseen.map(([, value]) => Number(value)));
          expect(top.truncated?.unseenMax, name).toBeGreaterThanOrEqual(most);
          if (top.truncated!.unseenMax! > Number(top.rows.at(-1)![1])) beyondShown += 1;
        },
      ),
      { seed: 5, numRuns: 60 },
    );
    // A bound that is always the last row's number would be too good to be true.
    expect(beyondShown).toBeGreaterThan(0);
  },
);

test("no bound for an order that does not add up, or that begins with the smallest", async () => {
  const rows = Array.from({ length: 300 }, (_, i): OracleRow => {
    return { timeMs: 1, values: new Map([["user", `${i}`]]) };
  });
  for (const orderBy of [[{ by: "user" }], [{ by: "count" }]]) {
    const { truncated } = await ask({ ...query, orderBy }, [rows, rows]);
    expect(truncated?.groups).toBeGreaterThan(0);
    expect(truncated?.unseenMax).toBeUndefined();
  }
});

const series: Query = {
  ...{ table: "t", from: 0, to: 60_000, groupBy: [{ time: "10s" }, "user"], series: 1 },
  aggregates: [{ fn: "count" }],
};
const rowOf = (user: string, timeMs: number, price = 1n): OracleRow => ({
  timeMs,
  values: new Map<string, string | bigint>([
    ["user", user],
    ["price", price],
  ]),
});
/** `count` rows of a user, over all buckets. */
const many = (user: string, count: number): OracleRow[] =>
  Array.from({ length: count }, (_, i) => rowOf(user, (i * 7_919) % 60_000));

test("a series that is first over the range, but on no leaf, is within the bound of the series that are not shown", async () => {
  // 27 rows of `spread` in all; each leaf has 150 users with one more than it has of `spread`.
  const leaves = [0, 1, 2].map((place) => [
    ...many("spread", 9),
    ...Array.from({ length: 150 }, (_, i) => many(`own ${place} ${i}`, 10)).flat(),
  ]);
  const { rows, truncated } = await ask(series, leaves);
  const total = rows.reduce((sum, [, , count]) => sum + Number(count), 0);
  expect(total).toBe(10);
  // 100 of each leaf's 151 arrive: whether the others are the same is unknown.
  expect(truncated).toEqual({ series: 3 * 100 - 1, atLeast: true, unseenMax: 30 });
  // Exactly: the first.
  const exact = await ask({ ...series, exact: true }, leaves);
  expect(new Set(exact.rows.map(([, user]) => user))).toEqual(new Set(["spread"]));
  expect(exact.truncated).toEqual({ series: 450, unseenMax: 27 });
});

test("O11: no series that is not shown has more than the bound, wherever its rows are", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(2), fc.nat(200), fc.nat(59_999)), {
        minLength: 600,
        maxLength: 900,
      }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      async (picks, max, isSpread) => {
        const leaves: OracleRow[][] = [[], [], []];
        for (const [place, user, timeMs] of picks) {
          leaves[place]!.push(rowOf(isSpread ? `${user}` : `${place} ${user}`, timeMs));
        }
        for (const leaf of leaves) leaf.push(...many("everywhere", 2));
        const top = await ask({ ...series, series: max }, leaves);
        const all = await ask({ ...series, series: 10_000, limit: 100_000 }, leaves);
        const totals = new Map<unknown, number>();
        for (const [, user, count] of all.rows) {
          totals.set(user, (totals.get(user) ?? 0) + Number(count));
        }
        const shown = new Set<unknown>(top.rows.map(([, user]) => user));
        const unseen = [...totals].filter(([user]) => !shown.has(user));
        const most = Math.max(...unseen.map(([, total]) => total));
        const { truncated } = top;
        expect(truncated?.unseenMax).toBeGreaterThanOrEqual(most);
        const left = totals.size - shown.size;
        if (truncated?.atLeast === true) expect(truncated.series).toBeLessThanOrEqual(left);
        else expect(truncated?.series).toBe(left);
        // Every number shown is whole.
        for (const user of shown) {
          const total = top.rows.reduce(
            (sum, row) => sum + (row[1] === user ? Number(row[2]) : 0),
            0,
          );
          expect(total).toBe(totals.get(user));
        }
      },
    ),
    { seed: 11, numRuns: 40 },
  );
}, 60_000);

test("the number of groups left out is exact where one leaf cuts, and a lower bound where several do, or two sides", async () => {
  const users = (place: string) => Array.from({ length: 200 }, (_, i) => rowOf(`${place} ${i}`, i));
  const top: Query = { ...query, to: 60_000, aggregates: [{ fn: "count" }], limit: 10 };
  expect((await ask(top, [users("a")])).truncated).toMatchObject({ groups: 190 });
  expect((await ask(top, [users("a")])).truncated).not.toHaveProperty("atLeast");
  const { truncated } = await ask(top, [users("a"), users("b")]);
  expect(truncated?.atLeast).toBe(true);
  expect(truncated?.groups).toBeGreaterThanOrEqual(190);
  expect(truncated?.groups).toBeLessThanOrEqual(390);
  // Whole answers of several leaves are counted.
  const whole = await ask({ ...top, limit: 150 }, [users("a"), users("b")]);
  expect(whole.truncated).toMatchObject({ groups: 250 });
  expect(whole.truncated).not.toHaveProperty("atLeast");
  const compared = await ask({ ...top, from: 30, to: 60_000, compare: { offset: "30ms" } }, [
    users("a"),
  ]);
  expect(compared.truncated?.atLeast).toBe(true);
});
