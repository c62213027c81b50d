import type { Query, Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { questionKey, RecentAnswers } from "./recentAnswers.js";

function result(cells: number, fraction = 1): Result {
  return {
    columns: [{ name: "count", type: "int", role: "aggregate" }],
    rows: Array.from({ length: cells }, (_, i) => [i]),
    completeness: {
      ...{ fraction, rowsExpected: 1, rowsAnswered: 1 },
      leaves: { answered: 1, total: 1, missing: [] },
    },
    ...{ intervals: {}, asOf: 0, final: true, truncated: null },
    stats: {
      ...{ rowsScanned: 1, rowsMatched: 1, bytesScanned: 1, segments: 1, segmentsSkipped: 0 },
      ...{ cache: "miss", elapsedMs: 1, scanMs: 1, mergeMs: 1 },
    },
  };
}

describe("recent answers", () => {
  test("are found while they are as fresh as is asked for", () => {
    const recent = new RecentAnswers();
    const answer = result(1);
    recent.keep("q", "t", answer, 1_000);
    expect(recent.find("q", 1_000)).toBe(answer);
    expect(recent.find("q", 1_001)).toBeNull();
    expect(recent.find("other", 0)).toBeNull();
    const newer = result(2);
    recent.keep("q", "t", newer, 2_000);
    expect(recent.find("q", 1_500)).toBe(newer);
    recent.forget("other table", 3_000);
    expect(recent.find("q", 1_500)).toBe(newer);
    recent.forget("t", 3_000);
    expect(recent.find("q", 0)).toBeNull();
    // Of the table that was: its question was under way.
    recent.keep("q", "t", newer, 2_999);
    expect(recent.find("q", 0)).toBeNull();
    recent.keep("q", "t", newer, 3_001);
    expect(recent.find("q", 0)).toBe(newer);
  });

  test("differ by integers beyond 2^53, and by texts of the same digits", () => {
    const keyOf = (value: bigint | string | number) =>
      questionKey(
        { table: "t", from: 0, to: 1, filter: [{ column: "id", op: "=", value }] } as never,
        [],
      );
    const keys = [9_007_199_254_740_993n, 9_007_199_254_740_994n, "9007199254740993", 1].map(keyOf);
    expect(new Set(keys).size).toBe(4);
    expect(keyOf(9_007_199_254_740_993n)).toBe(keys[0]);
  });

  test("are whole, and final", () => {
    const recent = new RecentAnswers();
    recent.keep("a", "t", result(1, 0.9), 0);
    recent.keep("b", "t", { ...result(1), final: false }, 0);
    const { completeness, ...rest } = result(1);
    const leaves = { answered: 1, total: 2, missing: ["leaf-2"] };
    recent.keep("c", "t", { ...rest, completeness: { ...completeness, leaves } }, 0);
    expect(["a", "b", "c"].map((key) => recent.find(key, 0))).toEqual([null, null, null]);
  });

  test("take no more than their room: the longest unused go", () => {
    const recent = new RecentAnswers(18_000);
    for (const key of ["a", "b", "c"]) recent.keep(key, "t", result(100), 0);
    expect(recent.find("a", 0)).not.toBeNull();
    recent.keep("d", "t", result(100), 0);
    expect(["a", "b", "c", "d"].map((key) => recent.find(key, 0) !== null)).toEqual([
      ...[true, false, true, true],
    ]);
    recent.keep("too large", "t", result(1_000), 0);
    expect(recent.find("too large", 0)).toBeNull();
    expect(recent.find("d", 0)).not.toBeNull();
  });

  test("answer the same question, however it is to be answered", () => {
    const query: Query = { table: "t", from: "-1h", to: "now", groupBy: ["a", { time: "1m" }] };
    const key = questionKey(query, []);
    const { table, ...rest } = query;
    expect(questionKey({ ...rest, table, timeoutMs: 5, exact: true, freshnessMs: 7 }, [])).toBe(
      key,
    );
    expect(questionKey({ ...query, from: "-2h" }, [])).not.toBe(key);
    expect(questionKey({ ...query, groupBy: [{ time: "1m" }, "a"] }, [])).not.toBe(key);
    expect(questionKey(query, [{ name: "f", version: 2 }])).not.toBe(key);
  });
});
