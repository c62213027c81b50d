import type { Query, Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { deps, leaf, row } from "../testing/rowLeaves.js";
import { runQuery } from "./runQuery.js";

const query: Query = {
  table: "requests",
  from: 0,
  to: 60_000,
  groupBy: ["service"],
  aggregates: [{ fn: "count" }, { fn: "avg", column: "bytes" }],
};

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

  test("ends at its deadline while a leaf hangs that was asked for its columns", async () => {
    const { catalogue, ...others } = deps([leaf("a", rowsOfA, [now]), leaf("b", rowsOfB, [now])]);
    const hanging = { ...catalogue, schema: () => new Promise<never>(() => {}) };
    const { signal } = new AbortController();
    const asked = runQuery(
      { ...query, timeoutMs: 20 },
      { ...others, catalogue: hanging },
      { signal },
    );
    await expect(asked).rejects.toMatchObject({ code: "no-leaves" });
    await expect(asked).rejects.toThrow("Leaves that should hold them: a, b.");
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
