import type { Query, Result } from "@hadal/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OracleRow } from "../../test/oracle/oracleTable.js";
import { cutGroups } from "../aggregate/cutGroups.js";
import { encodePartialResult } from "../aggregate/partialCodec.js";
import { partialOfRows } from "../aggregate/testing/partialOfRows.js";
import { createTableSchema } from "../plan/tableSchema.js";
import type { QueriedLeaf } from "../tree/askLeaves.js";
import { runQuery } from "./runQuery.js";
import { inOneMinute } from "./testing/rowLeaves.js";

const columns = [
  { name: "user", type: "string", decimals: 0 },
  { name: "price", type: "int", decimals: 2 },
] as const;

/** Answers with its best groups, and what it is asked for by name. */
function leaf(id: string, rows: readonly OracleRow[]): QueriedLeaf {
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
      catalogue: {
        schema: async () => createTableSchema("t", columns),
        refresh: async () => undefined,
        neverNegative: () => false,
      },
      leaves: () => leaves.map((rows, i) => leaf(`leaf-${i}`, rows)),
      expectedRows: inOneMinute(
        new Map(leaves.map((rows, i) => [`leaf-${i}`, rows.length] as const)),
      ),
      functions: () => new Map(),
      sandbox: null as never,
      settingsOf: () => ({ retention: { maxAgeMs: null, maxBytes: null }, thinning: [] }),
      logError: () => {},
      now: () => performance.now(),
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
  "O11: no group that is not shown has more than is said, whatever the leaves cut: %s",
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
