import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AnswerPool, resultBytes } from "./answerPool.js";

const wide = { rows: [["x".repeat(2_000)]], intervals: {} };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a reader who stands still is cut off early while others wait for room, and late otherwise", () => {
  const pool = new AnswerPool(5_000, () => Date.now());
  const cut: string[] = [];
  let rooms = 0;
  pool.onRoom = () => rooms++;
  const reads = pool.hold(wide, () => cut.push("reads"));
  pool.hold(wide, () => cut.push("stands still"));
  expect(pool.isFull).toBe(true);
  for (let i = 0; i < 8; i++) {
    vi.advanceTimersByTime(500);
    reads.progress();
  }
  expect([cut, pool.isFull, rooms]).toEqual([["stands still"], false, 1]);
  vi.advanceTimersByTime(15_000);
  expect(cut).toHaveLength(1);
  vi.advanceTimersByTime(5_000);
  expect([cut, pool.bytes]).toEqual([["stands still", "reads"], 0]);
});

test("what a large result takes is estimated from some of its rows", () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => [i, "x".repeat(10 + (i % 7)), null]);
  const exact = rows.reduce((sum, row) => sum + 32 + 16 + 24 + row[1]!.toString().length + 16, 0);
  expect(resultBytes({ rows, intervals: {} }) / exact).toBeCloseTo(1, 1);
});
