import type { Query, Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { AnswerCache } from "../cache/answerCache.js";
import { MemoryTier } from "../cache/memoryTier.js";
import { KeptResults, questionKey } from "./keptResult.js";

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

function create() {
  const cache = new AnswerCache(new MemoryTier(2 ** 26, () => 0), () => 0);
  const results = new KeptResults(cache, "ad-hoc");
  const keep = async (key: string, kept: Result, askedAt: number) => {
    const lease = await results.begin(key, "t");
    await results.end(lease, { result: kept, askedAt, changes: 0 });
  };
  const find = async (key: string, since: number) =>
    (await results.find(key, since, Number.NEGATIVE_INFINITY))?.result ?? null;
  return { cache, results, keep, find };
}

test("answers are found while they are as fresh as is asked for", async () => {
  const { cache, results, keep, find } = create();
  const answer = result(1);
  await keep("q", answer, 1_000);
  expect(await find("q", 1_000)).toEqual(answer);
  expect(await find("q", 1_001)).toBeNull();
  expect(await find("other", 0)).toBeNull();
  expect(await results.find("q", 1_000, 1)).toBeNull();
  const newer = result(2);
  await keep("q", newer, 2_000);
  expect(await find("q", 1_500)).toEqual(newer);
  // Of the table that was: its question was under way.
  const running = await results.begin("q", "t");
  await cache.forget("t");
  await results.end(running, { result: newer, askedAt: 2_999, changes: 0 });
  expect(await find("q", 0)).toBeNull();
  await keep("q", newer, 3_001);
  expect(await find("q", 0)).toEqual(newer);
});

test("questions differ by integers beyond 2^53, and by texts of the same digits", () => {
  const keyOf = (value: bigint | string | number) =>
    questionKey(
      { table: "t", from: 0, to: 1, filter: [{ column: "id", op: "=", value }] } as never,
      [],
    );
  const keys = [9_007_199_254_740_993n, 9_007_199_254_740_994n, "9007199254740993", 1].map(keyOf);
  expect(new Set(keys).size).toBe(4);
  expect(keyOf(9_007_199_254_740_993n)).toBe(keys[0]);
});

test("M16: only whole, final answers are kept", async () => {
  const { keep, find } = create();
  await keep("a", result(1, 0.9), 0);
  await keep("b", { ...result(1), final: false }, 0);
  const { completeness, ...rest } = result(1);
  const leaves = { answered: 1, total: 2, missing: ["leaf-2"] };
  await keep("c", { ...rest, completeness: { ...completeness, leaves } }, 0);
  await keep("too large", result(100_000), 0);
  for (const key of ["a", "b", "c", "too large"]) expect(await find(key, 0)).toBeNull();
  // None of them keeps the next run from filling.
  await keep("a", result(1), 0);
  expect(await find("a", 0)).toEqual(result(1));
});

test("the same question is the same, however it is to be answered", () => {
  const query: Query = { table: "t", from: "-1h", to: "now", groupBy: ["a", { time: "1m" }] };
  const key = questionKey(query, []);
  const { table, ...rest } = query;
  const asked = {
    ...rest,
    table,
    timeoutMs: 5,
    exact: true,
    freshnessMs: 7,
    cache: "use",
  } as const;
  expect(questionKey(asked, [])).toBe(key);
  expect(questionKey({ ...query, from: "-2h" }, [])).not.toBe(key);
  expect(questionKey({ ...query, groupBy: [{ time: "1m" }, "a"] }, [])).not.toBe(key);
  expect(questionKey(query, [{ name: "f", version: 2 }])).not.toBe(key);
});
