import { HadalError, type Query, type Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { OracleRow } from "../../test/oracle/oracleTable.js";
import { encodePartialResult } from "../aggregate/partialCodec.js";
import { partialOfRows } from "../aggregate/testing/partialOfRows.js";
import { createTableSchema } from "../plan/tableSchema.js";
import type { QueriedLeaf } from "../tree/askLeaves.js";
import { type QueryDeps, runQuery } from "./runQuery.js";

const query: Query = {
  table: "requests",
  from: 0,
  to: 60_000,
  groupBy: ["service"],
  aggregates: [{ fn: "count" }, { fn: "avg", column: "bytes" }],
};

function row(timeMs: number, service: string, bytes: bigint): OracleRow {
  return {
    timeMs,
    values: new Map<string, string | bigint>([
      ["service", service],
      ["bytes", bytes],
    ]),
  };
}

/** A leaf that scans its rows one by one, and answers after each pause. */
function leaf(
  id: string,
  rows: readonly OracleRow[],
  pauses: readonly Promise<void>[],
): QueriedLeaf {
  return {
    id,
    async streamQuery(resolved, { onPartial }) {
      for (const [i, pause] of pauses.entries()) {
        await pause;
        const done = i === pauses.length - 1;
        const share = (i + 1) / pauses.length;
        const seen = rows.slice(0, Math.round(rows.length * share));
        onPartial({
          done,
          workMs: 1,
          stats: {
            rowsHeld: rows.length,
            share: done ? 1 : share,
            rowsScanned: seen.length,
            rowsMatched: seen.length,
            bytesScanned: 8,
            segments: 1,
            segmentsSkipped: 0,
            scanMs: 2,
          },
          body: encodePartialResult(partialOfRows(seen, resolved), resolved),
        });
      }
    },
  };
}

function deps(leaves: readonly QueriedLeaf[]): QueryDeps {
  const columns = [
    { name: "service", type: "string", decimals: 0 },
    { name: "bytes", type: "int", decimals: 0 },
  ] as const;
  return {
    catalogue: {
      async schema(name) {
        if (name !== "requests")
          throw new HadalError("unknown-table", { table: name, nearest: "" });
        return createTableSchema(name, columns);
      },
      refresh: async () => {},
    },
    leaves: () => leaves,
    functions: () => new Map(),
    sandbox: null as never,
    expectedRows: { expected: () => new Map(leaves.map(({ id }) => [id, 2])) },
    logError: () => {},
    now: () => performance.now(),
    wallMs: () => 1_000_000,
  };
}

const now = Promise.resolve();
const rowsOfA = [row(1, "checkout", 10n), row(2, "search", 30n)];
const rowsOfB = [row(3, "checkout", 20n), row(60_000, "late", 1n)];

describe("a query", () => {
  test("is answered by all leaves together", async () => {
    const partials: Result[] = [];
    const result = await runQuery(
      query,
      deps([leaf("a", rowsOfA, [now]), leaf("b", rowsOfB, [now])]),
      {
        signal: new AbortController().signal,
        onPartial: (partial) => partials.push(partial),
      },
    );
    expect(result.columns.map(({ name }) => name)).toEqual([
      "service",
      "count",
      "count.raw",
      "avg_bytes",
    ]);
    expect(result.rows).toEqual([
      ["checkout", 2, 2, 15],
      ["search", 1, 1, 30],
    ]);
    expect(result).toMatchObject({
      final: true,
      truncated: null,
      asOf: 1_000_000,
      completeness: { fraction: 1 },
      stats: { rowsScanned: 4, scanMs: 2, cache: "miss", segments: 2 },
    });
    // Both had answered before a partial was due.
    expect(partials).toEqual([]);
  });

  test("shows what the first leaf has said while the other is still silent", async () => {
    let speak: () => void = () => {};
    const silence = new Promise<void>((resolve) => {
      speak = resolve;
    });
    const partials: Result[] = [];
    const result = await runQuery(
      query,
      deps([leaf("a", rowsOfA, [now, now]), leaf("b", rowsOfB, [silence])]),
      {
        signal: new AbortController().signal,
        onPartial(partial) {
          partials.push(partial);
          speak();
        },
      },
    );
    expect(partials).toHaveLength(1);
    expect(partials[0]).toMatchObject({
      final: false,
      completeness: { fraction: 0.5, leaves: { answered: 1, total: 2, missing: ["b"] } },
      rows: [
        ["checkout", 1, 1, 10],
        ["search", 1, 1, 30],
      ],
    });
    expect(result.final).toBe(true);
    expect(result.completeness.fraction).toBe(1);
  });

  test("nothing follows the final answer", async () => {
    let afterFinal = 0;
    let finished = false;
    const leaves = [leaf("a", rowsOfA, [now, now, now]), leaf("b", rowsOfB, [now, now])];
    await runQuery(query, deps(leaves), {
      signal: new AbortController().signal,
      onPartial: () => {
        if (finished) afterFinal += 1;
      },
    });
    finished = true;
    await new Promise((resolve) => setImmediate(resolve));
    expect(afterFinal).toBe(0);
  });

  test.each([
    [{ ...query, table: "nope" }, "unknown-table"],
    [{ ...query, groupBy: ["servize"] }, "unknown-column"],
    [{ ...query, from: 60_000, to: 0 }, "time-range-invalid"],
  ])("refusals name their cause (%#)", async (refused, code) => {
    const asked = runQuery(refused, deps([]), { signal: new AbortController().signal });
    await expect(asked).rejects.toMatchObject({ code });
  });

  test("an overflow ends it in the final answer, not in a partial one", async () => {
    const huge = [row(1, "a", 2n ** 62n), row(2, "a", 2n ** 62n)];
    let speak: () => void = () => {};
    const silence = new Promise<void>((resolve) => {
      speak = resolve;
    });
    const asked = runQuery(
      { ...query, aggregates: [{ fn: "sum", column: "bytes" }] },
      deps([leaf("a", huge, [now, now]), leaf("b", rowsOfB, [silence])]),
      { signal: new AbortController().signal, onPartial: () => expect.fail("it cannot be shown") },
    );
    setImmediate(() => setImmediate(() => speak()));
    await expect(asked).rejects.toMatchObject({ code: "sum-overflow" });
  });
});
